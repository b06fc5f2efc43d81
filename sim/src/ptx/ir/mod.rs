//! Kernels ready to execute: flat instruction lists with registers resolved to rows, calls inlined and
//! reconvergence points attached.
//!
//! Functional execution and the timing model read the same instructions: [`Op`] says what to do,
//! [`Inst::visit`] says which registers that reads and writes.

mod access;
mod arith;
mod op;
mod reg;
mod visit;

pub use access::*;
pub use arith::*;
pub use op::Op;
pub use reg::{Class, Constants, Reg, RegCounts};
pub use visit::Role;

use super::syntax::ReferenceKind;

/// A predicate that decides which lanes take part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PredSource {
    /// The predicate.
    pub reg: Reg,
    /// Lanes where it is false take part instead.
    pub negated: bool,
}

/// One instruction and where it was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Inst {
    /// Only lanes where this holds execute it.
    pub guard: Option<PredSource>,
    /// What it does.
    pub op: Op,
    /// Line of the PTX file, from 1.
    pub line: u32,
}

/// A value the hardware provides to each thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The names are the PTX names.
pub enum Special {
    Tid(Axis),
    Ntid(Axis),
    Ctaid(Axis),
    Nctaid(Axis),
    Laneid,
    Warpid,
    Nwarpid,
    Smid,
    Nsmid,
    Gridid,
    LanemaskEq,
    LanemaskLe,
    LanemaskLt,
    LanemaskGe,
    LanemaskGt,
    DynamicSmemSize,
    TotalSmemSize,
    /// `%envreg` registers, `WARP_SZ`-independent driver values: zero here.
    Zero,
}

/// A dimension of the grid or block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Axis {
    X,
    Y,
    Z,
}

/// A parameter of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelParam {
    /// Its name in the PTX.
    pub name: String,
    /// Where it starts in parameter space.
    pub offset: u32,
    /// Its size in bytes.
    pub bytes: u32,
    /// A texture or sampler handle rather than data.
    pub reference: Option<ReferenceKind>,
}

/// A kernel, ready to launch.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    /// Name of the `.entry`.
    pub name: String,
    /// Parameters in order.
    pub params: Vec<KernelParam>,
    /// Size of parameter space.
    pub param_bytes: u32,
    /// The code; a program counter is an index here.
    pub insts: Vec<Inst>,
    /// How many registers of each class a thread needs.
    pub regs: RegCounts,
    /// Immediate operands, one row each.
    pub constants: Constants,
    /// Which registers hold hardware-provided values when a thread starts.
    pub specials: Vec<(Special, Reg)>,
    /// Shared memory known at load, per block.
    pub shared_bytes: u32,
    /// Where `.extern .shared` arrays begin, per block.
    pub dynamic_shared_base: u32,
    /// Local memory per thread.
    pub local_bytes: u32,
    /// The most threads a block may have, when the PTX says so.
    pub max_threads: Option<u64>,
}
