//! Answers every operation of the reference lane that needs no multiplier, within the cycle.
//!
//! Sum, difference, logic, shift, minimum, maximum and comparison; the last three also of floats, as
//! their order is that of the bits but for signs, zeros and NaN. Any other operation gives 0, which is
//! what a product without addend is added to. Combinational.

use super::barrel_shifter::{self, BarrelShifter};
use super::simt_lane::{Op, Order};
use super::Unit;

crate::io! {
    /// Inputs of [`IntUnit`].
    pub struct In {
        /// The operation: see [`Op`].
        op: u8, 6;
        /// First operand.
        operand_a: u32, 32;
        /// Second operand.
        operand_b: u32, 32;
    }
}

crate::io! {
    /// Outputs of [`IntUnit`].
    pub struct Out {
        /// The result; of a comparison 0 or 1.
        result: u32, 32, from [op, operand_a, operand_b];
    }
}

/// Adder, logic, shifter and comparator.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IntUnit;

/// The result of an operation without product; none of any other.
pub fn simple(op: Op, a: u32, b: u32) -> Option<u32> {
    let shift = |left, arithmetic| {
        BarrelShifter.eval(&barrel_shifter::In { value: a, amount: b, left, arithmetic }).shifted
    };
    let (float_a, float_b) = (f32::from_bits(a), f32::from_bits(b));
    Some(match op {
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Not => !a,
        Op::ShiftLeft => shift(true, false),
        Op::ShiftRight => shift(false, false),
        Op::ShiftRightSigned => shift(false, true),
        Op::MinSigned => (a as i32).min(b as i32) as u32,
        Op::MaxSigned => (a as i32).max(b as i32) as u32,
        Op::MinUnsigned => a.min(b),
        Op::MaxUnsigned => a.max(b),
        Op::FloatMin => pick(a, b, float_a.total_cmp(&float_b).is_lt()),
        Op::FloatMax => pick(a, b, float_a.total_cmp(&float_b).is_gt()),
        Op::Compare { order, relation } => {
            let ordering = match order {
                Order::Signed => (a as i32).partial_cmp(&(b as i32)),
                Order::Unsigned => a.partial_cmp(&b),
                Order::Float | Order::FloatOrUnordered => float_a.partial_cmp(&float_b),
            };
            u32::from(match ordering {
                Some(ordering) => relation.includes(ordering),
                None => order == Order::FloatOrUnordered,
            })
        }
        Op::Mul | Op::Mad | Op::FloatAdd | Op::FloatSub | Op::FloatMul | Op::FloatFma => {
            return None
        }
    })
}

/// The number if one of two is NaN, the canonical NaN if both are, else the chosen one.
fn pick(a: u32, b: u32, first: bool) -> u32 {
    match (f32::from_bits(a).is_nan(), f32::from_bits(b).is_nan()) {
        (true, true) => super::simt_lane::NAN,
        (true, false) => b,
        (false, true) => a,
        (false, false) => {
            if first {
                a
            } else {
                b
            }
        }
    }
}

impl Unit for IntUnit {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        let op = Op::decode(inputs.op);
        let result = op.and_then(|op| simple(op, inputs.operand_a, inputs.operand_b));
        Out { result: result.unwrap_or(0) }
    }

    fn tick(&mut self) {}

    fn reset(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::simt_lane::Relation;

    #[test]
    fn zeros_are_equal_but_ordered_for_minimum_and_maximum() {
        let (plus, minus) = (0, 0x8000_0000);
        let equal = Op::Compare { order: Order::Float, relation: Relation::EQUAL };
        assert_eq!(simple(equal, plus, minus), Some(1));
        for (a, b) in [(plus, minus), (minus, plus)] {
            assert_eq!(simple(Op::FloatMin, a, b), Some(minus));
            assert_eq!(simple(Op::FloatMax, a, b), Some(plus));
        }
    }

    #[test]
    fn a_number_wins_over_nan_and_nan_is_unordered() {
        let (one, nan) = (1f32.to_bits(), 0xffc0_0001);
        assert_eq!(simple(Op::FloatMin, nan, one), Some(one));
        assert_eq!(simple(Op::FloatMax, one, nan), Some(one));
        assert_eq!(simple(Op::FloatMax, nan, nan), Some(0x7fff_ffff));
        for (order, holds) in [(Order::Float, 0), (Order::FloatOrUnordered, 1)] {
            let never = Op::Compare { order, relation: Relation::NONE };
            assert_eq!(simple(never, nan, one), Some(holds));
        }
    }

    #[test]
    fn shifts_by_more_than_a_word_clamp() {
        assert_eq!(simple(Op::ShiftLeft, 5, 32), Some(0));
        assert_eq!(simple(Op::ShiftRight, 0x8000_0000, 1 << 31), Some(0));
        assert_eq!(simple(Op::ShiftRightSigned, 0x8000_0000, 40), Some(u32::MAX));
    }
}
