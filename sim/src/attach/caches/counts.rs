//! What happened at an array: sums that add up over SMs and slices, and who was accessed how often.

use crate::machine::config::ArrayKind;
use serde::{Deserialize, Serialize};

/// Buckets of a histogram: 0, 1, 2, 4, ... 8192, and 16384 or more, as in the thesis' figures 3-4 and 3-5.
pub const BUCKETS: usize = 16;

/// The bucket of a value.
pub fn bucket(value: u64) -> usize {
    ((u64::BITS - value.leading_zeros()) as usize).min(BUCKETS - 1)
}

/// Segments of word lines that accesses opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segments {
    /// Without dividing: every segment of the line.
    pub all: u64,
    /// Enabled by active thread.
    pub lane: u64,
    /// Enabled by touched word.
    pub word: u64,
}

impl std::ops::AddAssign for Segments {
    fn add_assign(&mut self, more: Segments) {
        self.all += more.all;
        self.lane += more.lane;
        self.word += more.word;
    }
}

/// What happened at arrays of one kind until some cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrayCounts {
    /// Blocks.
    pub blocks: u64,
    /// 4-byte words of all blocks.
    pub words: u64,
    /// Cycles times words.
    pub word_cycles: u64,
    /// Of them, awake; all of them where the array has no drowsy regions.
    pub awake_word_cycles: u64,
    /// Requests of instructions, whether they got to the array or only to the tags.
    pub requests: u64,
    /// Active threads of the instructions that made the requests.
    pub active_threads: u64,
    /// Times the array was read.
    pub reads: u64,
    /// Times it was written.
    pub writes: u64,
    /// Segments that reads open.
    pub read_segments: Segments,
    /// Segments that writes open.
    pub write_segments: Segments,
    /// Segments that the divided word lines, where attached, did open.
    pub opened: u64,
    /// Accesses of instructions for which enabling by thread would have left a word closed that is needed.
    pub wrong_by_lane: u64,
    /// Cycles by which data came later.
    pub delay_cycles: u64,
    /// Cycles for which the array's pipeline stood still.
    pub stall_cycles: u64,
    /// Times a region was woken.
    pub wake_ups: u64,
    /// Words in them.
    pub woken_words: u64,
    /// Looks into the filter.
    pub filter_looks: u64,
    /// Those that found all they wanted.
    pub filter_hits: u64,
    /// Words that these wanted.
    pub filter_hit_words: u64,
    /// Words that were taken in.
    pub filter_filled_words: u64,
    /// Blocks by how often they were accessed.
    pub by_accesses: [u64; BUCKETS],
    /// Accesses by the cycles since the one before to the same block; the first of a block has none.
    pub by_interval: [u64; BUCKETS],
    /// Sum of these cycles.
    pub interval_cycles: u64,
}

impl ArrayCounts {
    /// Reads and writes of the array.
    pub fn accesses(&self) -> u64 {
        self.reads + self.writes
    }
}

impl std::ops::AddAssign for ArrayCounts {
    fn add_assign(&mut self, more: ArrayCounts) {
        macro_rules! add {
            ($($field:ident),*) => { $(self.$field += more.$field;)* };
        }
        add!(
            blocks,
            words,
            word_cycles,
            awake_word_cycles,
            requests,
            active_threads,
            reads,
            writes,
            read_segments,
            write_segments,
            opened,
            wrong_by_lane,
            delay_cycles,
            stall_cycles,
            wake_ups,
            woken_words,
            filter_looks,
            filter_hits,
            filter_hit_words,
            filter_filled_words,
            interval_cycles
        );
        for n in 0..BUCKETS {
            self.by_accesses[n] += more.by_accesses[n];
            self.by_interval[n] += more.by_interval[n];
        }
    }
}

/// Counts by kind of array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllCounts([ArrayCounts; ArrayKind::ALL.len()]);

impl std::ops::Index<ArrayKind> for AllCounts {
    type Output = ArrayCounts;
    fn index(&self, kind: ArrayKind) -> &ArrayCounts {
        &self.0[kind as usize]
    }
}

impl std::ops::IndexMut<ArrayKind> for AllCounts {
    fn index_mut(&mut self, kind: ArrayKind) -> &mut ArrayCounts {
        &mut self.0[kind as usize]
    }
}

/// How often and when each block of an array was accessed.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// Accesses of each block and the cycle of the last.
    blocks: Vec<(u64, u64)>,
    by_interval: [u64; BUCKETS],
    interval_cycles: u64,
}

impl Pattern {
    pub fn new(blocks: usize) -> Pattern {
        Pattern { blocks: vec![(0, 0); blocks], by_interval: [0; BUCKETS], interval_cycles: 0 }
    }

    pub fn access(&mut self, block: usize, cycle: u64) {
        let Some((count, last)) = self.blocks.get_mut(block) else { return };
        if *count > 0 {
            let interval = cycle.saturating_sub(*last);
            self.by_interval[bucket(interval)] += 1;
            self.interval_cycles += interval;
        }
        *count += 1;
        *last = cycle;
    }

    pub fn add_to(&self, counts: &mut ArrayCounts) {
        self.blocks.iter().for_each(|(count, _)| counts.by_accesses[bucket(*count)] += 1);
        for n in 0..BUCKETS {
            counts.by_interval[n] += self.by_interval[n];
        }
        counts.interval_cycles += self.interval_cycles;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_powers_of_two() {
        let values = [0, 1, 2, 3, 4, 7, 8, 8191, 8192, 16383, 16384, u64::MAX];
        assert_eq!(values.map(bucket), [0, 1, 2, 2, 3, 3, 4, 13, 14, 14, 15, 15]);
    }

    #[test]
    fn a_pattern_by_hand() {
        let mut pattern = Pattern::new(4);
        for (block, cycle) in [(0, 10), (1, 10), (0, 10), (0, 13), (1, 42), (3, 99)] {
            pattern.access(block, cycle);
        }
        let mut counts = ArrayCounts::default();
        pattern.add_to(&mut counts);
        let filled = |buckets: &[u64], at: &[(usize, u64)]| {
            let mut want = [0; BUCKETS];
            at.iter().for_each(|(bucket, count)| want[*bucket] = *count);
            buckets == want
        };
        assert!(filled(&counts.by_accesses, &[(0, 1), (1, 1), (2, 2)]), "{counts:?}");
        assert!(filled(&counts.by_interval, &[(0, 1), (2, 1), (6, 1)]), "{counts:?}");
        assert_eq!(counts.interval_cycles, 3 + 32);
    }
}
