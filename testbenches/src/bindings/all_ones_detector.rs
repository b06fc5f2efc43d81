//! `all_ones_detector`: masks that are often full or one thread short of it.

use lanewise_sim::units::all_ones_detector::{AllOnesDetector, In, Out};

use crate::contract::Binding;
use crate::stimulus::Source;

/// The block and how to try it.
pub fn binding() -> Binding<In, Out> {
    Binding::of::<AllOnesDetector>("all_ones_detector", stimulus)
}

fn stimulus() -> Source<In> {
    Box::new(|g| In { mask: [g.mask32(), g.mask32()] })
}
