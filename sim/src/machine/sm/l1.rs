//! A first-level cache with its miss registers.

use super::super::cache::{Found, Mshrs, Tags};
use super::super::config::CacheConfig;
use crate::machine::counters::counters;

/// Which of an SM's caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CacheKind {
    /// Global and local data.
    Data,
    /// Constants and parameters.
    Constant,
    /// Texels.
    Texture,
    /// Instructions.
    Instruction,
}

/// Who waits for a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiter {
    /// A memory instruction, by its number in the LD/ST unit.
    Memory(u32),
    /// The fetch of a warp, which has flushed its buffer so many times.
    Fetch {
        /// Warp slot.
        warp: usize,
        /// Flushes.
        epoch: u32,
    },
}

/// What an access came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The data is there, in this block.
    Hit(usize),
    /// It joined a miss on its way to this block.
    Merged(usize),
    /// A miss must be sent; this block is reserved and this miss register taken.
    Miss {
        /// The reserved block.
        block: usize,
        /// The miss register.
        slot: usize,
    },
    /// Nothing was done: no miss register, merge, way or way out is free. The caller counts the cycle.
    Blocked,
}

counters! {
    /// What happened in a cache since the start.
    pub struct CacheCounts {
        /// Accesses that went on.
        accesses,
        /// Those that found their line.
        hits,
        /// Those that joined a miss.
        merged,
        /// Those that started one.
        misses,
        /// Cycles in which an access waited for a miss register, a merge, a way or the way out.
        blocked_cycles,
    }
}

/// A cache; see the module's text.
#[derive(Clone, Debug)]
pub struct L1 {
    /// Its shape and latency.
    pub config: CacheConfig,
    tags: Tags,
    mshrs: Mshrs<Waiter>,
    /// What happened so far.
    pub counts: CacheCounts,
}

impl L1 {
    /// An empty cache.
    pub fn new(config: &CacheConfig) -> Self {
        L1 {
            config: *config,
            tags: Tags::new(config.sets, config.ways),
            mshrs: Mshrs::new(config.mshrs, config.merges),
            counts: CacheCounts::default(),
        }
    }

    /// Reads a line; `can_send` says whether a miss could leave the SM now.
    pub fn read(&mut self, line: u64, waiter: Waiter, can_send: bool) -> Outcome {
        let outcome = match self.tags.find(line) {
            Found::Hit(block) => {
                self.tags.touch(block);
                self.counts.hits += 1;
                Outcome::Hit(block)
            }
            Found::OnTheWay(block) => match self.mshrs.merge(line, waiter) {
                Ok(()) => {
                    self.counts.merged += 1;
                    Outcome::Merged(block)
                }
                Err(_) => Outcome::Blocked,
            },
            Found::Miss if can_send && !self.mshrs.is_full() => match self.tags.victim(line) {
                Some((block, _)) => {
                    self.tags.reserve(block, line);
                    self.counts.misses += 1;
                    match self.mshrs.start(line, Some(waiter)) {
                        Ok(slot) => Outcome::Miss { block, slot },
                        Err(_) => unreachable!("a free register was seen above"),
                    }
                }
                None => Outcome::Blocked,
            },
            Found::Miss => Outcome::Blocked,
        };
        self.counts.accesses += u64::from(outcome != Outcome::Blocked);
        outcome
    }

    /// Whether no further line can miss.
    pub fn is_full(&self) -> bool {
        self.mshrs.is_full()
    }

    /// Misses outstanding.
    pub fn outstanding(&self) -> usize {
        self.mshrs.used()
    }

    /// A line has come: its block, its miss register, and who waited.
    pub fn fill(&mut self, line: u64) -> Option<(usize, usize, Vec<Waiter>)> {
        let block = self.tags.fill(line, false)?;
        let (slot, waiters) = self.mshrs.finish(line)?;
        Some((block, slot, waiters))
    }

    /// A store or atomic passes by: the line is dropped (write-evict). Its block, if it was there.
    pub fn evict(&mut self, line: u64) -> Option<usize> {
        self.tags.evict(line)
    }

    /// A new kernel starts with an empty cache.
    pub fn invalidate_all(&mut self) {
        self.tags.invalidate_all();
    }
}
