//! Adds the addend to the product, or subtracts it, and gives the magnitude of the result.
//!
//! A negative difference comes out inverted, that is one less than its magnitude; rounding makes up for
//! it, which spares a second carry chain. Combinational.

use super::product_tree::CARRY_AT;
use super::wide::{halves, join, Wide, BITS, HALF, PRODUCT_AT};
use super::Unit;

crate::io! {
    /// Inputs of [`FmaAdd`].
    pub struct In {
        /// One part of the product.
        sum: u64, 48;
        /// The other part, without its lowest columns.
        carry: u64, 42;
        /// The addend in its place.
        aligned: Wide, HALF;
        /// The addend goes on below the adder.
        sticky: bool, 1;
        /// Subtract the addend.
        subtract: bool, 1;
    }
}

crate::io! {
    /// Outputs of [`FmaAdd`].
    pub struct Out {
        /// The result, inverted if it is negative.
        magnitude: Wide, HALF, from [sum, carry, aligned, sticky, subtract];
        /// The addend was larger.
        negative: bool, 1, from [sum, carry, aligned, sticky, subtract];
    }
}

/// A carry-save row and an adder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FmaAdd;

impl Unit for FmaAdd {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        let product =
            (i128::from(inputs.sum) + (i128::from(inputs.carry) << CARRY_AT)) << PRODUCT_AT;
        let addend = join(inputs.aligned) as i128;
        // What lies below the adder makes a difference smaller by less than one.
        let total = match inputs.subtract {
            true => product - addend - i128::from(inputs.sticky),
            false => product + addend,
        };
        // The sign stands one bit above the magnitude.
        let negative = total >> BITS & 1 != 0;
        let magnitude = if negative { !total } else { total };
        Out { magnitude: halves(magnitude as u128), negative }
    }

    fn tick(&mut self) {}

    fn reset(&mut self) {}
}
