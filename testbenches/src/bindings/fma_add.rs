//! `fma_add`: sums and differences as operations make them.

use lanewise_sim::units::fma_add::{FmaAdd, In, Out};

use super::passages::passage;
use crate::contract::Binding;
use crate::stimulus::Source;

/// The block and how to try it.
pub fn binding() -> Binding<In, Out> {
    Binding::of::<FmaAdd>("fma_add", stimulus)
}

fn stimulus() -> Source<In> {
    Box::new(|g| passage(g).add)
}
