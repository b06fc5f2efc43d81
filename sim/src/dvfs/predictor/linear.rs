//! STALL, MISS, LEAD and CRIT: all but the memory time stretches with the clock (section 2.1).

use super::Predictor;
use crate::crisp::prediction::{linear_time, Rescale};
use crate::crisp::Reading;

/// A model that knows memory time only.
pub struct Linear {
    name: &'static str,
    memory: fn(&Reading) -> u64,
}

/// Cycles lost to loads.
pub const STALL: Linear = Linear { name: "stall", memory: |reading| reading.stall };
/// Misses that no other hides, times a fixed latency.
pub const MISS: Linear = Linear { name: "miss", memory: |reading| reading.miss };
/// Cycles that a leading load is outstanding.
pub const LEAD: Linear = Linear { name: "lead", memory: |reading| reading.lead };
/// The longest chain of dependent misses.
pub const CRIT: Linear = Linear { name: "crit", memory: |reading| reading.crit };

impl Predictor for Linear {
    fn name(&self) -> &'static str {
        self.name
    }

    fn reads_rivals(&self) -> bool {
        true
    }

    fn cycles(&self, interval: &Reading, change: Rescale) -> f64 {
        linear_time(interval.active_cycles, (self.memory)(interval), change)
    }
}
