//! Brings the leading one of a sum to the leftmost bit, as far as the exponent allows.
//!
//! The second half of normalisation: shifts left by 0 to 15. Integers pass. Combinational.

use super::normalise_coarse::WINDOW;
use super::Unit;

crate::io! {
    /// Inputs of [`NormaliseFine`].
    pub struct In {
        /// The window is a float's; else an integer's.
        float: bool, 1;
        /// The leftmost bits of the sum.
        window: u64, WINDOW;
        /// They are inverted.
        negative: bool, 1;
        /// By how much they may be shifted before the result is subnormal.
        room: u16, 9;
    }
}

crate::io! {
    /// Outputs of [`NormaliseFine`].
    pub struct Out {
        /// The window after the shift.
        shifted: u64, WINDOW, from [float, window, negative, room];
        /// By how much it might still be shifted.
        room_left: u16, 9, from [float, window, room];
    }
}

/// A leading-zero counter of 15 bits and a left shifter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NormaliseFine;

impl Unit for NormaliseFine {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        let &In { float, window, negative, room } = inputs;
        let leading_zeros = window.leading_zeros() as u16 - (64 - WINDOW as u16);
        let shift = if float { leading_zeros.min(15).min(room) } else { 0 };
        let ones = if negative { (1 << shift) - 1 } else { 0 };
        let shifted = (window << shift | ones) & ((1 << WINDOW) - 1);
        Out { shifted, room_left: room - shift }
    }

    fn tick(&mut self) {}

    fn reset(&mut self) {}
}
