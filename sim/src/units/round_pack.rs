//! Rounds a normalised sum to the nearest single, ties to even, and packs it; integers pass.
//!
//! An inverted sum is one less than what is meant, far below its last bit: if all bits below the window
//! and within it below the rounding bit are ones, the one carries into the rounding bit. Combinational.

use super::normalise_coarse::WINDOW;
use super::simt_lane::{Subnormals, NAN};
use super::Unit;

crate::io! {
    /// Inputs of [`RoundPack`].
    pub struct In {
        /// The window is a float's; else an integer's, in the low word.
        float: bool, 1;
        /// The sum: 24 bits of significand, a rounding bit, and the rest.
        window: u64, WINDOW;
        /// There is more below it.
        inexact: bool, 1;
        /// It is inverted.
        negative: bool, 1;
        /// Biased exponent, less one; 0 for a subnormal.
        room: u16, 9;
        /// Sign of the result.
        sign: bool, 1;
        /// The result is not a number.
        nan: bool, 1;
        /// The result is infinite.
        infinite: bool, 1;
    }
}

crate::io! {
    /// Outputs of [`RoundPack`].
    pub struct Out {
        /// The result.
        result: u32, 32, from [float, window, inexact, negative, room, sign, nan, infinite];
    }
}

/// An incrementer and the special results.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoundPack {
    subnormals: Subnormals,
}

impl RoundPack {
    /// One that treats subnormal results in this way.
    pub fn new(subnormals: Subnormals) -> Self {
        Self { subnormals }
    }
}

impl Unit for RoundPack {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        let &In { float, window, inexact, negative, room, sign, nan, infinite } = inputs;
        if !float {
            return Out { result: window as u32 };
        }
        let infinity = f32::INFINITY.to_bits();
        let magnitude = match (nan, infinite) {
            (true, _) => return Out { result: NAN },
            (false, true) => infinity,
            (false, false) => {
                // In units of 2^-19 of the last place: 18 bits below it in the window, one for what
                // is below the window.
                let meant = match (negative, inexact) {
                    (true, false) => (window << 1) + 2,
                    (_, inexact) => window << 1 | u64::from(inexact),
                };
                let (kept, rest) = (meant >> 19, meant & 0x7_ffff);
                let up = rest > 0x4_0000 || rest == 0x4_0000 && kept & 1 != 0;
                let hidden = window >> (WINDOW - 1) & 1 != 0;
                let exponent = if hidden { u64::from(room) + 1 } else { 0 };
                // The hidden bit is that of the exponent; a carry out of the fraction raises it.
                let fraction = kept - if hidden { 1 << 23 } else { 0 };
                let packed = (exponent << 23) + fraction + u64::from(up);
                packed.min(u64::from(infinity)) as u32
            }
        };
        let packed = self.subnormals.pass(magnitude);
        Out { result: u32::from(sign) << 31 | packed }
    }

    fn tick(&mut self) {}

    fn reset(&mut self) {}
}
