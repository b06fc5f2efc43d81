//! Shifts a word left or right by any amount, as PTX does: amounts above 31 leave nothing or the sign.
//!
//! Part of the reference lane's [`int_unit`](super::int_unit). Combinational.

use super::Unit;

crate::io! {
    /// Inputs of [`BarrelShifter`].
    pub struct In {
        /// The word.
        value: u32, 32;
        /// Positions; all 32 bits count.
        amount: u32, 32;
        /// To the left; else to the right.
        left: bool, 1;
        /// Fill with the sign; ignored to the left.
        arithmetic: bool, 1;
    }
}

crate::io! {
    /// Outputs of [`BarrelShifter`].
    pub struct Out {
        /// The shifted word.
        shifted: u32, 32, from [value, amount, left, arithmetic];
    }
}

/// One shifter for `shl`, `shr.u32` and `shr.s32`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BarrelShifter;

impl Unit for BarrelShifter {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        let &In { value, amount, left, arithmetic } = inputs;
        let shifted = match (left, arithmetic) {
            (true, _) => value.checked_shl(amount).unwrap_or(0),
            (false, false) => value.checked_shr(amount).unwrap_or(0),
            (false, true) => (value as i32 >> amount.min(31)) as u32,
        };
        Out { shifted }
    }

    fn tick(&mut self) {}

    fn reset(&mut self) {}
}
