//! `barrel_shifter`: amounts around the width of a word, and any.

use lanewise_sim::units::barrel_shifter::{BarrelShifter, In, Out};

use crate::contract::Binding;
use crate::operands::word;
use crate::stimulus::Source;

/// The block and how to try it.
pub fn binding() -> Binding<In, Out> {
    Binding::of::<BarrelShifter>("barrel_shifter", stimulus)
}

fn stimulus() -> Source<In> {
    Box::new(|g| In {
        value: g.bits(32) as u32,
        amount: word(g),
        left: g.once_in(2),
        arithmetic: g.once_in(2),
    })
}
