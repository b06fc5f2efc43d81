//! What studies see of an L2 slice and what they may decide.

use crate::exec::LaneMask;
use crate::machine::sm::hooks::Held;

/// An access to the array of an L2 slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceAccess {
    /// L2 cycle.
    pub cycle: u64,
    /// The L2 cycle since which the request has waited in the slice.
    pub known: u64,
    /// `set * ways + way`.
    pub block: usize,
    /// Lanes of the instruction that sent the request; all for a line that comes or is written back.
    pub active: LaneMask,
    /// 4-byte words of the line that are touched.
    pub words: u32,
    /// Whether it writes.
    pub write: bool,
    /// Whether a whole line comes from memory or goes there, for no instruction.
    pub whole: bool,
}

/// What a study sees and decides at an L2 slice. Every method has a default that does nothing.
pub trait SliceHooks: Send {
    /// How to hold an access before its array is read or written, in L2 cycles.
    fn hold(&mut self, _access: &SliceAccess) -> Held {
        Held::default()
    }
}

impl SliceHooks for crate::machine::sm::hooks::Silent {}
