//! Brings the leading one of a sum into the leftmost sixteen bits, as far as the exponent allows.
//!
//! Shifts left by a multiple of 16 and keeps the leftmost 42 bits; of the rest a sticky bit remains. An
//! inverted sum has ones shifted in, so that it stays one less than what is meant. An integer comes out
//! in the low word of the window. Combinational.

use super::wide::{join, Wide, BITS, HALF, MASK};
use super::Unit;

/// Bits that are kept: 24 and a rounding bit after up to 15 more shifts, and a word for integers.
pub const WINDOW: usize = 42;

crate::io! {
    /// Inputs of [`NormaliseCoarse`].
    pub struct In {
        /// The sum is a float's; else an integer's.
        float: bool, 1;
        /// The sum, inverted if it is negative.
        magnitude: Wide, HALF;
        /// It is inverted.
        negative: bool, 1;
        /// There was more below it.
        sticky: bool, 1;
        /// By how much it may be shifted before it is subnormal.
        room: u16, 9;
    }
}

crate::io! {
    /// Outputs of [`NormaliseCoarse`].
    pub struct Out {
        /// The leftmost bits after the shift.
        window: u64, WINDOW, from [float, magnitude, negative, room];
        /// There is more below them.
        inexact: bool, 1, from [float, magnitude, negative, sticky, room];
        /// By how much it may still be shifted; means nothing for an integer.
        room_left: u16, 9, from [float, magnitude, room];
        /// The sum is exactly zero.
        zero: bool, 1, from [magnitude, sticky];
    }
}

/// A five-way multiplexer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NormaliseCoarse;

impl Unit for NormaliseCoarse {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        let &In { float, magnitude, negative, sticky, room } = inputs;
        let magnitude = join(magnitude);
        let leading_zeros = magnitude.leading_zeros() as usize - (128 - BITS);
        let steps = (leading_zeros / 16).min(4).min(usize::from(room) / 16);
        let shift = if float { 16 * steps } else { 32 };
        let ones_below = |count: usize| if negative { (1u128 << count) - 1 } else { 0 };
        let shifted = (magnitude << shift | ones_below(shift)) & MASK;
        let below = BITS - WINDOW;
        let rest = shifted & ((1 << below) - 1);
        Out {
            window: (shifted >> below) as u64,
            inexact: sticky || rest != ones_below(below),
            room_left: room.wrapping_sub(shift as u16) & 0x1ff,
            zero: magnitude == 0 && !sticky,
        }
    }

    fn tick(&mut self) {}

    fn reset(&mut self) {}
}
