//! One execution lane of an SM: 32-bit integers and IEEE single precision, one operation a cycle.
//!
//! The reference against which the cost of every other block is stated. Whatever goes in at a cycle
//! comes out [`LATENCY`] cycles later with its tag. Floats round to nearest, ties to even; every NaN
//! result is [`NAN`]. Subnormals are computed, or flushed to zero with their sign on the way in and on
//! the way out, as PTX's `.ftz` does. Reset state: nothing under way.

use std::cmp::Ordering;
use std::ops::BitOr;

use super::int_unit::simple;
use super::Unit;

/// Cycles from operands to result, for every operation.
pub const LATENCY: usize = 6;

/// The one NaN that comes out, as on NVIDIA's GPUs.
pub const NAN: u32 = 0x7fff_ffff;

/// What the lane does with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// a + b
    Add,
    /// a - b
    Sub,
    /// Low word of a * b.
    Mul,
    /// Low word of a * b + c.
    Mad,
    /// a & b
    And,
    /// a | b
    Or,
    /// a ^ b
    Xor,
    /// !a
    Not,
    /// a << b; 0 from 32 on.
    ShiftLeft,
    /// a >> b, zeros shifted in.
    ShiftRight,
    /// a >> b, the sign shifted in.
    ShiftRightSigned,
    /// Smaller of two signed numbers.
    MinSigned,
    /// Larger of two signed numbers.
    MaxSigned,
    /// Smaller of two unsigned numbers.
    MinUnsigned,
    /// Larger of two unsigned numbers.
    MaxUnsigned,
    /// a + b
    FloatAdd,
    /// a - b
    FloatSub,
    /// a * b
    FloatMul,
    /// a * b + c, rounded once.
    FloatFma,
    /// Smaller of two floats; a number wins over NaN, -0 is smaller than +0.
    FloatMin,
    /// Larger of two floats; a number wins over NaN, +0 is larger than -0.
    FloatMax,
    /// 1 if a stands to b in one of the relations, else 0.
    Compare {
        /// How the operands are read.
        order: Order,
        /// The relations.
        relation: Relation,
    },
}

/// How a comparison reads its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Signed integers.
    Signed,
    /// Unsigned integers.
    Unsigned,
    /// Floats; false if one is NaN.
    Float,
    /// Floats; true if one is NaN.
    FloatOrUnordered,
}

/// A set of the relations less, equal and greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relation(u8);

impl Relation {
    /// No relation at all: of floats, whether they are unordered.
    pub const NONE: Self = Self(0);
    /// a < b
    pub const LESS: Self = Self(1);
    /// a == b
    pub const EQUAL: Self = Self(2);
    /// a > b
    pub const GREATER: Self = Self(4);

    /// Whether the set holds the relation.
    pub fn includes(self, ordering: Ordering) -> bool {
        let bit = match ordering {
            Ordering::Less => Self::LESS,
            Ordering::Equal => Self::EQUAL,
            Ordering::Greater => Self::GREATER,
        };
        self.0 & bit.0 != 0
    }
}

impl BitOr for Relation {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Operations that are not comparisons, with their codes.
const CODES: [(u8, Op); 21] = [
    (0, Op::Add),
    (1, Op::Sub),
    (2, Op::Mul),
    (3, Op::Mad),
    (4, Op::And),
    (5, Op::Or),
    (6, Op::Xor),
    (7, Op::Not),
    (8, Op::ShiftLeft),
    (9, Op::ShiftRight),
    (10, Op::ShiftRightSigned),
    (12, Op::MinSigned),
    (13, Op::MaxSigned),
    (14, Op::MinUnsigned),
    (15, Op::MaxUnsigned),
    (16, Op::FloatAdd),
    (17, Op::FloatSub),
    (18, Op::FloatMul),
    (19, Op::FloatFma),
    (20, Op::FloatMin),
    (21, Op::FloatMax),
];

impl Op {
    /// The operation of a code; none if the code is reserved.
    ///
    /// Comparisons have bit 5 set, their order in bits 4 and 3 and their relation in the rest.
    pub fn decode(code: u8) -> Option<Self> {
        if code & 0x20 == 0 {
            return CODES.iter().find(|(known, _)| *known == code).map(|(_, op)| *op);
        }
        let order = match code >> 3 & 3 {
            0 => Order::Signed,
            1 => Order::Unsigned,
            2 => Order::Float,
            _ => Order::FloatOrUnordered,
        };
        Some(Op::Compare { order, relation: Relation(code & 7) })
    }

    /// The code of an operation.
    pub fn code(self) -> u8 {
        match self {
            Op::Compare { order, relation } => 0x20 | (order as u8) << 3 | relation.0,
            _ => CODES.iter().find(|(_, op)| *op == self).map_or(0, |(code, _)| *code),
        }
    }

    /// Whether the operands are read as floats, so that flushing concerns them.
    pub fn is_float(self) -> bool {
        self.code() & 0x10 != 0
    }
}

/// What becomes of subnormal operands and results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subnormals {
    /// IEEE 754: gradual underflow.
    #[default]
    Full,
    /// PTX's `.ftz`: zero with the same sign.
    Flush,
}

impl Subnormals {
    /// A number with this done to it.
    pub fn pass(self, bits: u32) -> u32 {
        match self {
            Subnormals::Flush if bits & 0x7f80_0000 == 0 => bits & 0x8000_0000,
            _ => bits,
        }
    }
}

/// The result of an operation.
pub fn compute(op: Op, subnormals: Subnormals, operands: [u32; 3]) -> u32 {
    let [a, b, c] = match op.is_float() {
        true => operands.map(|operand| subnormals.pass(operand)),
        false => operands,
    };
    let [x, y, z] = [a, b, c].map(f32::from_bits);
    let float = match op {
        Op::Mul => return a.wrapping_mul(b),
        Op::Mad => return a.wrapping_mul(b).wrapping_add(c),
        Op::FloatAdd => x + y,
        Op::FloatSub => x - y,
        Op::FloatMul => x * y,
        Op::FloatFma => x.mul_add(y, z),
        _ => return simple(op, a, b).unwrap_or_else(|| unreachable!("no product in {op:?}")),
    };
    match float.is_nan() {
        true => NAN,
        false => subnormals.pass(float.to_bits()),
    }
}

crate::io! {
    /// Inputs of [`SimtLane`].
    pub struct In {
        /// An operation starts in this cycle.
        issue_valid: bool, 1;
        /// Names the operation until its result is out.
        issue_tag: u8, 8, valid_by issue_valid;
        /// What to do: see [`Op`]. A reserved code starts nothing.
        op: u8, 6, valid_by issue_valid;
        /// First operand.
        operand_a: u32, 32, valid_by issue_valid;
        /// Second operand.
        operand_b: u32, 32, valid_by issue_valid;
        /// Third operand.
        operand_c: u32, 32, valid_by issue_valid;
    }
}

crate::io! {
    /// Outputs of [`SimtLane`].
    pub struct Out {
        /// A result is there.
        valid: bool, 1;
        /// The tag it was issued with.
        tag: u8, 8, valid_by valid;
        /// The result; of a comparison 0 or 1.
        result: u32, 32, valid_by valid;
    }
}

/// A lane as a queue of results that are not out yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SimtLane {
    subnormals: Subnormals,
    issued: Out,
    /// The oldest last.
    under_way: [Out; LATENCY],
}

impl SimtLane {
    /// A lane that treats subnormals in this way.
    pub fn new(subnormals: Subnormals) -> Self {
        Self { subnormals, ..Self::default() }
    }
}

impl Unit for SimtLane {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        let operands = [inputs.operand_a, inputs.operand_b, inputs.operand_c];
        self.issued = match Op::decode(inputs.op).filter(|_| inputs.issue_valid) {
            Some(op) => Out {
                valid: true,
                tag: inputs.issue_tag,
                result: compute(op, self.subnormals, operands),
            },
            None => Out::default(),
        };
        self.under_way[LATENCY - 1].clone()
    }

    fn tick(&mut self) {
        self.under_way.rotate_right(1);
        self.under_way[0] = self.issued.clone();
    }

    fn reset(&mut self) {
        self.under_way = Default::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_operations_are_one_to_one() {
        let reserved = (0..64).filter(|code| match Op::decode(*code) {
            Some(op) => {
                assert_eq!(op.code(), *code);
                false
            }
            None => true,
        });
        assert_eq!(reserved.collect::<Vec<u8>>(), [11, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]);
    }

    #[test]
    fn flushing_takes_subnormals_on_both_sides_and_keeps_signs() {
        let (tiny, least) = (0x8000_0001, f32::MIN_POSITIVE.to_bits());
        let half = 0.5f32.to_bits();
        let flush = |op, a, b| compute(op, Subnormals::Flush, [a, b, 0]);
        assert_eq!(flush(Op::FloatAdd, tiny, 0x8000_0000), 0x8000_0000);
        assert_eq!(flush(Op::FloatMul, least, half), 0);
        assert_eq!(flush(Op::FloatMul, least | 0x8000_0000, half), 0x8000_0000);
        assert_eq!(compute(Op::FloatMul, Subnormals::Full, [least, half, 0]), 0x0040_0000);
        assert_eq!(flush(Op::FloatMin, tiny, 0), 0x8000_0000);
    }

    #[test]
    fn a_result_comes_out_after_the_latency_with_its_tag() {
        let mut lane = SimtLane::default();
        let issue = In {
            issue_valid: true,
            issue_tag: 7,
            op: Op::Mad.code(),
            operand_a: 3,
            operand_b: 4,
            operand_c: 5,
        };
        let idle = In::default();
        for cycle in 0..=LATENCY {
            let out = lane.eval(if cycle == 0 { &issue } else { &idle });
            assert_eq!(out.valid, cycle == LATENCY, "cycle {cycle}");
            if out.valid {
                assert_eq!((out.tag, out.result), (7, 17));
            }
            lane.tick();
        }
    }

    #[test]
    fn a_reserved_code_starts_nothing() {
        let mut lane = SimtLane::default();
        lane.eval(&In { issue_valid: true, op: 11, ..In::default() });
        for _ in 0..2 * LATENCY {
            lane.tick();
            assert!(!lane.eval(&In::default()).valid);
        }
    }
}
