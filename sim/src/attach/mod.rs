//! The mechanisms attached to the machine: each SM with its units, whatever stands behind them.
//!
//! A [`UnitSource`] makes the units: [`Models`] gives the golden models of this crate, and
//! `lanewise-testbenches` gives stepped RTL, verilated Verilog or both in lockstep. [`Attached`] feeds them
//! from the SM's [hooks](crate::machine::sm::hooks::Hooks) and does what they say: with lanes attached, the
//! kernel's own operands go through the shift stage and its results come out of the result collector.

mod activity;
pub mod caches;
mod crisp;
mod folding;
mod gating;
mod idle_detect;
mod lane_cycles;
mod lanes;
mod order;
mod reservation;
mod rivals;
mod slice;

pub use activity::{Activity, ActivityMeter, SHORT_BUBBLE};
pub use caches::Caches;
pub use crisp::Crisp;
pub use folding::Folding;
pub use gating::Gating;
pub use lane_cycles::LaneCycles;
pub use lanes::Lanes;
pub use order::Order;
pub use slice::AttachedSlice;

use crate::crisp::Reading;
use crate::exec::{LaneMask, Launch};
use crate::machine::config::{ArrayKind, MachineConfig, Mechanism};
use crate::machine::gpu::Gpu;
use crate::machine::sm::decode::{Program, SpPipe, Unit as Where};
use crate::machine::sm::hooks::{
    CacheAccess, Candidate, CycleSignals, Held, Hooks, Issue, LaneResult, LaneSlot, LaneWork,
    Passes, SharedAccess, WarpKinds,
};
use crate::machine::sm::l1::CacheKind;
use crate::machine::sm::scheduler::WarpSet;
use crate::machine::time::period_of;
use crate::machine::uncore::hooks::SliceHooks;
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
    /// The folding policy and the mask groups.
    pub folding: Option<Folding>,
    /// Which warps go first.
    pub order: Option<Order>,
    /// CRISP's counters and ours.
    pub crisp: Option<Crisp>,
    /// Drowsy regions and divided word lines.
    pub caches: Option<Caches>,
    /// What was issued.
    pub meter: ActivityMeter,
    while_waking: bool,
    /// Whether the instruction that may issue now folds.
    split: bool,
    /// Warps of each scheduler.
    shares: Vec<WarpSet>,
}

impl Attached {
    /// Attaches to SM `sm` what the machine's description names.
    pub fn new(
        sm: usize,
        config: &MachineConfig,
        source: &impl UnitSource,
    ) -> Result<Self, AttachError> {
        let has = |mechanism| config.mechanisms.attach.contains(&mechanism);
        if has(Mechanism::Rivals) && !has(Mechanism::Crisp) {
            let message = "rivals count what crisp's classifier sees; attach crisp too";
            return Err(AttachError(message.into()));
        }
        let place = format!("sm{sm}");
        let schedulers = config.sm.schedulers;
        let share =
            |s: usize| (s..config.sm.warps).step_by(schedulers).fold(0, |all, w| all | 1 << w);
        Ok(Attached {
            lanes: has(Mechanism::Lanes).then(|| Lanes::new(&place, config, source)).transpose()?,
            gating: has(Mechanism::Gating)
                .then(|| Gating::new(&place, config, source))
                .transpose()?,
            folding: (has(Mechanism::Folding) || has(Mechanism::Groups))
                .then(|| Folding::new(&place, config, source))
                .transpose()?,
            order: (has(Mechanism::Types) || has(Mechanism::Groups))
                .then(|| Order::new(&config.mechanisms.folding, schedulers, has(Mechanism::Types))),
            crisp: has(Mechanism::Crisp).then(|| Crisp::new(&place, config, source)).transpose()?,
            caches: (has(Mechanism::Drowsy) || has(Mechanism::Dwl))
                .then(|| Caches::new(&place, config, source))
                .transpose()?,
            meter: ActivityMeter::new(config.sm.sp_units),
            while_waking: config.mechanisms.folding.while_waking,
            split: false,
            shares: (0..schedulers).map(share).collect(),
        })
    }

    /// Which of INT and FP are folded in this cycle.
    fn folds(&mut self) -> [bool; 2] {
        self.folding.as_mut().map_or([false; 2], Folding::folds)
    }

    /// Tells the gates which lanes will be wanted soon.
    fn look_ahead(&mut self, signals: &CycleSignals, folds: [bool; 2]) {
        // An SP takes one instruction a cycle, of either kind.
        let instructions: u32 = signals.soon.iter().map(|soon| soon.warps).sum();
        for (pipe, soon) in [SpPipe::Int, SpPipe::Fp].into_iter().zip(signals.soon) {
            let lanes = self.executing(soon.lanes, folds[pipe as usize]);
            if let Some(gating) = &mut self.gating {
                gating.expect(pipe, lanes, instructions as usize);
            }
        }
    }

    /// The lanes that will execute a warp with this mask.
    fn executing(&self, active: u32, split: bool) -> u32 {
        self.lanes.as_ref().map_or(active, |lanes| lanes.executing(active, split))
    }
}

/// A machine with everything attached that its description names, but for the controller of the core clock: whoever runs
/// the machine steps a [`Controller`](crate::dvfs::Controller) between quanta.
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

/// What happened at every kind of array of a machine, all SMs and slices together.
pub fn array_counts(gpu: &Gpu<Attached, AttachedSlice>) -> caches::AllCounts {
    let mut sum = caches::AllCounts::default();
    for sm in &gpu.sms {
        let counts = sm.hooks.caches.iter().flat_map(|caches| caches.counts(sm.cycle()));
        counts.for_each(|(kind, counts)| sum[kind] += counts);
    }
    let l2_cycle = gpu.now() / period_of(gpu.config().clocks.l2_mhz);
    for slice in &gpu.partitions {
        slice.hooks.counts(l2_cycle).into_iter().for_each(|counts| sum[ArrayKind::L2] += counts);
    }
    sum
}

/// What the counters of `crisp` and `rivals` have counted on all SMs since the start; nothing where `crisp` is not attached.
pub fn reading<S: SliceHooks>(gpu: &mut Gpu<Attached, S>) -> Reading {
    let mut sum = Reading::default();
    for crisp in gpu.sms.iter_mut().filter_map(|sm| sm.hooks.crisp.as_mut()) {
        sum += crisp.reading();
    }
    sum
}

impl Hooks for Attached {
    const WATCHES_CYCLES: bool = true;
    const PREFERS: bool = true;

    fn looks_ahead(&self) -> bool {
        self.gating.as_ref().is_some_and(Gating::looks_ahead)
    }

    fn kernel(&mut self, launch: &Arc<Launch>, program: &Arc<Program>) {
        if let Some(lanes) = &mut self.lanes {
            lanes.kernel(launch, program);
        }
        if let Some(crisp) = &mut self.crisp {
            crisp.kernel();
        }
    }

    fn cycles(&mut self, signals: &CycleSignals, count: u64) {
        let folds = self.folds();
        if self.looks_ahead() {
            self.look_ahead(signals, folds);
        }
        if let Some(gating) = &mut self.gating {
            gating.cycles(signals.cycle, count, folds);
        }
        if let Some(folding) = &mut self.folding {
            folding.cycles(signals, count);
        }
        if let Some(order) = &mut self.order {
            order.cycles(&signals.kinds, count);
        }
        if let Some(crisp) = &mut self.crisp {
            crisp.cycles(signals, count);
        }
    }

    fn next_lanes(&mut self, warp: usize, active: LaneMask) {
        if let Some(folding) = &mut self.folding {
            folding.next_lanes(warp, active);
        }
    }

    fn prefer(&mut self, scheduler: usize, ready: WarpSet, kinds: &WarpKinds) -> WarpSet {
        let Some(order) = &mut self.order else { return ready };
        let folding = self.folding.as_mut();
        let group = folding.map_or(WarpSet::MAX, |folding| folding.group(scheduler, kinds));
        order.prefer(scheduler, self.shares[scheduler], ready, group, kinds)
    }

    fn wake_delay(&mut self, candidate: &Candidate) -> u64 {
        let Where::Sp(pipe) = candidate.unit else { return 0 };
        let split = self.folds()[pipe as usize];
        let lanes = self.executing(candidate.active.0, split);
        let Some(gating) = &mut self.gating else { return 0 };
        match gating.ready(candidate.sp, pipe, lanes) {
            true => 0,
            false => gating.delay(),
        }
    }

    fn may_issue(&mut self, candidate: &Candidate, _cycle: u64) -> bool {
        let Where::Sp(pipe) = candidate.unit else { return true };
        let (sp, active) = (candidate.sp, candidate.active.0);
        self.split = self.folds()[pipe as usize];
        if self.lanes.as_ref().is_some_and(|lanes| lanes.is_full(sp)) {
            return false;
        }
        let whole = self.executing(active, self.split);
        let folded = self.executing(active, true);
        let Some(gating) = &mut self.gating else { return true };
        gating.request(sp, pipe, whole);
        if gating.ready(sp, pipe, whole) {
            return true;
        }
        // Its upper lanes are on their way: where the machine allows it, it folds meanwhile.
        self.split |= self.while_waking && self.lanes.is_some() && self.folding.is_some();
        self.split && gating.ready(sp, pipe, folded)
    }

    fn passes(&mut self, candidate: &Candidate, _cycle: u64) -> Passes {
        match (&mut self.lanes, candidate.unit) {
            (Some(lanes), Where::Sp(pipe)) => lanes.passes(pipe, candidate.active.0, self.split),
            _ => Passes::default(),
        }
    }

    fn issued(&mut self, issue: &Issue) {
        self.meter.issued(issue);
        if let Some(order) = &mut self.order {
            order.issued(issue.candidate.warp);
        }
        // Lanes are needed from issue, when they were asked for, until the last pass leaves them.
        if let Where::Sp(pipe) = issue.candidate.unit {
            let lanes = self.executing(issue.candidate.active.0, self.split);
            let behind = self.lanes.as_ref().map_or(0, |lanes| lanes.behind(self.split));
            if let Some(gating) = &mut self.gating {
                gating.executes(issue.candidate.sp, pipe, lanes, issue.end - behind);
            }
        }
    }

    fn has_lanes(&self, _candidate: &Candidate) -> bool {
        self.lanes.as_ref().is_some_and(|lanes| lanes.takes(self.split))
    }

    fn enter_lanes(&mut self, work: LaneWork) -> LaneSlot {
        match &mut self.lanes {
            Some(lanes) => lanes.take(work, self.split),
            None => unreachable!("the SM asks has_lanes first"),
        }
    }

    fn lane_result(&mut self, cycle: u64) -> Option<LaneResult> {
        self.lanes.as_mut()?.result(cycle)
    }

    fn hold(&mut self, access: &CacheAccess) -> Held {
        self.caches.as_mut().map_or(Held::default(), |caches| caches.hold(access))
    }

    fn hold_shared(&mut self, access: &SharedAccess) -> Held {
        self.caches.as_mut().map_or(Held::default(), |caches| caches.hold_shared(access))
    }

    fn miss(&mut self, cache: CacheKind, slot: usize, starts: bool, _cycle: u64) {
        if let Some(crisp) = &mut self.crisp {
            crisp.miss(cache, slot, starts);
        }
    }
}
