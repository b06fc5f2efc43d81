//! One measurement: a kernel on a machine, and what its lanes did.

use super::machines::Machine;
use crate::{Kernel, Lab, Point, StudyError, Units};
use lanewise_sim::attach::{Activity, LaneCycles};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A kernel on a machine.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// The kernel.
    pub kernel: Kernel,
    /// Its size.
    pub size: &'static str,
    /// The machine.
    pub machine: Machine,
    /// The base machine, and what the user has set in it.
    pub base: (String, Vec<String>),
}

/// What was measured, all SMs together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// Core cycles of all launches.
    pub cycles: u64,
    /// Cycles of all INT pipelines, which are as many as those of FP.
    pub pipeline_cycles: u64,
    /// What was issued.
    pub activity: Activity,
    /// INT and FP lanes; none if they are not gated.
    pub lanes: Option<[LaneCycles; 2]>,
    /// SP instructions of INT and FP that folded.
    pub folded: [u64; 2],
    /// Cycles in which INT and FP folded, of all SMs.
    pub folding_cycles: [u64; 2],
    /// Break-even time of the gates.
    pub break_even: u8,
}

impl Measured {
    /// Whether the kernel uses INT (0) or FP (1).
    pub fn uses(&self, pipe: usize) -> bool {
        self.activity.issued[pipe] > 0
    }

    /// Net leakage saved in a pipeline, percent of its lane-cycles.
    pub fn saved(&self, pipe: usize) -> f64 {
        self.lanes.map_or(0.0, |lanes| {
            percent(lanes[pipe].saved(self.break_even), lanes[pipe].total() as f64)
        })
    }

    /// Leakage saved as a share of what the baseline leaks: the machine leaks for as long as it runs.
    pub fn saved_of(&self, pipe: usize, baseline: &Measured) -> f64 {
        let leaks = (1.0 - self.saved(pipe) / 100.0) * self.cycles as f64;
        100.0 - percent(leaks, baseline.cycles as f64)
    }

    /// Switching energy, percent of the pipeline's lane-cycles.
    pub fn overhead(&self, pipe: usize) -> f64 {
        self.lanes.map_or(0.0, |lanes| {
            percent(lanes[pipe].overhead(self.break_even), lanes[pipe].total() as f64)
        })
    }

    /// How often a lane is gated in a thousand of its cycles.
    pub fn events(&self, pipe: usize) -> f64 {
        self.lanes.map_or(0.0, |lanes| {
            percent(lanes[pipe].gating_events as f64, lanes[pipe].total() as f64) * 10.0
        })
    }

    /// Time in bubbles too short to gate, percent.
    pub fn short_bubbles(&self, pipe: usize) -> f64 {
        percent(self.activity.short_bubbles[pipe] as f64, self.pipeline_cycles as f64)
    }

    /// Warp instructions of a pipeline that folded, percent.
    pub fn folded(&self, pipe: usize) -> f64 {
        percent(self.folded[pipe] as f64, self.activity.issued[pipe] as f64)
    }

    /// Execution time over the baseline's, percent.
    pub fn slower_than(&self, baseline: &Measured) -> f64 {
        percent(self.cycles as f64, baseline.cycles as f64) - 100.0
    }
}

/// A share in percent; zero of nothing.
pub fn percent(part: f64, whole: f64) -> f64 {
    if whole == 0.0 {
        0.0
    } else {
        part / whole * 100.0
    }
}

impl Point for Run {
    type Outcome = Measured;

    fn label(&self) -> String {
        format!("{} on {}", self.kernel.name, self.machine.name)
    }

    fn measure<U: Units>(&self, lab: &Lab<U>) -> Result<Measured, StudyError> {
        let config = Arc::new(lab.machine(&self.base.0, &self.machine.set)?);
        let mut machine = lab.attached(&config, None)?;
        let outcome = lab.run_kernel(&self.kernel, self.size, &mut machine)?;
        let mut measured = Measured {
            cycles: outcome.record.timing.map_or(0, |timing| timing.cycles),
            pipeline_cycles: 0,
            activity: Activity::default(),
            lanes: None,
            folded: [0; 2],
            folding_cycles: [0; 2],
            break_even: config.mechanisms.gating.break_even,
        };
        for sm in machine.gpu().into_iter().flat_map(|gpu| &gpu.sms) {
            measured.pipeline_cycles += sm.counts().cycles * config.sm.sp_units as u64;
            measured.activity += sm.hooks.meter.activity;
            if let Some(gating) = &sm.hooks.gating {
                let lanes = measured.lanes.get_or_insert_default();
                lanes.iter_mut().zip(gating.counts()).for_each(|(sum, lanes)| *sum += lanes);
            }
            let sums = [
                (&mut measured.folded, sm.hooks.lanes.as_ref().map(|lanes| lanes.folded)),
                (
                    &mut measured.folding_cycles,
                    sm.hooks.folding.as_ref().map(|folding| folding.folding_cycles),
                ),
            ];
            for (sum, more) in sums {
                sum.iter_mut().zip(more.unwrap_or_default()).for_each(|(sum, more)| *sum += more);
            }
        }
        Ok(measured)
    }
}
