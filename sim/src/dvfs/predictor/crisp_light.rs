//! CRISP-L: every cycle with a miss outstanding lies on the load critical path (section 5.3).

use super::Predictor;
use crate::crisp::prediction::{Counters, Rescale};
use crate::crisp::Reading;

/// See the module's text.
pub struct CrispLight;

impl Predictor for CrispLight {
    fn name(&self) -> &'static str {
        "crisp-l"
    }

    fn reads_rivals(&self) -> bool {
        true
    }

    fn cycles(&self, interval: &Reading, change: Rescale) -> f64 {
        Counters { lcp: interval.light_lcp, ..interval.counters() }.parts().time(change)
    }
}
