//! Every operation, its types and its modifiers, already checked against the PTX ISA.

use super::{PredSource, Reg};
use crate::ptx::types::{Space, Type};

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

/// An address operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Address {
    /// Where it points.
    pub space: Space,
    /// Register part.
    pub base: Option<Reg>,
    /// Constant part.
    pub offset: i64,
}

/// A load of one, two or four elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// Element type in memory.
    pub ty: Type,
    /// Elements a lane: 1, 2 or 4.
    pub count: u8,
    /// Destinations, `count` of them.
    pub d: [Reg; 4],
    /// From where.
    pub address: Address,
}

/// A store of one, two or four elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Store {
    /// Element type in memory.
    pub ty: Type,
    /// Elements a lane: 1, 2 or 4.
    pub count: u8,
    /// Sources, `count` of them.
    pub a: [Reg; 4],
    /// To where.
    pub address: Address,
}

/// What an atomic does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum AtomicOp {
    And,
    Or,
    Xor,
    Exch,
    /// Compare with b, replace by c.
    Cas,
    Add,
    /// Count up to b, then wrap to 0.
    Inc,
    /// Count down to 0, then wrap to b.
    Dec,
    Min,
    Max,
}

/// `atom` or, without a destination, `red`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Atomic {
    /// What it does.
    pub op: AtomicOp,
    /// On this type.
    pub ty: Type,
    /// Where the old value goes.
    pub d: Option<Reg>,
    /// Operand.
    pub b: Reg,
    /// Replacement of `cas`.
    pub c: Option<Reg>,
    /// On which memory.
    pub address: Address,
}

/// Which texture or sampler a `tex` uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TexSource {
    /// Module-level reference, by its index in the module.
    Reference(u32),
    /// A handle in a register.
    Handle(Reg),
}

/// A texture fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tex {
    /// 1 or 2.
    pub dimensions: u8,
    /// Four results.
    pub d: [Reg; 4],
    /// Type of the results: `.u32`, `.s32` or `.f32`.
    pub ty: Type,
    /// Type of the coordinates: `.s32` or `.f32`.
    pub coordinate_ty: Type,
    /// The texture.
    pub texture: TexSource,
    /// The sampler, in independent mode.
    pub sampler: Option<TexSource>,
    /// x and y; y repeats x in one dimension.
    pub coordinates: [Reg; 2],
}

/// What a barrier does besides counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BarrierKind {
    /// Arrive and wait.
    Sync,
    /// Arrive without waiting.
    Arrive,
    /// Arrive, wait, and reduce a predicate over all threads.
    Reduce {
        /// How.
        op: BarrierReduce,
        /// Result: a predicate, or a count in a word.
        d: Reg,
        /// What each thread brings.
        p: PredSource,
    },
}

/// The reduction of `bar.red`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BarrierReduce {
    Popc,
    And,
    Or,
}

/// Which lane a shuffle reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ShflMode {
    Up,
    Down,
    Bfly,
    Idx,
}

/// What a vote asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum VoteMode {
    All,
    Any,
    Uni,
    Ballot,
}

/// One operation of a warp.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // Fields are d, a, b, c as in the ISA; the kinds are documented above.
pub enum Op {
    Int1 {
        f: IntUnary,
        ty: IntType,
        d: Reg,
        a: Reg,
    },
    Int2 {
        f: IntBinary,
        ty: IntType,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Int3 {
        f: IntTernary,
        ty: IntType,
        d: Reg,
        a: Reg,
        b: Reg,
        c: Reg,
    },
    /// `flag` is the predicate that holds CC.CF; add and sub do not read the third source.
    Carry {
        f: CarryArith,
        ty: IntType,
        flag: Reg,
        uses: CarryUse,
        d: Reg,
        abc: [Reg; 3],
    },
    Bfe {
        ty: IntType,
        d: Reg,
        a: Reg,
        b: Reg,
        c: Reg,
    },
    Bfi {
        ty: IntType,
        d: Reg,
        a: Reg,
        b: Reg,
        c: Reg,
        e: Reg,
    },
    Prmt {
        mode: PrmtMode,
        d: Reg,
        a: Reg,
        b: Reg,
        c: Reg,
    },
    Lop3 {
        table: u8,
        d: Reg,
        a: Reg,
        b: Reg,
        c: Reg,
    },
    Shf {
        left: bool,
        wrap: bool,
        d: Reg,
        a: Reg,
        b: Reg,
        c: Reg,
    },
    Float1 {
        f: FloatUnary,
        ty: FloatType,
        mode: FloatMode,
        d: Reg,
        a: Reg,
    },
    Float2 {
        f: FloatBinary,
        ty: FloatType,
        mode: FloatMode,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Fma {
        ty: FloatType,
        mode: FloatMode,
        d: Reg,
        a: Reg,
        b: Reg,
        c: Reg,
    },
    Testp {
        test: FloatTest,
        ty: FloatType,
        d: Reg,
        a: Reg,
    },
    Setp {
        comparison: Comparison,
        p: Reg,
        q: Option<Reg>,
    },
    Set {
        comparison: Comparison,
        result: SetResult,
        d: Reg,
    },
    Selp {
        d: Reg,
        a: Reg,
        b: Reg,
        p: PredSource,
    },
    Slct {
        sign: SlctSign,
        d: Reg,
        a: Reg,
        b: Reg,
        c: Reg,
    },
    PredMov {
        d: Reg,
        a: PredSource,
    },
    PredLogic {
        f: Logic,
        d: Reg,
        a: PredSource,
        b: PredSource,
    },
    Cvt {
        conversion: Conversion,
        d: Reg,
        a: Reg,
    },
    Mov {
        d: Reg,
        a: Reg,
    },
    /// `mov.b64 d, {a0, a1}`: elements of `bits` each, the first lowest.
    Pack {
        bits: u8,
        d: Reg,
        a: [Reg; 4],
    },
    /// `mov.b64 {d0, d1}, a`
    Unpack {
        bits: u8,
        d: [Reg; 4],
        a: Reg,
    },
    IsSpace {
        space: Space,
        d: Reg,
        a: Reg,
    },
    Clock {
        d: Reg,
    },
    Ld(Load),
    St(Store),
    Atom(Atomic),
    Tex(Box<Tex>),
    Fence,
    Bar {
        kind: BarrierKind,
        id: Reg,
        threads: Option<Reg>,
    },
    Shfl {
        mode: ShflMode,
        d: Reg,
        p: Option<Reg>,
        a: Reg,
        b: Reg,
        c: Reg,
    },
    Vote {
        mode: VoteMode,
        d: Reg,
        p: PredSource,
    },
    ActiveMask {
        d: Reg,
    },
    /// Jump; lanes that part meet again at `reconverge`, or never when it is [`Op::NEVER`].
    Bra {
        target: u32,
        reconverge: u32,
    },
    Exit,
    Trap,
}

impl Op {
    /// The reconvergence point of lanes that never meet again.
    pub const NEVER: u32 = u32::MAX;
}
