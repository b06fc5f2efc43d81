//! The kinds of memory accesses, barriers and exchanges between lanes.

use super::{PredSource, Reg};
use crate::ptx::types::{Space, Type};

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
