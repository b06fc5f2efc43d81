//! The kinds of arithmetic, comparison and conversion, and how their results are rounded.

use super::{PredSource, Reg};
use crate::ptx::types::Type;

/// Integer types of arithmetic; untyped bits count as unsigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum IntType {
    U16,
    S16,
    U32,
    S32,
    U64,
    S64,
}

/// Floating-point types of arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FloatType {
    F32,
    F64,
}

/// Types that can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum CompareType {
    Int(IntType),
    Float(FloatType),
}

/// `d = f(a)` on integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum IntUnary {
    Neg,
    Abs,
    Not,
    Cnot,
    Popc,
    Clz,
    Brev,
    /// Position of the highest significant bit.
    Bfind,
    /// The shift that would bring it to the top.
    BfindShift,
}

/// `d = f(a, b)` on integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum IntBinary {
    Add,
    AddSat,
    Sub,
    SubSat,
    MulLo,
    MulHi,
    MulWide,
    Div,
    Rem,
    Min,
    Max,
    And,
    Or,
    Xor,
    Shl,
    Shr,
}

/// `d = f(a, b, c)` on integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum IntTernary {
    MadLo,
    MadHi,
    MadHiSat,
    MadWide,
    Sad,
}

/// Arithmetic that reads or writes the carry flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum CarryArith {
    Add,
    Sub,
    MadLo,
    MadHi,
}

/// What an instruction does with the carry flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CarryUse {
    /// Adds (or borrows) the flag.
    pub reads: bool,
    /// Sets the flag to the carry (or borrow) out.
    pub writes: bool,
}

/// Byte selection of `prmt`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum PrmtMode {
    Index,
    F4e,
    B4e,
    Rc8,
    Ecl,
    Ecr,
    Rc16,
}

/// Rounding direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Round {
    /// To nearest, ties to even.
    Nearest,
    /// Towards zero.
    Zero,
    /// Towards minus infinity.
    Down,
    /// Towards plus infinity.
    Up,
}

/// How a floating-point result is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FloatMode {
    /// Rounding of the exact result.
    pub round: Round,
    /// Subnormal inputs and results become zero with their sign.
    pub ftz: bool,
    /// The result is clamped to [0, 1]; NaN becomes 0.
    pub sat: bool,
}

/// `d = f(a)` on floats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FloatUnary {
    Neg,
    Abs,
    Rcp,
    Sqrt,
    /// The `.approx` forms, within the error the ISA documents.
    RcpApprox,
    SqrtApprox,
    RsqrtApprox,
    SinApprox,
    CosApprox,
    Lg2Approx,
    Ex2Approx,
    TanhApprox,
}

/// `d = f(a, b)` on floats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FloatBinary {
    Add,
    Sub,
    Mul,
    Div,
    /// Zero for divisors above 2^126, as documented.
    DivApprox,
    /// Full range, 2 ulp.
    DivFull,
    Min,
    Max,
    /// NaN when either is NaN.
    MinNan,
    MaxNan,
    /// The sign of a with the magnitude of b.
    Copysign,
}

/// What `testp` asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FloatTest {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}

/// Comparisons; the `u` forms are true when either operand is NaN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Equ,
    Neu,
    Ltu,
    Leu,
    Gtu,
    Geu,
    /// Both are numbers.
    Num,
    /// Either is NaN.
    Nan,
}

/// Logic on predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Logic {
    And,
    Or,
    Xor,
}

/// A comparison as `setp` and `set` make it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comparison {
    /// The relation.
    pub compare: Compare,
    /// Of this type.
    pub ty: CompareType,
    /// Subnormal inputs count as zero.
    pub ftz: bool,
    /// First operand.
    pub a: Reg,
    /// Second operand.
    pub b: Reg,
    /// Combined with a predicate.
    pub combine: Option<(Logic, PredSource)>,
}

/// What a true `set` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetResult {
    /// All ones.
    Ones,
    /// 1.0
    One,
}

/// What decides in `slct`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlctSign {
    /// `c >= 0` as an integer.
    S32,
    /// `c >= 0` as a float; NaN chooses b.
    F32 {
        /// Subnormals count as zero.
        ftz: bool,
    },
}

/// A conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conversion {
    /// Type of the result.
    pub to: Type,
    /// Type of the source.
    pub from: Type,
    /// Rounding, where one is needed.
    pub round: Round,
    /// Round to an integral value (the `.rni` family).
    pub integral: bool,
    /// Subnormal f32 inputs and results become zero.
    pub ftz: bool,
    /// Clamp to the range of the result (to [0, 1] for floats).
    pub sat: bool,
}
