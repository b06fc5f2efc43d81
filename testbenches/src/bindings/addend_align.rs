//! `addend_align`: integers, and significands at every distance.

use lanewise_sim::units::addend_align::{AddendAlign, In, Out};

use super::passages::passage;
use crate::contract::Binding;
use crate::stimulus::Source;

/// The block and how to try it.
pub fn binding() -> Binding<In, Out> {
    Binding::of::<AddendAlign>("addend_align", stimulus)
}

fn stimulus() -> Source<In> {
    Box::new(|g| passage(g).align)
}
