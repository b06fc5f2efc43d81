//! Ours: believes its predictor, but not at once, knows kernels again, and does not ask more often than it has to.
//!
//! - *Averages.* What P-states are predicted to take is averaged over the last intervals of a kernel, about [`MEMORY`] of
//!   them, because intervals differ even where a kernel does not.
//! - *Kernels.* Each has an average of its own, by its name. When a launch starts, so does an interval, unless the last one has
//!   just begun; and a kernel that has run before gets its own P-state at once. An interval is taken for that of the kernel
//!   that ran at its end.
//! - *Cold.* The first interval finds caches cold, as none does later. It goes half of the way to the P-state that is
//!   predicted, rounded to the slower; the average does not have it.
//! - *Worth.* A slower P-state is chosen only if it is worth its while ([`WORTH`]): what looks equal at the top is not, for a
//!   predictor that errs there costs more than it can gain.
//! - *Rest.* While its choice stands, it rests twice as long each time, for up to [`LONGEST`] intervals: a decision costs
//!   time, and long intervals are more alike than short ones.

use super::{Goal, Interval, Policy};
use crate::dvfs::objective::Outlook;
use crate::dvfs::PState;
use std::collections::HashMap;

/// Intervals that the past counts for, at most.
const MEMORY: f64 = 2.0;
/// Share of its cost that each step down must promise to save.
const WORTH: f64 = 0.01;
/// Intervals between two decisions, at most.
const LONGEST: u32 = 4;

/// What is known of a kernel.
#[derive(Default)]
struct Memory {
    /// What every P-state takes, averaged over intervals, in any units.
    outlooks: Vec<(PState, Outlook)>,
    /// Intervals that the average stands for.
    weight: f64,
}

impl Memory {
    /// Takes in what so many intervals at a P-state say.
    fn learn(&mut self, mut outlooks: Vec<(PState, Outlook)>, at: PState, intervals: f64) {
        let past = self.weight / (self.weight + intervals);
        self.weight = (self.weight + intervals).min(MEMORY);
        measure_by(at, &mut outlooks);
        measure_by(at, &mut self.outlooks);
        for ((_, now), (_, before)) in outlooks.iter_mut().zip(&self.outlooks) {
            now.energy = (1.0 - past) * now.energy + past * before.energy;
            now.time = (1.0 - past) * now.time + past * before.time;
        }
        self.outlooks = outlooks;
    }
}

/// See the module's text.
#[derive(Default)]
pub struct Steady {
    /// Whether the first interval is over.
    warm: bool,
    kernels: HashMap<String, Memory>,
    /// Intervals until the next decision, once there has been one.
    rest: Option<u32>,
}

impl Policy for Steady {
    fn next(&mut self, goal: &Goal, interval: &Interval) -> PState {
        let Interval { at, did, ran, coming, .. } = *interval;
        let outlooks = goal.outlooks(interval);
        if !std::mem::replace(&mut self.warm, true) {
            return worthwhile(&goal.costs(&outlooks)).map_or(at, |to| half_way(goal, at, to));
        }
        let intervals = did.seconds() * 1e6 / goal.config.interval_us;
        let memory = self.kernels.entry(ran.into()).or_default();
        memory.learn(outlooks, at, intervals);
        // A kernel that is new begins where the last one was.
        let Some(known) = self.kernels.get(coming).or_else(|| self.kernels.get(ran)) else {
            return at;
        };
        let next = worthwhile(&goal.costs(&known.outlooks)).unwrap_or(at);
        let stands = next == at && ran == coming;
        self.rest = Some(if stands { (2 * self.rest()).min(LONGEST) } else { 1 });
        next
    }

    fn minds_launches(&self) -> bool {
        true
    }

    fn rest(&self) -> u32 {
        self.rest.unwrap_or(1)
    }
}

/// The fastest P-state that is no faster than the mean of two.
fn half_way(goal: &Goal, from: PState, to: PState) -> PState {
    let mean = (from.mhz + to.mhz) / 2;
    goal.config.pstates().into_iter().find(|state| state.mhz <= mean).unwrap_or(to)
}

/// The P-state that costs least, if it costs clearly less than faster ones; `costs` has the fastest first.
fn worthwhile(costs: &[(PState, f64)]) -> Option<PState> {
    let mut states = costs.iter().zip(0..);
    let mut best = states.next()?;
    for (next, step) in states {
        let steps = f64::from(step - best.1);
        if next.1 < best.0 .1 * (1.0 - WORTH * steps) {
            best = (next, step);
        }
    }
    Some(best.0 .0)
}

/// Measures outlooks in units of that at one P-state.
fn measure_by(at: PState, outlooks: &mut [(PState, Outlook)]) {
    if let Some(&(_, unit)) = outlooks.iter().find(|(state, _)| *state == at) {
        for (_, outlook) in outlooks {
            outlook.energy /= unit.energy;
            outlook.time /= unit.time;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dvfs::policy::tests::{goal, interval};

    /// The clocks that a policy visits from the fastest P-state through intervals with these stalls, and how long it
    /// rests at each.
    fn visited(predictor: &str, objective: &str, stalls: &[u64]) -> Vec<(u32, u32)> {
        let goal = goal(predictor, objective);
        let mut steady = Steady::default();
        let mut at = goal.config.fastest();
        let mut next = |stalls: &u64| {
            at = steady.next(&goal, &interval(at, *stalls));
            (at.mhz, steady.rest())
        };
        stalls.iter().map(&mut next).collect()
    }

    #[test]
    fn the_first_interval_goes_half_of_the_way_and_is_forgotten() {
        assert_eq!(visited("crisp", "edp", &[99; 2]), [(400, 1), (100, 1)]);
        assert_eq!(visited("stall", "edp", &[99, 0])[1].0, 700);
    }

    #[test]
    fn half_way_is_rounded_to_the_slower_state() {
        let goal = goal("crisp", "edp");
        let state = |mhz| goal.config.pstate(mhz);
        let half = |from, to| half_way(&goal, state(from), state(to)).mhz;
        assert_eq!([half(700, 700), half(700, 600), half(700, 500)], [700, 600, 600]);
        assert_eq!([half(700, 400), half(700, 100)], [500, 400]);
    }

    #[test]
    fn a_kernel_that_comes_back_gets_its_own_state_at_once() {
        let goal = goal("crisp", "edp");
        let mut steady = Steady::default();
        assert!(steady.minds_launches());
        let mut at = goal.config.fastest();
        let mut next = |ran: &'static str, coming: &'static str| {
            let stalls = if ran == "waits" { 99 } else { 0 };
            at = steady.next(&goal, &Interval { ran, coming, ..interval(at, stalls) });
            (at.mhz, steady.rest())
        };
        next("computes", "computes");
        let visits = [
            ("computes", "computes"),
            ("computes", "waits"),
            ("waits", "waits"),
            ("waits", "computes"),
            ("computes", "waits"),
        ];
        let found = visits.map(|(ran, coming)| next(ran, coming));
        // A new one begins where the last one was; whoever is known does not.
        assert_eq!(found, [(700, 2), (700, 1), (100, 1), (700, 1), (100, 1)]);
    }

    #[test]
    fn it_rests_while_its_choice_stands_and_is_awake_when_it_moves() {
        let mut stalls = [99; 16];
        stalls[6..].fill(0);
        let rests = visited("stall", "edp", &stalls);
        assert_eq!(rests[..6], [(400, 1), (100, 1), (100, 2), (100, 4), (100, 4), (100, 4)]);
        let moved = rests[6..].iter().find(|(mhz, _)| *mhz > 100);
        assert_eq!(moved.map(|(_, rest)| *rest), Some(1), "{rests:?}");
    }

    #[test]
    fn one_odd_interval_does_not_move_it() {
        assert!(visited("stall", "edp", &[0, 70])[1].0 < 700, "believed at once, it goes down");
        assert!(visited("stall", "edp", &[0, 0, 0, 0, 0, 70]).iter().all(|(mhz, _)| *mhz == 700));
    }

    #[test]
    fn a_slower_state_must_be_worth_its_while() {
        let states = goal("crisp", "edp").config.pstates();
        let chosen = |costs: &[f64]| {
            let costs: Vec<_> = states.iter().copied().zip(costs.iter().copied()).collect();
            worthwhile(&costs).map(|state| state.mhz)
        };
        assert_eq!(chosen(&[1.0, 0.995, 0.985]), Some(700), "half a percent a step is too little");
        assert_eq!(chosen(&[1.0, 0.995, 0.975]), Some(500), "more than one is enough, also of two");
        assert_eq!(chosen(&[1.0, 0.98, 0.975, f64::INFINITY]), Some(600));
        assert_eq!(chosen(&[]), None);
    }

    #[test]
    fn one_interval_that_breaks_the_bound_does_not_bar_a_state_for_ever() {
        let mut stalls = [99; 20];
        (stalls[0], stalls[1]) = (0, 0);
        let clocks = visited("stall", "energy", &stalls);
        assert_eq!(clocks[1].0, 700);
        assert!(clocks[19].0 < 700, "{clocks:?}");
    }
}
