//! The sixteen barriers of a block: who has arrived, who waits, and what they reduce.

use super::mask::LaneMask;
use crate::ptx::ir::{BarrierReduce, Reg};

/// How many barriers a block has.
pub(super) const BARRIERS: usize = 16;

/// A warp that waits, and where the result of `bar.red` goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Waiting {
    pub warp: usize,
    /// Its lanes that arrived.
    pub lanes: LaneMask,
    pub result: Option<(BarrierReduce, Reg)>,
}

/// One barrier between its first arrival and its completion.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Barrier {
    /// Warps that have arrived, waiting or not.
    arrived: u32,
    /// Warps that complete it, when the instruction says; otherwise all that have not exited.
    expected: Option<u32>,
    waiting: Vec<Waiting>,
    /// Threads that brought a predicate, and those where it was true.
    threads: u32,
    ones: u32,
}

/// All barriers of a block.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Barriers([Barrier; BARRIERS]);

/// What a completed barrier gives back.
pub(super) struct Release {
    pub waiting: Vec<Waiting>,
    threads: u32,
    ones: u32,
}

impl Release {
    /// The reduction over all threads, as a count or a truth value.
    pub fn value(&self, reduce: BarrierReduce) -> u32 {
        match reduce {
            BarrierReduce::Popc => self.ones,
            BarrierReduce::And => u32::from(self.ones == self.threads),
            BarrierReduce::Or => u32::from(self.ones > 0),
        }
    }
}

impl Barriers {
    /// A warp arrives at barrier `id`; `waits` when it also stops there.
    pub fn arrive(&mut self, id: usize, expected: Option<u32>, waits: Option<Waiting>) {
        let barrier = &mut self.0[id];
        barrier.arrived += 1;
        barrier.expected = expected;
        barrier.waiting.extend(waits);
    }

    /// Adds the predicates of a warp to the reduction of barrier `id`.
    pub fn contribute(&mut self, id: usize, threads: u32, ones: u32) {
        self.0[id].threads += threads;
        self.0[id].ones += ones;
    }

    /// Completes a barrier that has all its arrivals; `running` warps of the block have not exited.
    pub fn complete(&mut self, running: u32) -> Option<Release> {
        let done = self
            .0
            .iter_mut()
            .find(|b| b.arrived > 0 && b.arrived >= b.expected.unwrap_or(running))?;
        let Barrier { waiting, threads, ones, .. } = std::mem::take(done);
        Some(Release { waiting, threads, ones })
    }

    /// How many have arrived at barrier `id` and how many it waits for.
    pub fn progress(&self, id: usize, running: u32) -> (u32, u32) {
        (self.0[id].arrived, self.0[id].expected.unwrap_or(running))
    }
}
