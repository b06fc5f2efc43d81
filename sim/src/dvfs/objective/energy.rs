//! Least energy among the P-states that are hardly slower than the fastest.

use super::{Objective, Outlook};
use crate::dvfs::DvfsConfig;

/// See the module's text.
pub struct Energy;

impl Objective for Energy {
    fn name(&self) -> &'static str {
        "energy"
    }

    fn cost(&self, outlook: Outlook, fastest: f64, config: &DvfsConfig) -> f64 {
        // The bound is met exactly by the fastest P-state itself, whatever rounding does.
        if outlook.time <= fastest * (1.0 + config.slowdown_bound) {
            outlook.energy
        } else {
            f64::INFINITY
        }
    }
}
