//! Ours: believes its predictor, but not at once.
//!
//! Intervals differ, and the first finds caches cold. This policy averages what P-states are predicted to cost with
//! what it thought before, and goes down at most two P-states at a time; up it goes at once, for being too
//! slow costs more than being too fast.

use super::{Goal, Interval, Policy};
use crate::dvfs::PState;

/// Share of what it thought before.
const MEMORY: f64 = 0.5;
/// P-states down at a time.
const STEPS_DOWN: u32 = 2;

/// See the module's text.
#[derive(Default)]
pub struct Steady {
    /// What every P-state costs, averaged over intervals, in any unit.
    costs: Vec<(PState, f64)>,
}

impl Policy for Steady {
    fn next(&mut self, goal: &Goal, interval: &Interval) -> PState {
        let at = interval.at;
        if interval.did.warp_instructions == 0 {
            return at;
        }
        let mut costs = relative(goal.costs(interval), at);
        let before = relative(std::mem::take(&mut self.costs), at);
        for ((_, cost), (_, before)) in costs.iter_mut().zip(before) {
            *cost = (1.0 - MEMORY) * *cost + MEMORY * before;
        }
        let least_mhz = at.mhz.saturating_sub(STEPS_DOWN * goal.config.step_mhz);
        let next = goal.cheapest(&costs, least_mhz);
        self.costs = costs;
        next
    }
}

/// Costs in units of that at one P-state; nothing is known if that one must not be.
fn relative(mut costs: Vec<(PState, f64)>, at: PState) -> Vec<(PState, f64)> {
    let unit = costs.iter().find(|(state, _)| *state == at).map_or(1.0, |(_, cost)| *cost);
    if !unit.is_finite() {
        return vec![];
    }
    costs.iter_mut().for_each(|(_, cost)| *cost /= unit);
    costs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crisp::Reading;
    use crate::dvfs::policy::tests::goal;
    use crate::dvfs::Activity;

    /// Ten microseconds at a clock in which so many of 100 cycles stall.
    fn interval(at: PState, stalls: u64) -> Interval {
        let cycles = u64::from(at.mhz) * 150;
        let counted = Reading {
            cycles,
            t_lcp: cycles,
            load_stalls: cycles * stalls / 100,
            ..Reading::default()
        };
        let warp_instructions = cycles * (100 - stalls) / 100;
        let did = Activity {
            time: 10_000_000_000,
            sm_cycles: cycles,
            warp_instructions,
            thread_instructions: 32 * warp_instructions,
            ..Activity::default()
        };
        Interval { at, counted, did }
    }

    #[test]
    fn it_goes_down_two_states_at_a_time() {
        let goal = goal("crisp", "edp");
        let mut steady = Steady::default();
        let mut at = goal.config.fastest();
        let mut visited = vec![];
        for _ in 0..4 {
            at = steady.next(&goal, &interval(at, 99));
            visited.push(at.mhz);
        }
        assert_eq!(visited, [500, 300, 100, 100]);
    }

    #[test]
    fn one_odd_interval_does_not_move_it() {
        let goal = goal("stall", "edp");
        let fastest = goal.config.fastest();
        let mut steady = Steady::default();
        for _ in 0..4 {
            assert_eq!(steady.next(&goal, &interval(fastest, 0)), fastest);
        }
        let mut predicted = interval(fastest, 60);
        predicted.counted.stall = predicted.counted.load_stalls;
        let alone = goal.cheapest(&goal.costs(&predicted), 0);
        assert!(alone.mhz < 700, "believed at once it would be slower: {alone:?}");
        assert_eq!(steady.next(&goal, &predicted), fastest);
    }

    #[test]
    fn a_state_that_breaks_the_bound_is_left_and_forgotten() {
        let goal = goal("crisp", "energy");
        let slow = goal.config.pstate(300);
        let mut steady = Steady::default();
        // Half of the path is computation: above 350 MHz it is hidden.
        let next = steady.next(&goal, &interval(slow, 0));
        assert!(next.mhz >= slow.mhz, "{next:?}");
        assert!(steady.costs.iter().all(|(_, cost)| !cost.is_nan()));
    }
}
