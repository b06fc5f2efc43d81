//! `normalise_fine`: windows as operations make them.

use lanewise_sim::units::normalise_fine::{In, NormaliseFine, Out};

use super::passages::passage;
use crate::contract::Binding;
use crate::stimulus::Source;

/// The block and how to try it.
pub fn binding() -> Binding<In, Out> {
    Binding::of::<NormaliseFine>("normalise_fine", stimulus)
}

fn stimulus() -> Source<In> {
    Box::new(|g| passage(g).fine)
}
