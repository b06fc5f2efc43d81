//! Where the issue slots went: every scheduler's every cycle has exactly one reason.

use serde::{Serialize, Serializer};

/// What a scheduler did in a cycle, or why it did nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stall {
    /// It issued an instruction.
    Issued,
    /// It has no warps.
    Empty,
    /// Its warps wait for loads that may leave the SM.
    Memory,
    /// Its warps wait for results of operations or for shared memory.
    Arithmetic,
    /// A warp could issue, but no collector, queue entry or unit is free.
    Structural,
    /// Its warps wait for branches.
    Control,
    /// Its warps wait for instructions.
    Fetch,
    /// Its warps wait at barriers, or have ended and wait for their block.
    Barrier,
    /// A study's rule or the scheduler's own active set held warps back.
    Held,
}

impl Stall {
    /// Every reason, in the order of records.
    pub const ALL: [Stall; 9] = [
        Stall::Issued,
        Stall::Empty,
        Stall::Memory,
        Stall::Arithmetic,
        Stall::Structural,
        Stall::Control,
        Stall::Fetch,
        Stall::Barrier,
        Stall::Held,
    ];

    /// Its name in records.
    pub fn name(self) -> &'static str {
        match self {
            Stall::Issued => "issued",
            Stall::Empty => "empty",
            Stall::Memory => "memory",
            Stall::Arithmetic => "arithmetic",
            Stall::Structural => "structural",
            Stall::Control => "control",
            Stall::Fetch => "fetch",
            Stall::Barrier => "barrier",
            Stall::Held => "held",
        }
    }
}

/// Scheduler cycles by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StallCounts([u64; 9]);

impl StallCounts {
    /// Adds cycles.
    pub fn add(&mut self, reason: Stall, cycles: u64) {
        self.0[reason as usize] += cycles;
    }

    /// Cycles of a reason.
    pub fn of(&self, reason: Stall) -> u64 {
        self.0[reason as usize]
    }

    /// All cycles; equal to schedulers times core cycles.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Takes cycles back that did not belong to a kernel.
    pub fn remove(&mut self, reason: Stall, cycles: u64) {
        self.0[reason as usize] -= cycles;
    }
}

impl std::ops::AddAssign for StallCounts {
    fn add_assign(&mut self, more: Self) {
        self.0.iter_mut().zip(more.0).for_each(|(a, b)| *a += b);
    }
}

impl std::ops::Sub for StallCounts {
    type Output = Self;
    fn sub(self, before: Self) -> Self {
        StallCounts(std::array::from_fn(|n| self.0[n] - before.0[n]))
    }
}

impl Serialize for StallCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Stall::ALL.map(|reason| (reason.name(), self.of(reason))))
    }
}
