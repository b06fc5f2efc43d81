//! Functional execution: every instruction of a kernel, exactly as the PTX ISA says, a warp at a time.
//!
//! [`step`] executes one instruction of one warp and reports what it did: program counter, lanes, addresses.
//! A timing model decides when to call it; [`run`] calls it for a whole grid without any notion of time. All
//! state ([`GlobalMemory`], [`Block`]) is `Clone`, so a run can be forked and resumed anywhere.
//!
//! Barriers count warps, as Fermi does: a warp arrives as a whole, with whichever of its threads execute
//! `bar.sync`, and warps that have exited are not waited for.

pub mod alu;
mod barrier;
mod block;
mod exact;
mod exchange;
mod fault;
mod lanes;
mod launch;
mod mask;
mod memory;
mod regs;
mod run;
pub(crate) mod simd;
mod stack;
mod step;

pub use block::{Block, Warp, WarpStatus};
pub use fault::{Fault, FaultKind};
pub use lanes::{step_over, LanePlan, Rows};
pub use launch::{Launch, LaunchError};
pub use mask::LaneMask;
pub use memory::{
    Access, AccessKind, Addressing, Allocation, AtomicResult, Changes, ChannelType, Filter,
    GlobalMemory, GlobalView, Pending, Texture, SAMPLER_HANDLE, TEXTURE_HANDLE,
};
pub use regs::{Lane, Lanes, RegFile, Row, Word};
pub(crate) use run::{deadlock, runaway};
pub use run::{run, run_unless, Counts, Progress};
pub use step::{deliver_atomic, step, Effect, Step};
