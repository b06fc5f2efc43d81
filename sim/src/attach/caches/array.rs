//! One array: a cache, shared memory or an L2 slice, with what is attached to it and what it counts.

use super::super::{AttachError, UnitSource};
use super::counts::{ArrayCounts, Pattern, Segments};
use super::regions::{drowsy, Drowsy};
use super::word_lines::{by_lane, word_lines, Opening, WordLines};
use crate::exec::LaneMask;
use crate::machine::config::{ArrayConfig, Mechanism, MechanismsConfig};
use crate::machine::sm::hooks::Held;

/// Whom an access is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum For {
    /// An instruction with these active threads.
    Threads(LaneMask),
    /// A line that comes, goes, or is fetched: all of it.
    Line,
}

/// An access to an array.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// Cycle in which it reaches the tags.
    pub cycle: u64,
    /// The first cycle in which its block could be known.
    pub known: u64,
    /// Which block.
    pub block: usize,
    /// Whom it is for.
    pub whom: For,
    /// Words it moves.
    pub words: u32,
    /// Whether it writes.
    pub write: bool,
}

/// The shape of an array.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Blocks.
    pub blocks: usize,
    /// 4-byte words of each.
    pub words: usize,
    /// Parts that each have a region awake: 1, or the banks of shared memory.
    pub parts: usize,
}

/// See the module's text.
pub struct Array {
    shape: Shape,
    region_blocks: usize,
    wake_up: u64,
    /// One for each part.
    drowsy: Vec<Box<dyn Drowsy>>,
    lines: Option<Box<dyn WordLines>>,
    pattern: Pattern,
    counts: ArrayCounts,
}

impl Array {
    /// An array at `place` with what `mechanisms` attaches and `config` sets.
    pub fn new(
        place: &str,
        shape: Shape,
        config: &ArrayConfig,
        mechanisms: &MechanismsConfig,
        source: &impl UnitSource,
    ) -> Result<Array, AttachError> {
        if shape.words > 32 {
            return Err(AttachError(format!(
                "{place}: rows of more than 32 words are not supported"
            )));
        }
        let has = |mechanism| mechanisms.attach.contains(&mechanism);
        let parts = if has(Mechanism::Drowsy) && config.drowsy { shape.parts } else { 0 };
        let part = |n: usize| match shape.parts {
            1 => drowsy(shape.blocks, &format!("{place}/drowsy_regions"), config, source),
            _ => drowsy(shape.blocks, &format!("{place}/bank{n}/drowsy_regions"), config, source),
        };
        let lines = has(Mechanism::Dwl).then(|| {
            let place = format!("{place}/dwl_gate");
            word_lines(shape.blocks, shape.words, config.enable, &place, source)
        });
        Ok(Array {
            shape,
            region_blocks: config.region_blocks.into(),
            wake_up: config.wake_up_cycles.into(),
            drowsy: (0..parts).map(part).collect::<Result<_, _>>()?,
            lines: lines.transpose()?,
            pattern: Pattern::new(shape.blocks),
            counts: ArrayCounts::default(),
        })
    }

    /// An instruction asks for a line, whether it gets to the array or not.
    pub fn request(&mut self, active: LaneMask) {
        self.counts.requests += 1;
        self.counts.active_threads += u64::from(active.count());
    }

    /// Word lines open and are counted; when, does not matter here.
    fn open(&mut self, access: &Access) {
        self.pattern.access(access.block, access.cycle);
        let all = u32::MAX >> (32 - self.shape.words);
        let words = access.words & all;
        let (active, full) = match access.whom {
            For::Threads(active) => (active.0, false),
            For::Line => (0, true),
        };
        let lane = if full { all } else { by_lane(active, self.shape.words) };
        let word = if full { all } else { words };
        self.counts.wrong_by_lane += u64::from(words & !lane != 0);
        let segments = Segments {
            all: self.shape.words as u64,
            lane: lane.count_ones().into(),
            word: word.count_ones().into(),
        };
        if access.write {
            self.counts.writes += 1;
            self.counts.write_segments += segments;
        } else {
            self.counts.reads += 1;
            self.counts.read_segments += segments;
        }
        if let Some(lines) = &mut self.lines {
            let (cycle, row) = (access.cycle, access.block);
            let opening = Opening { cycle, row, active, words, full };
            self.counts.opened += u64::from(lines.open(&opening));
        }
    }

    /// An access of a whole block; returns how it is held.
    pub fn access(&mut self, access: &Access) -> Held {
        self.open(access);
        let Some(drowsy) = self.drowsy.first_mut() else { return Held::default() };
        let served = drowsy.access(access.cycle, access.known, access.block);
        self.held(served - access.cycle)
    }

    /// An access to several rows that takes `cycles` by itself.
    pub fn access_rows(&mut self, rows: &[Access], cycles: u64) -> Held {
        rows.iter().for_each(|row| self.open(row));
        let Some(first) = rows.first() else { return Held::default() };
        let mut served = 0;
        match &mut self.drowsy[..] {
            [] => return Held::default(),
            [one] => {
                // Rows come by lane, so those of a region may lie apart: a region is asked for once.
                let mut blocks: Vec<usize> = rows.iter().map(|row| row.block).collect();
                blocks.sort_unstable();
                blocks.dedup_by_key(|block| *block / self.region_blocks);
                for block in blocks {
                    served = one.access(first.cycle, first.known, block);
                }
            }
            banks => {
                for row in rows {
                    for bank in (0..32).filter(|bank| row.words >> bank & 1 != 0) {
                        let at = banks[bank].access(row.cycle, row.known, row.block);
                        served = served.max(at);
                    }
                }
            }
        }
        self.held((served + 1).saturating_sub(first.cycle + cycles))
    }

    /// The pipeline between tags and array holds as many accesses as a wake-up has cycles; with more, the tags
    /// wait.
    fn held(&mut self, delay: u64) -> Held {
        let stall = delay.saturating_sub(self.wake_up);
        self.counts.delay_cycles += delay;
        self.counts.stall_cycles += stall;
        Held { delay, stall }
    }

    /// For the filter's account.
    pub fn counts_mut(&mut self) -> &mut ArrayCounts {
        &mut self.counts
    }

    /// What happened before `cycle`.
    pub fn counts(&self, cycle: u64) -> ArrayCounts {
        let mut counts = self.counts;
        self.pattern.add_to(&mut counts);
        counts.blocks = self.shape.blocks as u64;
        counts.words = counts.blocks * self.shape.words as u64;
        counts.word_cycles = counts.words * cycle;
        counts.awake_word_cycles = counts.word_cycles;
        if !self.drowsy.is_empty() {
            // A block of a part has the part's share of the words.
            let words = (self.shape.words / self.shape.parts) as u64;
            let parts = || self.drowsy.iter().map(|part| part.counts(cycle));
            counts.wake_ups = parts().map(|part| part.wake_ups).sum();
            counts.woken_words = parts().map(|part| part.woken_blocks * words).sum();
            counts.awake_word_cycles = parts().map(|part| part.awake_block_cycles * words).sum();
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::super::energy::{dynamic_energy, static_energy};
    use super::super::regions::tiny;
    use super::*;
    use crate::machine::config::{ArrayKind, Enable, MachineConfig};

    /// Eight blocks, five accesses, twenty cycles; every number worked out by hand.
    #[test]
    fn a_miniature_to_the_last_digit() {
        let set = ["gpu.sms=1", "clocks.core_mhz=700", "mechanisms.caches.l1_data.region_blocks=2"];
        let config = MachineConfig::read("thesis", &set.map(String::from)).unwrap();
        let mut array = Array {
            shape: Shape { blocks: 8, words: 32, parts: 1 },
            region_blocks: 2,
            wake_up: 1,
            drowsy: vec![tiny(&config.mechanisms.caches.l1_data)],
            lines: None,
            pattern: Pattern::new(8),
            counts: ArrayCounts::default(),
        };
        let threads = |active| For::Threads(LaneMask(active));
        let accesses = [
            // Region 0 wakes in cycle 2 and serves in 3.
            (2, 0, threads(0xf), 0xf, false),
            // Its other block; the array is busy in 3. Threads 0 to 3 want words 4 to 7.
            (3, 1, threads(0xf), 0xf0, false),
            // A refill: region 2 wakes in cycle 4, while block 1 is served.
            (4, 5, For::Line, u32::MAX, true),
            // Region 2 is awake.
            (10, 4, threads(u32::MAX), u32::MAX, false),
            // Region 0 wakes again in cycle 11.
            (11, 0, threads(1), 1, false),
        ];
        let delays = accesses.map(|(cycle, block, whom, words, write)| {
            array.access(&Access { cycle, known: cycle, block, whom, words, write }).delay
        });
        assert_eq!(delays, [1, 1, 1, 0, 1]);
        let counts = array.counts(20);
        assert_eq!((counts.words, counts.word_cycles), (8 * 32, 8 * 32 * 20));
        // Region 0 in cycles 3 and 4, region 2 from 5 to 11, region 0 from 12 to 19: 17 x 2 blocks.
        assert_eq!(counts.awake_word_cycles, 34 * 32);
        assert_eq!((counts.wake_ups, counts.woken_words), (3, 6 * 32));
        assert_eq!((counts.reads, counts.writes, counts.wrong_by_lane), (4, 1, 1));
        assert_eq!(counts.read_segments, Segments { all: 128, lane: 41, word: 41 });
        assert_eq!(counts.write_segments, Segments { all: 32, lane: 32, word: 32 });
        assert_eq!(counts.by_accesses[..3], [4, 3, 1]);
        assert_eq!((counts.by_interval[4], counts.interval_cycles), (1, 9));

        // 20 cycles of 1428.57 fJ a milliwatt: (1.05984 x 34 + 0.05956 x 126) / 160 mW = 0.2721195 mW.
        let leaked = static_energy(ArrayKind::L1Data, &counts, &config);
        assert!((leaked - 54423.9 / 7.0).abs() < 1e-9, "{leaked}");
        // Eight rows have a sixteenth of the bit lines of 128.
        let word = dynamic_energy(ArrayKind::L1Data, &counts, Some(Enable::Word), &config);
        assert_eq!((word.decoder, word.word_lines), (500.0, 438.0));
        assert_eq!((word.bit_lines, word.sense_amplifiers), (1256.375, 3280.0));
        assert_eq!((word.dividing, word.wake_ups, word.filter), (938.0, 900.0, 0.0));
        assert_eq!(word.total(), 7312.375);
        let whole = dynamic_energy(ArrayKind::L1Data, &counts, None, &config);
        assert_eq!(whole.total(), 500.0 + 960.0 + 1724.0 + 10240.0 + 900.0);

        // What is not awake is drowsy, and an array without drowsy regions leaks at full supply.
        let full = ArrayCounts { awake_word_cycles: counts.word_cycles, ..counts };
        let none = ArrayCounts { awake_word_cycles: 0, ..counts };
        let leak = |counts| static_energy(ArrayKind::L1Data, counts, &config);
        let mixed = leak(&full) * 34.0 / 160.0 + leak(&none) * 126.0 / 160.0;
        assert!((mixed - leaked).abs() < 1e-9);
        assert!((leak(&full) / leak(&none) - 1.05984 / 0.05956).abs() < 1e-12);
    }

    #[test]
    fn rows_of_shared_memory_wake_one_region_after_the_other() {
        let set = ["mechanisms.caches.shared.region_blocks=2".to_string()];
        let config = MachineConfig::read("thesis", &set).unwrap();
        let array = |parts: usize| Array {
            shape: Shape { blocks: 8, words: 32, parts },
            region_blocks: 2,
            wake_up: 1,
            drowsy: (0..parts).map(|_| tiny(&config.mechanisms.caches.shared)).collect(),
            lines: None,
            pattern: Pattern::new(8),
            counts: ArrayCounts::default(),
        };
        let row = |block, words| Access {
            cycle: 10,
            known: 10,
            block,
            whom: For::Threads(LaneMask::ALL),
            words,
            write: false,
        };
        let mut rows = array(1);
        // Rows 0 and 1 are one region, 2 and 6 two more: served in cycles 11, 12 and 13.
        let four = [row(0, 0xff), row(6, 0xff00), row(1, 0xff_0000), row(2, 0xff00_0000)];
        assert_eq!(rows.access_rows(&four, 1), Held { delay: 3, stall: 2 });
        // Conflicts that take four cycles anyway end in cycle 13 too.
        assert_eq!(array(1).access_rows(&four, 4), Held { delay: 0, stall: 0 });
        // Each bank wakes its own row.
        let mut banks = array(32);
        assert_eq!(banks.access_rows(&four, 1), Held { delay: 1, stall: 0 });
        let (rows, banks) = (rows.counts(20), banks.counts(20));
        assert_eq!((rows.wake_ups, rows.woken_words), (3, 3 * 64));
        assert_eq!((banks.wake_ups, banks.woken_words), (32, 32 * 2));
        // From cycle 11 on each bank has two rows awake.
        assert_eq!(banks.awake_word_cycles, 9 * 32 * 2);
        assert_eq!(rows.awake_word_cycles, 9 * 64);
    }
}
