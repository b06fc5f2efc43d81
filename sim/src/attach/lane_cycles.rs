//! What the lanes of a pipeline did with their cycles, and what that saves.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Lane-cycles by what the lanes did; their sum is lanes times cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaneCycles {
    /// On, with an instruction in the pipe.
    pub busy: u64,
    /// On, with nothing to do.
    pub idle: u64,
    /// Gated, switching energy not yet earned back.
    pub uncompensated: u64,
    /// Gated and saving.
    pub compensated: u64,
    /// Coming back.
    pub waking: u64,
    /// How often a lane was gated.
    pub gating_events: u64,
}

impl LaneCycles {
    /// Lanes times cycles.
    pub fn total(&self) -> u64 {
        self.busy + self.idle + self.gated() + self.waking
    }

    /// Lane-cycles without supply.
    pub fn gated(&self) -> u64 {
        self.uncompensated + self.compensated
    }

    /// Lane-cycles of leakage that are saved once every switch has cost its `break_even`.
    pub fn saved(&self, break_even: u8) -> f64 {
        self.gated() as f64 - self.overhead(break_even)
    }

    /// Lane-cycles of leakage that the switches cost.
    pub fn overhead(&self, break_even: u8) -> f64 {
        self.gating_events as f64 * f64::from(break_even)
    }
}

impl AddAssign for LaneCycles {
    fn add_assign(&mut self, other: LaneCycles) {
        self.busy += other.busy;
        self.idle += other.idle;
        self.uncompensated += other.uncompensated;
        self.compensated += other.compensated;
        self.waking += other.waking;
        self.gating_events += other.gating_events;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_that_does_not_pay_is_a_loss() {
        let one = LaneCycles { busy: 80, uncompensated: 5, gating_events: 1, ..Default::default() };
        assert_eq!((one.total(), one.saved(14)), (85, -9.0));
        let mut two = one;
        two += LaneCycles { compensated: 20, uncompensated: 14, gating_events: 1, ..one };
        assert_eq!((two.total(), two.saved(14)), (199, 11.0));
        assert_eq!(LaneCycles { idle: 9, ..Default::default() }.saved(14), 0.0);
    }
}
