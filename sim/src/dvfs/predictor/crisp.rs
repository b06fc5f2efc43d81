//! CRISP: load critical path and compute/store path scale differently (sections 3.1 to 3.3, 5.2).

use super::Predictor;
use crate::crisp::prediction::Rescale;
use crate::crisp::Reading;

/// See the module's text.
pub struct Crisp;

impl Predictor for Crisp {
    fn name(&self) -> &'static str {
        "crisp"
    }

    fn cycles(&self, interval: &Reading, change: Rescale) -> f64 {
        interval.counters().parts().time(change)
    }
}
