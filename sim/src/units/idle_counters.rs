//! Tells for each lane whether it has idled for at least a threshold of cycles.
//!
//! Origami, lane power gating. A lane's counter grows by one in each idle cycle, stops at
//! [`LIMIT`], and is cleared by an active cycle. Reset state: every counter 0, as if all lanes had
//! just been active.

use super::Unit;

/// Lanes of an SP.
pub const LANES: usize = 32;

/// Where a counter stops: all a 3-bit counter can hold.
pub const LIMIT: u8 = 7;

crate::io! {
    /// Inputs of [`IdleCounters`].
    pub struct In {
        /// Bit i: lane i does work in this cycle.
        active: u32, 32;
        /// Idle cycles that raise the flag; 0 raises it always.
        cfg_threshold: u8, 3;
    }
}

crate::io! {
    /// Outputs of [`IdleCounters`].
    pub struct Out {
        /// Bit i: lane i has idled for at least `cfg_threshold` cycles before this one.
        idle: u32, 32, from [cfg_threshold];
    }
}

/// One saturating counter a lane.
#[derive(Clone, Debug, Default)]
pub struct IdleCounters {
    count: [u8; LANES],
    active: u32,
}

impl Unit for IdleCounters {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        self.active = inputs.active;
        let mut idle = 0;
        for lane in 0..LANES {
            if self.count[lane] >= inputs.cfg_threshold {
                idle |= 1 << lane;
            }
        }
        Out { idle }
    }

    fn tick(&mut self) {
        for lane in 0..LANES {
            let active = self.active >> lane & 1 != 0;
            self.count[lane] = if active { 0 } else { (self.count[lane] + 1).min(LIMIT) };
        }
    }

    fn reset(&mut self) {
        self.count = [0; LANES];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_rises_after_threshold_idle_cycles_and_falls_after_work() {
        let mut counters = IdleCounters::default();
        let idle_lanes = |counters: &mut IdleCounters, active| {
            let idle = counters.eval(&In { active, cfg_threshold: 5 }).idle;
            counters.tick();
            idle
        };
        for _ in 0..5 {
            assert_eq!(idle_lanes(&mut counters, 1), 0);
        }
        assert_eq!(idle_lanes(&mut counters, 0x8000_0001), !1);
        assert_eq!(idle_lanes(&mut counters, 1), 0x7fff_fffe);
    }
}
