//! Ours: believes its predictor, but not at once, and does not ask more often than it has to.
//!
//! The first interval finds caches cold and decides nothing. From then on this policy averages what P-states are
//! predicted to take over the last intervals, about [`MEMORY`] of them, because intervals differ even where a kernel does
//! not. A slower P-state is chosen only if it is worth its while ([`WORTH`]): what looks equal at the top is not, for a
//! predictor that errs there costs more than it can gain. While its choice stands, it rests twice as long each time,
//! for up to [`LONGEST`] intervals: a decision costs time, and long intervals are more alike than short ones.

use super::{Goal, Interval, Policy};
use crate::dvfs::objective::Outlook;
use crate::dvfs::PState;

/// Intervals that the past counts for, at most.
const MEMORY: f64 = 2.0;
/// Share of its cost that each step down must promise to save.
const WORTH: f64 = 0.01;
/// Intervals between two decisions, at most.
const LONGEST: u32 = 4;

/// See the module's text.
#[derive(Default)]
pub struct Steady {
    /// Whether the first interval is over.
    warm: bool,
    /// What every P-state takes, averaged over intervals, in any units.
    outlooks: Vec<(PState, Outlook)>,
    /// Intervals that the average stands for.
    weight: f64,
    /// Intervals until the next decision, once there has been one.
    rest: Option<u32>,
}

impl Policy for Steady {
    fn next(&mut self, goal: &Goal, interval: &Interval) -> PState {
        let at = interval.at;
        if interval.did.warp_instructions == 0 || !std::mem::replace(&mut self.warm, true) {
            return at;
        }
        let length = f64::from(self.rest());
        let past = self.weight / (self.weight + length);
        self.weight = (self.weight + length).min(MEMORY);
        let mut outlooks = relative(goal.outlooks(interval), at);
        let before = relative(std::mem::take(&mut self.outlooks), at);
        for ((_, now), (_, before)) in outlooks.iter_mut().zip(before) {
            now.energy = (1.0 - past) * now.energy + past * before.energy;
            now.time = (1.0 - past) * now.time + past * before.time;
        }
        let next = worthwhile(&goal.costs(&outlooks)).unwrap_or(at);
        self.outlooks = outlooks;
        self.rest = Some(if next == at { (2 * self.rest()).min(LONGEST) } else { 1 });
        next
    }

    fn rest(&self) -> u32 {
        self.rest.unwrap_or(1)
    }
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

/// Outlooks in units of that at one P-state.
fn relative(mut outlooks: Vec<(PState, Outlook)>, at: PState) -> Vec<(PState, Outlook)> {
    if let Some(&(_, unit)) = outlooks.iter().find(|(state, _)| *state == at) {
        for (_, outlook) in &mut outlooks {
            outlook.energy /= unit.energy;
            outlook.time /= unit.time;
        }
    }
    outlooks
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
    fn the_first_interval_decides_nothing() {
        assert_eq!(visited("crisp", "edp", &[99; 2]), [(700, 1), (100, 1)]);
    }

    #[test]
    fn it_rests_while_its_choice_stands_and_is_awake_when_it_moves() {
        let mut stalls = [99; 16];
        stalls[6..].fill(0);
        let rests = visited("stall", "edp", &stalls);
        assert_eq!(rests[..6], [(700, 1), (100, 1), (100, 2), (100, 4), (100, 4), (100, 4)]);
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
