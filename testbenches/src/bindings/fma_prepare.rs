//! `fma_prepare`: operands with every special case and distance.

use lanewise_sim::units::fma_prepare::{FmaPrepare, In, Out};

use super::passages::passage;
use crate::contract::Binding;
use crate::stimulus::Source;

/// The block and how to try it.
pub fn binding() -> Binding<In, Out> {
    Binding::of::<FmaPrepare>("fma_prepare", stimulus)
}

fn stimulus() -> Source<In> {
    Box::new(|g| passage(g).prepare)
}
