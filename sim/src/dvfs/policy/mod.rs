//! Policies: which P-state comes after an interval.

mod predict;
mod undo;

pub use predict::Predict;
pub use undo::Undo;

use super::objective::Outlook;
use super::{Activity, DvfsConfig, Objective, PState, Power, Predictor};
use crate::crisp::prediction::Rescale;
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

    /// The P-state of at least so many megahertz where the next interval, if it is like this one, is
    /// predicted to cost least; the faster one of equals.
    fn best(&self, interval: &Interval, least_mhz: u32) -> PState {
        let Interval { at, counted, did } = interval;
        let outlook = |then: PState| {
            let change = Rescale { from_mhz: at.mhz, to_mhz: then.mhz };
            let stretch = self.predictor.stretch(counted, change);
            let energy = self.power.expected(did, *at, then, stretch, self.config.energy);
            Outlook { energy, time: did.seconds() * stretch }
        };
        let fastest = outlook(self.fastest()).time;
        let cost = |then: &PState| self.objective.cost(outlook(*then), fastest, &self.config);
        let states = self.config.pstates().into_iter().filter(|state| state.mhz >= least_mhz);
        let best = states.min_by(|a, b| cost(a).total_cmp(&cost(b)));
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

/// The policy of that name: `predict` or `undo`.
pub fn named(name: &str) -> Option<Box<dyn Policy>> {
    match name {
        "predict" => Some(Box::new(Predict)),
        "undo" => Some(Box::<Undo>::default()),
        _ => None,
    }
}
