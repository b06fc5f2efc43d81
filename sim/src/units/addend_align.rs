//! Puts the addend where it belongs in the 76-bit adder of the reference lane.
//!
//! A float's significand starts at the left end and moves right by `shift`; what falls off the right
//! end is remembered as a sticky bit. An integer stands where the product stands. Combinational.

use super::wide::{halves, Wide, BITS, HALF, PRODUCT_AT};
use super::Unit;

crate::io! {
    /// Inputs of [`AddendAlign`].
    pub struct In {
        /// It is a float's significand, in the low 24 bits; else an integer.
        float: bool, 1;
        /// The addend.
        addend: u32, 32;
        /// How far a significand moves right.
        shift: u8, 7;
    }
}

crate::io! {
    /// Outputs of [`AddendAlign`].
    pub struct Out {
        /// The addend in its place.
        aligned: Wide, HALF, from [float, addend, shift];
        /// A one fell off the right end.
        sticky: bool, 1, from [float, addend, shift];
    }
}

/// A right shifter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AddendAlign;

impl Unit for AddendAlign {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        let addend = u128::from(inputs.addend);
        if !inputs.float {
            return Out { aligned: halves(addend << PRODUCT_AT), sticky: false };
        }
        let leftmost = (addend & 0xff_ffff) << (BITS - 24);
        let aligned = leftmost >> inputs.shift;
        Out { aligned: halves(aligned), sticky: aligned << inputs.shift != leftmost }
    }

    fn tick(&mut self) {}

    fn reset(&mut self) {}
}
