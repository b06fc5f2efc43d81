//! The controller: once an interval, or when another launch starts, it reads counters and does what its policy says.

use super::policy::{self, Goal, GoalError, Interval, Policy};
use super::{Activity, Meter, PState};
use crate::attach::{self, Attached};
use crate::crisp::Reading;
use crate::exec::Launch;
use crate::machine::config::MachineConfig;
use crate::machine::gpu::Gpu;
use crate::machine::time::Time;
use crate::machine::uncore::hooks::SliceHooks;
use std::sync::Arc;

/// Share of an interval that must be over for the end of a launch to be its end.
const LEAST: f64 = 0.5;

/// A decision and what it was made from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// When.
    pub time: Time,
    /// What comes next.
    pub mhz: u32,
}

/// See the module's text. Counters are summed over SMs: all share one clock.
pub struct Controller {
    goal: Goal,
    policy: Box<dyn Policy>,
    now: PState,
    read: Reading,
    meter: Meter,
    /// What the machine runs.
    launch: Option<Arc<Launch>>,
    /// Every decision so far.
    pub decisions: Vec<Decision>,
}

impl Controller {
    /// The controller that a machine's description names.
    pub fn of(machine: &MachineConfig) -> Result<Controller, GoalError> {
        Ok(Controller::new(Goal::of(machine)?, policy::known(&machine.dvfs.policy)?))
    }

    /// A controller that starts at the fastest P-state.
    pub fn new(goal: Goal, policy: Box<dyn Policy>) -> Controller {
        Controller {
            now: goal.config.fastest(),
            meter: Meter::new(goal.power, Activity::default()),
            goal,
            policy,
            read: Reading::default(),
            launch: None,
            decisions: vec![],
        }
    }

    /// Joules that the run has consumed until the last decision or [`Controller::settle`].
    pub fn energy(&self) -> f64 {
        self.meter.energy
    }

    /// Counts the energy since the last decision, at the end of a run.
    pub fn settle<S: SliceHooks>(&mut self, gpu: &Gpu<Attached, S>) {
        self.meter.read(Activity::of(gpu), self.now);
    }

    /// Called after every quantum: decides whenever an interval is over.
    pub fn step<S: SliceHooks>(&mut self, gpu: &mut Gpu<Attached, S>) {
        let ran = self.launch_before(gpu.launch());
        let config = &self.goal.config;
        let least = match ran {
            Some(_) if self.policy.minds_launches() => LEAST,
            _ => f64::from(self.policy.rest()),
        };
        if gpu.now() - self.meter.since() < (least * config.interval_us * 1e9) as Time {
            return;
        }
        let did = self.meter.read(Activity::of(gpu), self.now);
        let read = attach::reading(gpu);
        let counted = read - self.read;
        self.read = read;
        let coming = &gpu.launch().kernel().name;
        let ran = ran.as_ref().map_or(coming, |launch| &launch.kernel().name);
        let interval = Interval { at: self.now, counted, did, ran, coming };
        // Nothing follows from an interval in which the SMs had nothing to do.
        let idle = did.warp_instructions == 0;
        let next = if idle { self.now } else { self.policy.next(&self.goal, &interval) };
        let software = f64::from(config.software_cycles) / config.software_mhz * 1e9;
        let switch = if next == self.now { 0.0 } else { config.switch_ns * 1e6 };
        gpu.pause_core((software + switch) as Time);
        gpu.set_core_mhz(f64::from(next.mhz));
        self.now = next;
        self.decisions.push(Decision { time: gpu.now(), mhz: next.mhz });
    }

    /// The launch that ran until now, if this one has just taken its place.
    fn launch_before(&mut self, now: &Arc<Launch>) -> Option<Arc<Launch>> {
        match &self.launch {
            Some(last) if Arc::ptr_eq(last, now) => None,
            _ => self.launch.replace(now.clone()),
        }
    }
}
