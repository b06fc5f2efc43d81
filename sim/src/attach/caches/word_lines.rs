//! The divided word lines of one array.

use super::super::{AttachError, Boxed, UnitSource};
use crate::machine::config::Enable;
use crate::units::dwl_gate::{DwlGate, In};

/// Segments that threads open: segment i for thread i, of a shorter line also for thread i + segments.
pub(super) fn by_lane(active: u32, segments: usize) -> u32 {
    if segments == 32 {
        active
    } else {
        (active | active >> segments) & ((1 << segments) - 1)
    }
}

/// What opens segments of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    /// Cycle of the access.
    pub cycle: u64,
    /// Which row.
    pub row: usize,
    /// Active threads.
    pub active: u32,
    /// Words that are moved.
    pub words: u32,
    /// Everything, whoever asks.
    pub full: bool,
}

/// The word lines of an array of any shape.
pub(super) trait WordLines: Send {
    /// Opens segments of a row; returns how many.
    fn open(&mut self, opening: &Opening) -> u32;
}

struct Lines<const ROWS: usize, const SEGMENTS: usize> {
    unit: Boxed<DwlGate<ROWS, SEGMENTS>>,
    enable: Enable,
    /// The cycle that the unit is in. Rows of one access open one after the other.
    cycle: u64,
}

impl<const ROWS: usize, const SEGMENTS: usize> WordLines for Lines<ROWS, SEGMENTS> {
    fn open(&mut self, opening: &Opening) -> u32 {
        // Sub-arrays have the same gates: one stands for all.
        let row = opening.row % ROWS;
        let mut inputs = In::<ROWS, SEGMENTS> {
            lane_mask: opening.active,
            word_mask: opening.words,
            full_enable: opening.full,
            cfg_lane_enable: self.enable == Enable::Lane,
            ..In::default()
        };
        inputs.row_select[row] = true;
        let waited = opening.cycle.saturating_sub(self.cycle);
        self.unit.pass(waited);
        let opened = self.unit.eval(&inputs).word_line[row].count_ones();
        self.unit.tick();
        self.cycle += waited + 1;
        opened
    }
}

/// The word lines of an array of `blocks` lines of `words` words.
pub(super) fn word_lines(
    blocks: usize,
    words: usize,
    enable: Enable,
    instance: &str,
    source: &impl UnitSource,
) -> Result<Box<dyn WordLines>, AttachError> {
    fn lines<const ROWS: usize, const SEGMENTS: usize>(
        entry: &str,
        enable: Enable,
        instance: &str,
        source: &impl UnitSource,
    ) -> Result<Box<dyn WordLines>, AttachError> {
        let unit = source.unit(entry, instance, DwlGate::<ROWS, SEGMENTS>)?;
        Ok(Box::new(Lines::<ROWS, SEGMENTS> { unit, enable, cycle: 0 }))
    }
    match (blocks, words) {
        (96, 32) => lines::<96, 32>("dwl_gate__rows_96", enable, instance, source),
        (16, 32) => lines::<16, 32>("dwl_gate__rows_16", enable, instance, source),
        (n, 32) if n % 128 == 0 => lines::<128, 32>("dwl_gate", enable, instance, source),
        (n, 16) if n % 128 == 0 => {
            lines::<128, 16>("dwl_gate__segments_16", enable, instance, source)
        }
        _ => Err(AttachError(format!(
            "{instance}: there is no dwl_gate for {blocks} lines of {words} words; the catalogue has 16, 96 \
             and multiples of 128 lines of 32 words, and multiples of 128 lines of 16"
        ))),
    }
}
