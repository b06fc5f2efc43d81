//! What is measured: a kernel at a fixed clock, under a controller, and under the oracle, always over the
//! same work.

use super::results::Rule;
use super::window::{Stop, Window};
use crate::{Kernel, Lab, Point, StudyError, Units};
use lanewise_sim::attach::{self, Attached};
use lanewise_sim::crisp::Reading;
use lanewise_sim::dvfs::{objective, predictor, Activity, Controller, Meter, Oracle, Power};
use lanewise_sim::machine::config::{MachineConfig, Mechanism};
use lanewise_sim::machine::gpu::Gpu;
use lanewise_sim::machine::sm::hooks::Silent;
use lanewise_sim::machine::uncore::hooks::SliceHooks;
use lanewise_sim::machine::Machine;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};

/// What all points of a kernel have in common.
#[derive(Clone, Debug, Serialize)]
pub struct Setup {
    /// The kernel.
    pub kernel: Kernel,
    /// Its size.
    pub size: &'static str,
    /// The machine at the fastest P-state, with `crisp` and `rivals` attached.
    pub machine: MachineConfig,
}

impl Setup {
    /// What its machine's P-states cost.
    pub fn power(&self) -> Power {
        Power::new(&self.machine.power, self.machine.gpu.sms)
    }
}

/// A kernel at the fastest P-state, with all counters.
#[derive(Serialize)]
pub struct Base {
    /// What runs.
    pub setup: Setup,
    /// When to stop.
    pub stop: Stop,
}

/// What [`Base`] measures.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// Whether the kernel came to its end, with the right results.
    pub finished: bool,
    /// Time, work and what else costs energy.
    pub activity: Activity,
    /// What happened in each launch, in order.
    pub launches: Vec<Launch>,
}

/// A launch, or what of it lies in the window.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Launch {
    /// Seconds.
    pub time: f64,
    /// Counters, summed over SMs.
    pub reading: Reading,
}

/// Launches as they come to their end.
#[derive(Default)]
struct Log {
    launches: Vec<Launch>,
    time: f64,
    read: Reading,
}

impl Log {
    fn add<S: SliceHooks>(&mut self, gpu: &mut Gpu<Attached, S>) {
        let read = attach::reading(gpu);
        let time = Activity::of(gpu).seconds();
        self.launches.push(Launch { time: time - self.time, reading: read - self.read });
        (self.time, self.read) = (time, read);
    }
}

impl Point for Base {
    type Outcome = Measured;

    fn label(&self) -> String {
        format!("{} at {} MHz", self.setup.kernel.name, self.setup.machine.dvfs.highest_mhz)
    }

    fn measure<U: Units>(&self, lab: &Lab<U>) -> Result<Measured, StudyError> {
        let log = Arc::new(Mutex::new(Log::default()));
        let kept = log.clone();
        let window = Window::new(lab, self.stop);
        let config = Arc::new(self.setup.machine.clone());
        let machine = attach::machine(&config, window.limits(), 1, lab.units)
            .map_err(|e| StudyError::Input(e.to_string()))?;
        let watch = window.clone();
        let mut machine = machine.between(Box::new(move |gpu| {
            if watch.is_over(gpu) || gpu.is_done() {
                kept.lock().unwrap_or_else(PoisonError::into_inner).add(gpu);
            }
        }));
        lab.run_kernel(&self.setup.kernel, self.setup.size, &mut machine)?;
        let log = std::mem::take(&mut *log.lock().unwrap_or_else(PoisonError::into_inner));
        let activity = machine.gpu().map(Activity::of).unwrap_or_default();
        Ok(Measured { finished: !window.was_cut(), activity, launches: log.launches })
    }
}

/// A kernel at another fixed clock, through so many warp instructions or to its end.
#[derive(Serialize)]
pub struct Fixed {
    /// What runs.
    pub setup: Setup,
    /// The core clock.
    pub mhz: u32,
    /// Warp instructions.
    pub work: u64,
}

impl Point for Fixed {
    type Outcome = Activity;

    fn label(&self) -> String {
        format!("{} at {} MHz", self.setup.kernel.name, self.mhz)
    }

    fn measure<U: Units>(&self, lab: &Lab<U>) -> Result<Activity, StudyError> {
        let mut config = self.setup.machine.clone();
        config.clocks.core_mhz = f64::from(self.mhz);
        let window = Window::new(lab, Stop::Work(self.work));
        let watch = window.clone();
        let mut machine =
            Machine::new(&Arc::new(config), window.limits(), 1, |_| Silent, |_| Silent)
                .map_err(|e| StudyError::Input(e.to_string()))?
                .between(Box::new(move |gpu| {
                    watch.is_over(gpu);
                }));
        lab.run_kernel(&self.setup.kernel, self.setup.size, &mut machine)?;
        Ok(machine.gpu().map(Activity::of).unwrap_or_default())
    }
}

/// A kernel under a controller.
#[derive(Serialize)]
pub struct Controlled {
    /// What runs.
    pub setup: Setup,
    /// The controller.
    pub rule: Rule,
    /// Warp instructions.
    pub work: u64,
}

/// What a run cost whose clock changed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Spent {
    /// Seconds.
    pub time: f64,
    /// Joules.
    pub energy: f64,
    /// The P-state after each decision.
    pub mhz: Vec<u32>,
}

impl Point for Controlled {
    type Outcome = Spent;

    fn label(&self) -> String {
        let rule = &self.rule;
        format!("{} under {} for {}", self.setup.kernel.name, rule.name(), rule.objective)
    }

    fn measure<U: Units>(&self, lab: &Lab<U>) -> Result<Spent, StudyError> {
        let unknown = |what: &str| StudyError::Input(format!("there is no {what}"));
        let mut config = self.setup.machine.clone();
        self.rule.name_in(&mut config.dvfs);
        if !predictor::named(self.rule.predictor).is_some_and(|named| named.reads_rivals()) {
            // They change nothing but how long the point takes.
            config.mechanisms.attach.retain(|mechanism| *mechanism != Mechanism::Rivals);
        }
        let config = Arc::new(config);
        let controller = Controller::of(&config).map_err(|e| StudyError::Input(e.to_string()))?;
        let controller = Arc::new(Mutex::new(controller));
        let steps = controller.clone();
        let window = Window::new(lab, Stop::Work(self.work));
        let watch = window.clone();
        let mut machine = attach::machine(&config, window.limits(), 1, lab.units)
            .map_err(|e| StudyError::Input(e.to_string()))?
            .between(Box::new(move |gpu| {
                if !watch.is_over(gpu) {
                    steps.lock().unwrap_or_else(PoisonError::into_inner).step(gpu);
                }
            }));
        lab.run_kernel(&self.setup.kernel, self.setup.size, &mut machine)?;
        let mut controller = controller.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(gpu) = machine.gpu() else { return Err(unknown("launch in this job")) };
        controller.settle(gpu);
        let mhz = controller.decisions.iter().map(|decision| decision.mhz).collect();
        Ok(Spent { time: Activity::of(gpu).seconds(), energy: controller.energy(), mhz })
    }
}

/// A kernel under the oracle.
#[derive(Serialize)]
pub struct Foreseen {
    /// What runs.
    pub setup: Setup,
    /// The objective's name.
    pub objective: &'static str,
    /// Warp instructions.
    pub work: u64,
}

impl Point for Foreseen {
    type Outcome = Spent;

    fn label(&self) -> String {
        format!("{} under the oracle", self.setup.kernel.name)
    }

    fn measure<U: Units>(&self, lab: &Lab<U>) -> Result<Spent, StudyError> {
        let unknown = |what: &str| StudyError::Input(format!("there is no {what}"));
        let objective = objective::named(self.objective).ok_or_else(|| unknown(self.objective))?;
        let config = Arc::new(self.setup.machine.clone());
        let power = self.setup.power();
        let oracle = Arc::new(Mutex::new(Oracle::new(&config.dvfs, power, objective)));
        let steps = oracle.clone();
        let meter = Arc::new(Mutex::new(Meter::new(power, Activity::default())));
        let rest = meter.clone();
        let window = Window::new(lab, Stop::Work(self.work));
        let (watch, work) = (window.clone(), self.work);
        let mut machine = Machine::new(&config, window.limits(), 1, |_| Silent, |_| Silent)
            .map_err(|e| StudyError::Input(e.to_string()))?
            .between(Box::new(move |gpu| {
                let mut oracle = steps.lock().unwrap_or_else(PoisonError::into_inner);
                let mut meter = rest.lock().unwrap_or_else(PoisonError::into_inner);
                // The quantum between two steps runs at the P-state chosen last.
                let state = oracle.state();
                meter.read(Activity::of(gpu), state);
                if !watch.is_over(gpu) && !gpu.is_done() {
                    oracle.step(gpu, work);
                    meter.skip(Activity::of(gpu));
                    watch.is_over(gpu);
                }
            }));
        lab.run_kernel(&self.setup.kernel, self.setup.size, &mut machine)?;
        let oracle = oracle.lock().unwrap_or_else(PoisonError::into_inner);
        let meter = meter.lock().unwrap_or_else(PoisonError::into_inner);
        let time = machine.gpu().map(Activity::of).unwrap_or_default().seconds();
        Ok(Spent { time, energy: oracle.energy + meter.energy, mhz: oracle.chosen.clone() })
    }
}
