//! What studies see of an L2 slice and what they may decide.

/// An access to the array of an L2 slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceAccess {
    /// L2 cycle.
    pub cycle: u64,
    /// `set * ways + way`.
    pub block: usize,
    /// 4-byte words of the line that are touched.
    pub words: u32,
    /// Whether it writes.
    pub write: bool,
    /// Whether it is the arrival of a missed line.
    pub refill: bool,
}

/// What a study sees and decides at an L2 slice. Every method has a default that does nothing.
pub trait SliceHooks: Send {
    /// L2 cycles to hold an access before its array is read or written.
    fn hold(&mut self, _access: &SliceAccess) -> u64 {
        0
    }
}

impl SliceHooks for crate::machine::sm::hooks::Silent {}
