//! Takes a single-precision number apart: sign, exponent, significand, and what kind it is.
//!
//! A subnormal has the exponent of the smallest normal numbers and no hidden bit, so that every finite
//! number is significand x 2^(exponent - 150). Combinational.

use super::Unit;

crate::io! {
    /// Inputs of [`FloatUnpack`].
    pub struct In {
        /// The number.
        word: u32, 32;
    }
}

crate::io! {
    /// Outputs of [`FloatUnpack`].
    pub struct Out {
        /// It is negative.
        sign: bool, 1, from [word];
        /// Biased exponent, at least 1.
        exponent: u8, 8, from [word];
        /// The fraction with its hidden bit.
        significand: u32, 24, from [word];
        /// It is infinite.
        infinite: bool, 1, from [word];
        /// It is not a number.
        nan: bool, 1, from [word];
    }
}

/// One operand's worth of unpacking.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FloatUnpack;

impl Unit for FloatUnpack {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        let number = f32::from_bits(inputs.word);
        let biased = (inputs.word >> 23) as u8;
        let fraction = inputs.word & 0x7f_ffff;
        Out {
            sign: number.is_sign_negative(),
            exponent: biased.max(1),
            significand: if biased == 0 { fraction } else { 1 << 23 | fraction },
            infinite: number.is_infinite(),
            nan: number.is_nan(),
        }
    }

    fn tick(&mut self) {}

    fn reset(&mut self) {}
}
