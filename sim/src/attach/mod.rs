//! The mechanisms attached to the machine: each SM with its units, whatever stands behind them.
//!
//! A [`UnitSource`] makes the units: [`Models`] gives the golden models of this crate, and
//! `lanewise-testbenches` gives stepped RTL, verilated Verilog or both in lockstep. [`Attached`] feeds them
//! from the SM's [hooks](crate::machine::sm::hooks::Hooks) and does what they say: with lanes attached, the
//! kernel's own operands go through the shift stage and its results come out of the result collector.

mod caches;
mod crisp;
mod folding;
mod gating;
mod lanes;
mod reservation;
mod slice;

pub use caches::Caches;
pub use crisp::Crisp;
pub use folding::Folding;
pub use gating::{Gating, LaneCycles};
pub use lanes::Lanes;
pub use slice::AttachedSlice;

use crate::exec::Launch;
use crate::machine::config::{MachineConfig, Mechanism};
use crate::machine::sm::decode::{Program, SpPipe, Unit as Where};
use crate::machine::sm::hooks::{
    CacheAccess, Candidate, CycleSignals, Execution, Hooks, LaneResult, LaneWork, WarpKinds,
};
use crate::machine::sm::l1::CacheKind;
use crate::machine::sm::scheduler::WarpSet;
use crate::machine::{Limits, Machine};
use crate::units::Unit;
use std::sync::Arc;

/// A unit behind the trait.
pub type Boxed<U> = Box<dyn Unit<In = <U as Unit>::In, Out = <U as Unit>::Out>>;

/// A unit that cannot be made, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttachError(pub String);

impl std::fmt::Display for AttachError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for AttachError {}

/// Makes the units of a machine.
pub trait UnitSource {
    /// A unit in its reset state for a catalogue entry, at a place in the machine such as
    /// `sm3/sp0/int/lane_power_gate`; `model` is its golden model.
    fn unit<U: Unit + 'static>(
        &self,
        entry: &str,
        instance: &str,
        model: U,
    ) -> Result<Boxed<U>, AttachError>;
}

/// The golden models themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Models;

impl UnitSource for Models {
    fn unit<U: Unit + 'static>(
        &self,
        _entry: &str,
        _instance: &str,
        model: U,
    ) -> Result<Boxed<U>, AttachError> {
        Ok(Box::new(model))
    }
}

/// What is attached to one SM.
pub struct Attached {
    /// Shift and re-shift stages and result collectors.
    pub lanes: Option<Lanes>,
    /// Power gates.
    pub gating: Option<Gating>,
    /// The folding policy.
    pub folding: Option<Folding>,
    /// CRISP's counters.
    pub crisp: Option<Crisp>,
    /// Drowsy regions and divided word lines.
    pub caches: Option<Caches>,
}

impl Attached {
    /// Attaches to SM `sm` what the machine's description names.
    pub fn new(
        sm: usize,
        config: &MachineConfig,
        source: &impl UnitSource,
    ) -> Result<Self, AttachError> {
        let has = |mechanism| config.mechanisms.attach.contains(&mechanism);
        let place = format!("sm{sm}");
        Ok(Attached {
            lanes: has(Mechanism::Lanes).then(|| Lanes::new(&place, config, source)).transpose()?,
            gating: has(Mechanism::Gating)
                .then(|| Gating::new(&place, config, source))
                .transpose()?,
            folding: has(Mechanism::Folding)
                .then(|| Folding::new(&place, config, source))
                .transpose()?,
            crisp: has(Mechanism::Crisp).then(|| Crisp::new(&place, config, source)).transpose()?,
            caches: (has(Mechanism::Drowsy) || has(Mechanism::Dwl))
                .then(|| Caches::new(&place, config, source))
                .transpose()?,
        })
    }

    /// Whether an instruction of this pipeline is to be folded in this cycle.
    fn folds(&mut self, pipe: SpPipe) -> bool {
        self.lanes.is_some() && self.folding.as_mut().is_some_and(|folding| folding.folds(pipe))
    }
}

/// A machine with everything attached that its description names.
pub fn machine(
    config: &Arc<MachineConfig>,
    limits: Limits,
    threads: usize,
    source: &impl UnitSource,
) -> Result<Machine<Attached, AttachedSlice>, AttachError> {
    let sms = (0..config.gpu.sms).map(|sm| Attached::new(sm, config, source));
    let mut sms = sms.collect::<Result<Vec<_>, _>>()?.into_iter();
    let slices = (0..config.gpu.partitions).map(|slice| AttachedSlice::new(slice, config, source));
    let mut slices = slices.collect::<Result<Vec<_>, _>>()?.into_iter();
    Machine::new(
        config,
        limits,
        threads,
        move |_| sms.next().expect("there is one for each SM"),
        move |_| slices.next().expect("there is one for each slice"),
    )
    .map_err(|e| AttachError(e.to_string()))
}

impl Hooks for Attached {
    const WATCHES_CYCLES: bool = true;
    const PREFERS: bool = true;
    const LOOKS_AHEAD: bool = true;

    fn kernel(&mut self, launch: &Arc<Launch>, program: &Arc<Program>) {
        if let Some(lanes) = &mut self.lanes {
            lanes.kernel(launch, program);
        }
        if let Some(crisp) = &mut self.crisp {
            crisp.kernel();
        }
    }

    fn cycles(&mut self, signals: &CycleSignals, count: u64) {
        let eager = self.folding.as_mut().is_some_and(|f| f.is_on());
        if let (Some(gating), lanes) = (&mut self.gating, &self.lanes) {
            gating.cycles(signals.cycle, count, lanes.as_ref(), eager);
        }
        if let Some(folding) = &mut self.folding {
            folding.cycles(signals, count);
        }
        if let Some(crisp) = &mut self.crisp {
            crisp.cycles(signals, count);
        }
    }

    fn prefer(&mut self, scheduler: usize, ready: WarpSet, kinds: &WarpKinds) -> WarpSet {
        match &mut self.folding {
            Some(folding) => folding.prefer(scheduler, ready, kinds),
            None => ready,
        }
    }

    fn may_issue(&mut self, candidate: &Candidate, _cycle: u64) -> bool {
        let Where::Sp(pipe) = candidate.unit else { return true };
        let split = self.folds(pipe);
        if self.lanes.as_ref().is_some_and(|lanes| lanes.is_full(candidate.sp)) {
            return false;
        }
        let Some(gating) = &mut self.gating else { return true };
        let wanted = match &self.lanes {
            Some(lanes) => lanes.executing(candidate.active.0, split),
            None => candidate.active.0,
        };
        gating.request(candidate.sp, pipe, wanted)
    }

    fn has_lanes(&self) -> bool {
        self.lanes.is_some()
    }

    fn enter_lanes(&mut self, work: LaneWork) -> (u64, u64) {
        let split = match work.candidate.unit {
            Where::Sp(pipe) => self.folds(pipe),
            _ => false,
        };
        match &mut self.lanes {
            Some(lanes) => lanes.take(work, split),
            None => (work.ready, work.ready + work.timing.latency),
        }
    }

    fn lane_result(&mut self, cycle: u64) -> Option<LaneResult> {
        self.lanes.as_mut()?.result(cycle)
    }

    fn executes(&mut self, execution: &Execution) {
        if let Some(gating) = &mut self.gating {
            gating.executes(execution);
        }
    }

    fn early(&mut self, access: &CacheAccess) {
        if let Some(caches) = &mut self.caches {
            caches.early(access);
        }
    }

    fn hold(&mut self, access: &CacheAccess) -> u64 {
        self.caches.as_mut().map_or(0, |caches| caches.hold(access))
    }

    fn miss(&mut self, cache: CacheKind, slot: usize, starts: bool, _cycle: u64) {
        if let Some(crisp) = &mut self.crisp {
            crisp.miss(cache, slot, starts);
        }
    }
}
