//! Believes its predictor: the best P-state for an interval like the last one (CRISP, section 4).

use super::{Goal, Interval, Policy};
use crate::dvfs::PState;

/// See the module's text.
pub struct Predict;

impl Policy for Predict {
    fn next(&mut self, goal: &Goal, interval: &Interval) -> PState {
        let costs = goal.costs(&goal.outlooks(interval));
        // The faster one of equals: the fastest comes first.
        let best = costs.into_iter().min_by(|a, b| a.1.total_cmp(&b.1));
        best.map_or(interval.at, |(state, _)| state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dvfs::policy::tests::{goal, interval};

    /// What a controller at 700 MHz decides after 10 us with so many load stalls in 100 cycles.
    fn decision(predictor: &str, objective: &str, load_stalls: u64) -> u32 {
        let goal = goal(predictor, objective);
        Predict.next(&goal, &interval(goal.config.fastest(), load_stalls)).mhz
    }

    #[test]
    fn a_kernel_that_waits_is_slowed_down_and_one_that_computes_is_not() {
        for objective in ["edp", "ed2p", "energy"] {
            assert_eq!(decision("crisp", objective, 0), 700, "{objective}");
            // Half the path is computation: it stays hidden down to 350 MHz.
            assert!((400..700).contains(&decision("crisp", objective, 50)), "{objective}");
            assert!(decision("crisp", objective, 90) < 400, "{objective}");
        }
    }

    #[test]
    fn stall_sees_less_to_gain() {
        assert!(decision("stall", "ed2p", 50) > decision("crisp", "ed2p", 50));
    }

    #[test]
    fn energy_keeps_to_its_bound() {
        // STALL takes half of the time for computation: the next P-state costs it 8 %, not 1 %.
        assert_eq!(decision("stall", "energy", 50), 700);
    }
}
