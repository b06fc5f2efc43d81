//! The oracle: at every interval it runs copies of the machine at all P-states through the same work, and goes
//! on with the best of them.

use super::objective::Outlook;
use super::{Activity, DvfsConfig, Objective, PState, Power};
use crate::exec::{Changes, Fault};
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

/// A copy that has run an interval. It has no global memory, which all copies share in turn.
struct Tried<H, S> {
    gpu: Gpu<H, S>,
    /// What it did to the memory.
    changes: Changes,
    outlook: Outlook,
    cost: f64,
}

/// How far a copy goes.
#[derive(Clone, Copy)]
enum Until {
    /// To the first quantum after this time that issues something, or to so many warp instructions since the machine's
    /// start: so it is said what the interval is.
    Over(Time, u64),
    /// To so many warp instructions: those of the fastest P-state in its interval.
    Done(u64),
    /// To the end of the kernel, where the fastest P-state came in its interval.
    End,
}

/// What a copy has to beat.
#[derive(Clone, Copy)]
struct Rival {
    /// Warp instructions since the machine's start that the fastest P-state came to.
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
        if let Ok(Some((mut best, state))) = self.best(gpu, work) {
            self.energy += best.outlook.energy;
            self.chosen.push(state.mhz);
            self.now = state;
            best.gpu.global = std::mem::take(&mut gpu.global);
            best.gpu.global.make_again(best.changes);
            *gpu = best.gpu;
        }
    }

    fn best<H: Hooks + Clone, S: SliceHooks + Clone>(
        &self,
        gpu: &mut Gpu<H, S>,
        work: u64,
    ) -> Attempt<(Tried<H, S>, PState)> {
        let start = Activity::of(gpu);
        let over = start.time + (self.config.interval_us * 1e9) as Time;
        let states = self.config.pstates();
        // The fastest decides what the work of the interval is.
        let Some(mut best) = self.attempt(gpu, &start, states[0], Until::Over(over, work), None)?
        else {
            return Ok(None);
        };
        let (mut state, fastest) = (states[0], best.outlook.time);
        let target = Activity::of(&best.gpu).warp_instructions;
        let until = if best.gpu.is_done() { Until::End } else { Until::Done(target) };
        let mut others = if self.chosen.is_empty() { vec![] } else { states[1..].to_vec() };
        // What was best is likely to be it again, and the better the first one is, the sooner others are left.
        others.sort_by_key(|other| other.mhz.abs_diff(self.now.mhz));
        for next in others {
            let rival = Rival { target, fastest, cost: best.cost };
            let tried = self.attempt(gpu, &start, next, until, Some(rival))?;
            if let Some(tried) = tried.filter(|tried| tried.cost < best.cost) {
                (best, state) = (tried, next);
            }
        }
        Ok(Some((best, state)))
    }

    /// Runs a copy at a P-state; none once it cannot be better than `rival`.
    fn attempt<H: Hooks + Clone, S: SliceHooks + Clone>(
        &self,
        gpu: &mut Gpu<H, S>,
        start: &Activity,
        state: PState,
        until: Until,
        rival: Option<Rival>,
    ) -> Attempt<Tried<H, S>> {
        let mut memory = std::mem::take(&mut gpu.global);
        memory.remember();
        let mut copy = gpu.clone();
        copy.global = memory;
        let ran = self.run(&mut copy, start, state, until, rival);
        gpu.global = std::mem::take(&mut copy.global);
        let changes = gpu.global.take_back();
        Ok(ran?.map(|(outlook, cost)| Tried { gpu: copy, changes, outlook, cost }))
    }

    /// Runs a machine through an interval: what it took by the meter, and what that costs.
    fn run<H: Hooks, S: SliceHooks>(
        &self,
        gpu: &mut Gpu<H, S>,
        start: &Activity,
        state: PState,
        until: Until,
        rival: Option<Rival>,
    ) -> Attempt<(Outlook, f64)> {
        if state != self.now {
            gpu.pause_core((self.config.switch_ns * 1e6) as Time);
        }
        gpu.set_core_mhz(f64::from(state.mhz));
        let mut before = Activity::of(gpu);
        loop {
            gpu.advance()?;
            let now = Activity::of(gpu);
            let outlook = self.outlook(&(now - *start), state);
            let fastest = rival.map_or(outlook.time, |rival| rival.fastest);
            let cost = |outlook| self.objective.cost(outlook, fastest, &self.config);
            let done = match until {
                Until::Over(time, work) => {
                    let issued = now.warp_instructions > before.warp_instructions;
                    (now.time >= time && issued) || now.warp_instructions >= work
                }
                Until::Done(work) => now.warp_instructions >= work,
                Until::End => false,
            };
            if done || gpu.is_done() {
                let cost = cost(match until {
                    Until::Done(work) => self.at_work(start, &before, &now, work, state),
                    _ => outlook,
                });
                return Ok(Some((outlook, cost)));
            }
            before = now;
            let Some(rival) = rival else { continue };
            // A cost only grows with energy and time, and the rest takes some of both.
            let left = rival.target.saturating_sub(now.warp_instructions);
            let rest = self.outlook(&least(gpu.config(), left, state), state);
            let (energy, time) = (outlook.energy + rest.energy, outlook.time + rest.time);
            if cost(Outlook { energy, time }) > rival.cost {
                return Ok(None);
            }
        }
    }

    fn outlook(&self, did: &Activity, at: PState) -> Outlook {
        Outlook { energy: self.power.energy(did, at), time: did.seconds() }
    }

    /// What it took to come to so many warp instructions, which were passed somewhere in the last quantum: without the
    /// rest of that quantum P-states are compared over the same work.
    fn at_work(
        &self,
        start: &Activity,
        before: &Activity,
        now: &Activity,
        work: u64,
        state: PState,
    ) -> Outlook {
        let (from, to) =
            (self.outlook(&(*before - *start), state), self.outlook(&(*now - *start), state));
        let needed = work.saturating_sub(before.warp_instructions) as f64;
        let part = needed / (now.warp_instructions - before.warp_instructions).max(1) as f64;
        let between = |from: f64, to: f64| from + part.min(1.0) * (to - from);
        Outlook { energy: between(from.energy, to.energy), time: between(from.time, to.time) }
    }
}

/// The least that so many warp instructions can take: every scheduler issues in every cycle, no lane works and nothing leaves
/// the SMs.
fn least(machine: &MachineConfig, warp_instructions: u64, state: PState) -> Activity {
    let rate = machine.gpu.sms * machine.sm.schedulers;
    // A cycle may begin at once.
    let cycles = (warp_instructions / rate as u64).saturating_sub(1);
    Activity {
        time: (cycles as f64 / f64::from(state.mhz) * 1e9) as Time,
        sm_cycles: cycles * machine.gpu.sms as u64,
        warp_instructions,
        ..Activity::default()
    }
}
