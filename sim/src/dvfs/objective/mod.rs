//! Objectives: what a controller wants least of.

mod ed2p;
mod edp;
mod energy;

use super::{DvfsConfig, GoalError};

/// Energy and time of an interval at some P-state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlook {
    /// Joules.
    pub energy: f64,
    /// Seconds.
    pub time: f64,
}

/// See the module's text.
pub trait Objective: Send + Sync {
    /// Its name in reports.
    fn name(&self) -> &'static str;

    /// The cost of an interval at a P-state that takes `outlook`, where the fastest takes `fastest` seconds.
    /// Grows with energy and with time.
    fn cost(&self, outlook: Outlook, fastest: f64, config: &DvfsConfig) -> f64;
}

/// Every objective.
pub static ALL: [&dyn Objective; 3] = [&edp::Edp, &ed2p::Ed2p, &energy::Energy];

/// The objective of that name.
pub fn named(name: &str) -> Option<&'static dyn Objective> {
    ALL.into_iter().find(|objective| objective.name() == name)
}

/// The objective of that name; else which ones there are.
pub(super) fn known(name: &str) -> Result<&'static dyn Objective, GoalError> {
    let names = || ALL.iter().map(|known| known.name());
    named(name).ok_or_else(|| GoalError::unknown("objective", name, names()))
}
