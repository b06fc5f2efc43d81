//! Predictors: from the counters of an interval to its run time at another frequency.

mod crisp;
mod crisp_light;
mod crisp_plus;
mod linear;

use super::GoalError;
use crate::crisp::prediction::Rescale;
use crate::crisp::Reading;

/// See the module's text.
pub trait Predictor: Send + Sync {
    /// Its name in reports.
    fn name(&self) -> &'static str;

    /// Whether it reads a counter of the mechanism `rivals`; all read those of `crisp`.
    fn reads_rivals(&self) -> bool {
        false
    }

    /// Run time of the interval after the change, in cycles of before.
    fn cycles(&self, interval: &Reading, change: Rescale) -> f64;

    /// Run time of the interval after the change, over its run time before; 1 if no SM had warps.
    fn stretch(&self, interval: &Reading, change: Rescale) -> f64 {
        match interval.active_cycles {
            0 => 1.0,
            // A model may charge more memory time than there was; no run takes less than no time.
            active => (self.cycles(interval, change) / active as f64).max(0.0),
        }
    }
}

/// Every predictor, CRISP first.
pub static ALL: [&dyn Predictor; 7] = [
    &crisp::Crisp,
    &crisp_plus::CrispPlus,
    &crisp_light::CrispLight,
    &linear::LEAD,
    &linear::CRIT,
    &linear::MISS,
    &linear::STALL,
];

/// The predictor of that name.
pub fn named(name: &str) -> Option<&'static dyn Predictor> {
    ALL.into_iter().find(|predictor| predictor.name() == name)
}

/// The predictor of that name; else which ones there are.
pub(super) fn known(name: &str) -> Result<&'static dyn Predictor, GoalError> {
    let names = || ALL.iter().map(|known| known.name());
    named(name).ok_or_else(|| GoalError::unknown("predictor", name, names()))
}
