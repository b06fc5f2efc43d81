//! Policies: which P-state comes after an interval.

mod predict;
mod track;

pub use predict::Predict;
pub use track::Track;

use super::objective::Outlook;
use super::{Activity, DvfsConfig, Objective, PState, Power, Predictor};
use crate::crisp::Reading;

/// What a controller wants, and what it knows of the machine.
#[derive(Clone)]
pub struct Goal {
    /// P-states and bounds.
    pub config: DvfsConfig,
    /// What P-states cost.
    pub power: Power,
    /// How it foresees run time.
    pub predictor: &'static dyn Predictor,
    /// What it wants least of.
    pub objective: &'static dyn Objective,
}

impl Goal {
    /// The fastest P-state.
    pub fn fastest(&self) -> PState {
        self.config.pstate(self.config.highest_mhz)
    }

    /// The P-state whose outlook costs least; the faster one of equals.
    fn best(&self, outlook: impl Fn(PState) -> Outlook) -> PState {
        let limit = outlook(self.fastest()).time;
        let cost = |then: &PState| self.objective.cost(outlook(*then), limit, &self.config);
        let states = self.config.pstates();
        let best = states.iter().copied().min_by(|a, b| cost(a).total_cmp(&cost(b)));
        best.unwrap_or(self.fastest())
    }
}

/// An interval as it was.
#[derive(Clone, Copy, Debug)]
pub struct Interval {
    /// Where it ran.
    pub at: PState,
    /// What was counted, summed over SMs.
    pub counted: Reading,
    /// What was done.
    pub did: Activity,
}

/// See the module's text.
pub trait Policy: Send {
    /// The P-state for the interval after this one.
    fn next(&mut self, goal: &Goal, interval: &Interval) -> PState;
}

/// The policy of that name: `predict` or `track`.
pub fn named(name: &str) -> Option<Box<dyn Policy>> {
    match name {
        "predict" => Some(Box::new(Predict)),
        "track" => Some(Box::<Track>::default()),
        _ => None,
    }
}
