//! Every operation of a warp, already checked against the PTX ISA.

use super::access::{Atomic, BarrierKind, Load, ShflMode, Store, Tex, VoteMode};
use super::arith::{
    CarryArith, CarryUse, Comparison, Conversion, FloatBinary, FloatMode, FloatTest, FloatType,
    FloatUnary, IntBinary, IntTernary, IntType, IntUnary, Logic, PrmtMode, SetResult, SlctSign,
};
use super::{PredSource, Reg};
use crate::ptx::types::Space;

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
