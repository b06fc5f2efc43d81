//! `normalise_coarse`: sums as operations make them, cancelled ones among them.

use lanewise_sim::units::normalise_coarse::{In, NormaliseCoarse, Out};

use super::passages::passage;
use crate::contract::Binding;
use crate::stimulus::Source;

/// The block and how to try it.
pub fn binding() -> Binding<In, Out> {
    Binding::of::<NormaliseCoarse>("normalise_coarse", stimulus)
}

fn stimulus() -> Source<In> {
    Box::new(|g| passage(g).coarse)
}
