//! `float_unpack`: floats of every kind.

use lanewise_sim::units::float_unpack::{FloatUnpack, In, Out};

use crate::contract::Binding;
use crate::operands::float;
use crate::stimulus::Source;

/// The block and how to try it.
pub fn binding() -> Binding<In, Out> {
    Binding::of::<FloatUnpack>("float_unpack", stimulus)
}

fn stimulus() -> Source<In> {
    Box::new(|g| In { word: float(g) })
}
