//! Ours: believes its predictor, and takes back a step that did not pay.
//!
//! CRISP goes too low where it takes all computation for hidden, and then sees no reason to come back: upwards it
//! takes the load critical path for fixed. This policy compares what a warp instruction cost before and after a
//! step. If it costs more, it goes back, and for some intervals not that far again; for twice as many each time.
//! The first interval of all, when caches are cold, decides nothing. When memory traffic an
//! instruction changes, another phase has begun, and nothing of the last one counts.

use super::{Goal, Interval, Policy};
use crate::dvfs::objective::Outlook;
use crate::dvfs::{Activity, PState};

/// Accesses to the L2 an instruction may change by this factor within a phase.
const LIKENESS: f64 = 1.5;
/// A step has not paid if an instruction costs more by this factor: intervals are never quite alike.
const WORSE: f64 = 1.01;
/// Intervals for which a step is not repeated the first time, and the most.
const HOLDS: [usize; 2] = [8, 64];

/// See the module's text.
#[derive(Default)]
pub struct Undo {
    /// The interval before this one.
    last: Option<Interval>,
    /// What is too slow, for how many intervals more.
    too_slow: Option<(PState, usize)>,
    /// For how many intervals the next step that does not pay is not repeated.
    hold: usize,
}

impl Policy for Undo {
    fn next(&mut self, goal: &Goal, interval: &Interval) -> PState {
        if interval.did.warp_instructions == 0 {
            return interval.at;
        }
        let Some(last) = self.last.replace(*interval) else { return goal.config.fastest() };
        self.too_slow =
            self.too_slow.filter(|(_, left)| *left > 1).map(|(at, left)| (at, left - 1));
        if !alike(&last.did, &interval.did) {
            *self = Undo { last: self.last, ..Undo::default() };
        } else if interval.at.mhz < last.at.mhz
            && cost(goal, &last, interval) > WORSE * cost(goal, &last, &last)
        {
            self.hold = (2 * self.hold).clamp(HOLDS[0], HOLDS[1]);
            self.too_slow = Some((interval.at, self.hold));
            return last.at;
        }
        let least_mhz = self.too_slow.map_or(0, |(state, _)| state.mhz + 1);
        goal.cheapest(&goal.outlooks(interval), least_mhz)
    }
}

/// What a warp instruction of an interval cost, where `fast` ran faster.
fn cost(goal: &Goal, fast: &Interval, interval: &Interval) -> f64 {
    let work = |interval: &Interval| interval.did.warp_instructions as f64;
    let outlook = Outlook {
        energy: goal.power.energy(&interval.did, interval.at) / work(interval),
        time: interval.did.seconds() / work(interval),
    };
    goal.objective.cost(outlook, fast.did.seconds() / work(fast), &goal.config)
}

/// Whether two intervals are of one phase.
fn alike(one: &Activity, other: &Activity) -> bool {
    // An access in two hundred instructions is nothing, however much more than less than that.
    let traffic = |did: &Activity| did.l2_accesses as f64 / did.warp_instructions as f64 + 0.005;
    let ratio = traffic(one) / traffic(other);
    (1.0 / LIKENESS..LIKENESS).contains(&ratio)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crisp::Reading;
    use crate::dvfs::policy;

    fn goal() -> Goal {
        policy::tests::goal("crisp", "edp")
    }

    /// Ten microseconds in which this many instructions were done, half of the path stalls.
    fn interval(at: PState, warp_instructions: u64, l2_accesses: u64) -> Interval {
        let cycles = u64::from(at.mhz) * 150;
        let counted =
            Reading { cycles, t_lcp: cycles, load_stalls: cycles / 2, ..Reading::default() };
        let did = Activity {
            time: 10_000_000_000,
            sm_cycles: cycles,
            warp_instructions,
            thread_instructions: 32 * warp_instructions,
            l2_accesses,
            ..Activity::default()
        };
        Interval { at, counted, did }
    }

    /// A policy that has seen two intervals with half of the time in stalls, and where it goes.
    fn lowered(goal: &Goal) -> (Undo, PState) {
        let mut undo = Undo::default();
        let first = interval(goal.config.fastest(), 50_000, 5_000);
        assert_eq!(undo.next(goal, &first), goal.config.fastest(), "cold caches decide nothing");
        let slower = undo.next(goal, &first);
        assert!(slower.mhz < 700, "half of the time is stalls, so CRISP goes down");
        (undo, slower)
    }

    /// Nothing was hidden: less is done by the ratio of the clocks.
    fn exposed(at: PState) -> Interval {
        let done = 50_000 * u64::from(at.mhz) / 700;
        interval(at, done, done / 10)
    }

    #[test]
    fn a_step_that_does_not_pay_is_taken_back_and_not_repeated_for_a_while() {
        let goal = goal();
        let (mut undo, slower) = lowered(&goal);
        for hold in [8, 16, 32, 64, 64] {
            assert_eq!(undo.next(&goal, &exposed(slower)), goal.config.fastest());
            assert_eq!(undo.too_slow, Some((slower, hold)));
            for _ in 1..hold {
                assert!(
                    undo.next(&goal, &interval(goal.config.fastest(), 50_000, 5_000)).mhz
                        > slower.mhz
                );
            }
            assert_eq!(undo.next(&goal, &interval(goal.config.fastest(), 50_000, 5_000)), slower);
        }
    }

    #[test]
    fn a_step_that_pays_is_kept() {
        let goal = goal();
        let (mut undo, slower) = lowered(&goal);
        for _ in 0..9 {
            assert!(undo.next(&goal, &interval(slower, 50_000, 5_000)).mhz <= slower.mhz);
        }
    }

    #[test]
    fn another_phase_forgets_what_was_too_slow() {
        let goal = goal();
        let (mut undo, slower) = lowered(&goal);
        undo.next(&goal, &exposed(slower));
        assert!(undo.too_slow.is_some());
        undo.next(&goal, &interval(goal.config.fastest(), 50_000, 50_000));
        assert_eq!(undo.too_slow, None);
    }
}
