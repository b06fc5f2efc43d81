//! Ours: believes its predictor, but not at once.
//!
//! Intervals differ, and the first finds caches cold. This policy averages what P-states are predicted to take with
//! what it thought before, and goes down at most two P-states at a time, also after the first interval.
//! Upwards nothing but the average holds it back, for being too slow costs more than being too fast.

use super::{Goal, Interval, Policy};
use crate::dvfs::objective::Outlook;
use crate::dvfs::PState;

/// Share of what it thought before.
const MEMORY: f64 = 0.5;
/// P-states down at a time.
const STEPS_DOWN: u32 = 2;

/// See the module's text.
#[derive(Default)]
pub struct Steady {
    /// What every P-state takes, averaged over intervals, in any units.
    outlooks: Vec<(PState, Outlook)>,
}

impl Policy for Steady {
    fn next(&mut self, goal: &Goal, interval: &Interval) -> PState {
        let at = interval.at;
        if interval.did.warp_instructions == 0 {
            return at;
        }
        let mut outlooks = relative(goal.outlooks(interval), at);
        let before = relative(std::mem::take(&mut self.outlooks), at);
        for ((_, now), (_, before)) in outlooks.iter_mut().zip(before) {
            now.energy = (1.0 - MEMORY) * now.energy + MEMORY * before.energy;
            now.time = (1.0 - MEMORY) * now.time + MEMORY * before.time;
        }
        let least_mhz = at.mhz.saturating_sub(STEPS_DOWN * goal.config.step_mhz);
        let next = goal.cheapest(&outlooks, least_mhz);
        self.outlooks = outlooks;
        next
    }
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
            stall: cycles * stalls / 100,
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

    /// The clocks that a policy visits from the fastest P-state through intervals with these stalls.
    fn visited(predictor: &str, objective: &str, stalls: &[u64]) -> Vec<u32> {
        let goal = goal(predictor, objective);
        let mut steady = Steady::default();
        let mut at = goal.config.fastest();
        let mut next = |stalls: &u64| {
            at = steady.next(&goal, &interval(at, *stalls));
            at.mhz
        };
        stalls.iter().map(&mut next).collect()
    }

    #[test]
    fn it_goes_down_two_states_at_a_time() {
        assert_eq!(visited("crisp", "edp", &[99; 4]), [500, 300, 100, 100]);
    }

    #[test]
    fn one_odd_interval_does_not_move_it() {
        assert!(visited("stall", "edp", &[70])[0] < 700, "believed at once, it goes down");
        assert_eq!(visited("stall", "edp", &[0, 0, 0, 70]), [700; 4]);
    }

    #[test]
    fn one_interval_that_breaks_the_bound_does_not_bar_a_state_for_ever() {
        let mut stalls = [99; 12];
        stalls[0] = 0;
        let clocks = visited("stall", "energy", &stalls);
        assert_eq!(clocks[0], 700);
        assert!(clocks[11] < 700, "{clocks:?}");
    }
}
