//! What travels between SMs and memory partitions.

use super::super::time::Time;
use crate::exec::LaneMask;

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// The line.
    Read,
    /// To store bytes; `whole` if they cover the line.
    Write {
        /// No byte of the line is left as it was.
        whole: bool,
    },
    /// A read-modify-write at the L2.
    Atomic,
}

/// A request on its way to a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// When its last byte reaches the partition.
    pub when: Time,
    /// The SM that sent it.
    pub sm: usize,
    /// Line address.
    pub line: u64,
    /// What it asks for.
    pub ask: Ask,
    /// 4-byte words of the line that it wants or brings.
    pub words: u32,
    /// Lanes of the instruction that sent it.
    pub active: LaneMask,
    /// Cycles that the slice's atomic unit takes for it: the most lanes that want one word. 1 for all else.
    pub turns: u32,
    /// Comes back with the answer.
    pub token: u32,
}

/// An answer on its way to an SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    /// When its last byte reaches the SM.
    pub when: Time,
    /// The SM that asked.
    pub sm: usize,
    /// The request's token.
    pub token: u32,
    /// Its size.
    pub bytes: usize,
}

/// A buffer of a partition that is free again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Credit {
    /// When the SM learns of it.
    pub when: Time,
    /// The SM whose buffer it is.
    pub sm: usize,
}
