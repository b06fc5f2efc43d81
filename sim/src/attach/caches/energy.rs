//! Energy of arrays, from what was counted at them and the machine's description.
//!
//! Static energy is the thesis' table 4-2 over time, weighted by the words that were awake. Dynamic energy is
//! decoder, word lines, bit lines and sense amplifiers of each access, with what dividing the word line, waking
//! regions and filtering cost on top. All in femtojoules.

use super::ArrayCounts;
use crate::machine::config::{ArrayKind, Enable, MachineConfig};

/// Rows of a sub-array, whose bit lines the energies are given for.
const ROWS: f64 = 128.0;
/// Words of the block that the wake-up energy is given for.
const BLOCK_WORDS: f64 = 32.0;

/// Dynamic energy by where it goes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dynamic {
    /// Row decoders.
    pub decoder: f64,
    /// Word lines, or the segments of divided ones.
    pub word_lines: f64,
    /// Bit lines.
    pub bit_lines: f64,
    /// Sense amplifiers.
    pub sense_amplifiers: f64,
    /// What dividing the word lines adds.
    pub dividing: f64,
    /// Raising the supply of regions.
    pub wake_ups: f64,
    /// The filter's tags and words.
    pub filter: f64,
}

impl Dynamic {
    /// The sum.
    pub fn total(&self) -> f64 {
        let array = self.decoder + self.word_lines + self.bit_lines + self.sense_amplifiers;
        array + self.dividing + self.wake_ups + self.filter
    }
}

/// Arrays of a kind that the static power of the description stands for.
fn copies(kind: ArrayKind, config: &MachineConfig) -> f64 {
    if kind == ArrayKind::L2 {
        1.0
    } else {
        config.gpu.sms as f64
    }
}

/// Static energy of all arrays of a kind, and of the filter in front of them.
pub fn static_energy(kind: ArrayKind, counts: &ArrayCounts, config: &MachineConfig) -> f64 {
    if counts.word_cycles == 0 {
        return 0.0;
    }
    let settings = &config.mechanisms.caches;
    let array = settings.array(kind);
    let mhz = if kind == ArrayKind::L2 { config.clocks.l2_mhz } else { config.clocks.core_mhz };
    // A milliwatt is 1e12 fJ a second.
    let a_cycle = settings.energy.static_unit_mw * 1e6 / mhz;
    let cycles = counts.word_cycles as f64 / counts.words as f64;
    let awake = counts.awake_word_cycles as f64 / counts.word_cycles as f64;
    let (high, low) = (array.static_power.mv900, array.drowsy_power());
    let copies = copies(kind, config);
    let filter = match kind {
        ArrayKind::L1Data => {
            // Cells as those of the cache, always awake.
            high * settings.filter_lines as f64 * BLOCK_WORDS / (counts.words as f64 / copies)
        }
        _ => 0.0,
    };
    copies * cycles * a_cycle * (high * awake + low * (1.0 - awake) + filter)
}

/// Dynamic energy of all arrays of a kind with word lines divided and enabled in this way, or undivided.
pub fn dynamic_energy(
    kind: ArrayKind,
    counts: &ArrayCounts,
    enable: Option<Enable>,
    config: &MachineConfig,
) -> Dynamic {
    let energy = &config.mechanisms.caches.energy;
    let opened = |segments: &super::Segments| match enable {
        None => segments.all as f64,
        Some(Enable::Lane) => segments.lane as f64,
        Some(Enable::Word) => segments.word as f64,
    };
    let (read, written) = (opened(&counts.read_segments), opened(&counts.write_segments));
    let accesses = counts.accesses() as f64;
    let rows = (counts.blocks as f64 / copies(kind, config)).min(ROWS);
    let bit_lines = energy.bit_lines_read * read + energy.bit_lines_write * written;
    Dynamic {
        decoder: energy.decoder * accesses,
        word_lines: energy.word_line * (read + written),
        bit_lines: bit_lines * rows / ROWS,
        sense_amplifiers: energy.sense_amplifiers * read,
        dividing: match enable {
            None => 0.0,
            Some(_) => energy.dwl_main_line * accesses + energy.dwl_enable * (read + written),
        },
        wake_ups: energy.wake_up * counts.woken_words as f64 / BLOCK_WORDS,
        filter: energy.filter_tags * counts.filter_looks as f64
            + energy.filter_word * (counts.filter_hit_words + counts.filter_filled_words) as f64,
    }
}
