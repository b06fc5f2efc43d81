//! The oracle: at every interval it runs copies of the machine at all P-states through the same work, and goes
//! on with the best of them.

use super::objective::Outlook;
use super::{Activity, DvfsConfig, Objective, PState, Power};
use crate::exec::Fault;
use crate::machine::config::MachineConfig;
use crate::machine::gpu::Gpu;
use crate::machine::sm::hooks::Hooks;
use crate::machine::time::Time;
use crate::machine::uncore::hooks::SliceHooks;

/// See the module's text. An interval is the work that the fastest P-state does in the controller's interval.
/// A switch costs what it costs the controller; deciding costs nothing. The first interval runs at the fastest
/// P-state, as the controller's does.
pub struct Oracle {
    config: DvfsConfig,
    power: Power,
    objective: &'static dyn Objective,
    now: PState,
    /// Joules so far.
    pub energy: f64,
    /// The P-state of every interval.
    pub chosen: Vec<u32>,
}

/// A copy that has run an interval.
struct Tried<H, S> {
    gpu: Gpu<H, S>,
    outlook: Outlook,
    cost: f64,
}

/// What a copy has to beat.
struct Rival {
    /// Warp instructions since the machine's start after which an interval is over.
    target: u64,
    /// Seconds that the fastest P-state took.
    fastest: f64,
    /// The least cost so far.
    cost: f64,
}

/// Nothing if it was not worth its while; a fault if the kernel met one.
type Attempt<T> = Result<Option<T>, Box<Fault>>;

impl Oracle {
    /// An oracle for a machine at the fastest P-state.
    pub fn new(config: &DvfsConfig, power: Power, objective: &'static dyn Objective) -> Oracle {
        let now = config.fastest();
        let config = config.clone();
        Oracle { config, power, objective, now, energy: 0.0, chosen: vec![] }
    }

    /// The P-state of the last interval.
    pub fn state(&self) -> PState {
        self.now
    }

    /// Takes the machine through an interval, or to the end of its kernel; at most to `work` warp instructions
    /// since its start.
    pub fn step<H: Hooks + Clone, S: SliceHooks + Clone>(
        &mut self,
        gpu: &mut Gpu<H, S>,
        work: u64,
    ) {
        // A fault is left to the machine itself, which comes to it next.
        if let Ok(Some((best, state))) = self.best(gpu, work) {
            self.energy += best.outlook.energy;
            self.chosen.push(state.mhz);
            self.now = state;
            *gpu = best.gpu;
        }
    }

    fn best<H: Hooks + Clone, S: SliceHooks + Clone>(
        &self,
        gpu: &Gpu<H, S>,
        work: u64,
    ) -> Attempt<(Tried<H, S>, PState)> {
        let start = Activity::of(gpu);
        let over = start.time + (self.config.interval_us * 1e9) as Time;
        let states = self.config.pstates();
        // The fastest decides what the work of the interval is.
        let first = self.attempt(gpu, &start, states[0], None, |now| {
            now.time >= over || now.warp_instructions >= work
        })?;
        let Some(mut best) = first else { return Ok(None) };
        let (mut state, fastest) = (states[0], best.outlook.time);
        let target = Activity::of(&best.gpu).warp_instructions;
        let mut others = if self.chosen.is_empty() { vec![] } else { states[1..].to_vec() };
        // What was best is likely to be it again, and the better the first one is, the sooner others are left.
        others.sort_by_key(|other| other.mhz.abs_diff(self.now.mhz));
        for next in others {
            let rival = Rival { target, fastest, cost: best.cost };
            let done = |now: &Activity| now.warp_instructions >= target;
            let tried = self.attempt(gpu, &start, next, Some(rival), done)?;
            if let Some(tried) = tried.filter(|tried| tried.cost < best.cost) {
                (best, state) = (tried, next);
            }
        }
        Ok(Some((best, state)))
    }

    /// Runs a copy at a P-state until `done`; none once it cannot be better than `rival`.
    fn attempt<H: Hooks + Clone, S: SliceHooks + Clone>(
        &self,
        gpu: &Gpu<H, S>,
        start: &Activity,
        state: PState,
        rival: Option<Rival>,
        done: impl Fn(&Activity) -> bool,
    ) -> Attempt<Tried<H, S>> {
        let mut gpu = gpu.clone();
        if state != self.now {
            gpu.pause_core((self.config.switch_ns * 1e6) as Time);
        }
        gpu.set_core_mhz(f64::from(state.mhz));
        loop {
            gpu.advance()?;
            let now = Activity::of(&gpu);
            let did = now - *start;
            let outlook = Outlook { energy: self.power.energy(&did, state), time: did.seconds() };
            let fastest = rival.as_ref().map_or(outlook.time, |rival| rival.fastest);
            let cost = |outlook| self.objective.cost(outlook, fastest, &self.config);
            if gpu.is_done() || done(&now) {
                return Ok(Some(Tried { gpu, outlook, cost: cost(outlook) }));
            }
            let Some(rival) = &rival else { continue };
            // A cost only grows with energy and time, and the rest takes some of both.
            let rest = least(gpu.config(), rival.target - now.warp_instructions, state);
            let energy = outlook.energy + self.power.energy(&rest, state);
            if cost(Outlook { energy, time: outlook.time + rest.seconds() }) > rival.cost {
                return Ok(None);
            }
        }
    }
}

/// The least that so many warp instructions can take: every scheduler issues in every cycle, no lane works and nothing leaves
/// the SMs.
fn least(machine: &MachineConfig, warp_instructions: u64, state: PState) -> Activity {
    let rate = machine.gpu.sms * machine.sm.schedulers;
    let cycles = warp_instructions / rate as u64;
    Activity {
        time: (cycles as f64 / f64::from(state.mhz) * 1e9) as Time,
        sm_cycles: cycles * machine.gpu.sms as u64,
        warp_instructions,
        ..Activity::default()
    }
}
