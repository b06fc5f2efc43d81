//! Drowsy regions, divided word lines and the filter at the arrays of an SM.

mod array;
mod counts;
pub mod energy;
mod filter;
mod regions;
mod word_lines;

pub use array::{Access, Array, For, Shape};
pub use counts::{AllCounts, ArrayCounts, Segments, BUCKETS};

use super::{AttachError, UnitSource};
use crate::machine::config::{ArrayKind, CacheConfig, MachineConfig, SharedWake};
use crate::machine::sm::hooks::{CacheAccess, Held, SharedAccess, Touch};
use crate::machine::sm::l1::CacheKind;
use filter::Filter;

/// The arrays of one SM; see the module's text.
pub struct Caches {
    data: Array,
    constant: Array,
    texture: Array,
    instruction: Array,
    shared: Array,
    filter: Option<Filter>,
    /// Rows of the access at hand; keeps its memory.
    rows: Vec<Access>,
}

impl Caches {
    /// Controls for every array of the SM at `place`.
    pub fn new(
        place: &str,
        config: &MachineConfig,
        source: &impl UnitSource,
    ) -> Result<Self, AttachError> {
        let (mechanisms, settings) = (&config.mechanisms, &config.mechanisms.caches);
        let array = |kind: ArrayKind, shape: Shape| {
            let place = format!("{place}/{}", kind.name());
            Array::new(&place, shape, settings.array(kind), mechanisms, source)
        };
        let cache = |kind: ArrayKind, c: &CacheConfig| {
            array(kind, Shape { blocks: c.sets * c.ways, words: c.line_bytes / 4, parts: 1 })
        };
        let banks = config.sm.shared_banks;
        let rows = config.sm.shared_bytes / (banks * 4);
        let parts = if settings.shared_wake == SharedWake::Bank { banks } else { 1 };
        Ok(Caches {
            data: cache(ArrayKind::L1Data, &config.l1_data)?,
            constant: cache(ArrayKind::L1Constant, &config.l1_constant)?,
            texture: cache(ArrayKind::L1Texture, &config.l1_texture)?,
            instruction: cache(ArrayKind::L1Instruction, &config.l1_instruction)?,
            shared: array(ArrayKind::Shared, Shape { blocks: rows, words: banks, parts })?,
            filter: (settings.filter_lines > 0).then(|| Filter::new(settings.filter_lines)),
            rows: vec![],
        })
    }

    fn array(&mut self, cache: CacheKind) -> &mut Array {
        match cache {
            CacheKind::Data => &mut self.data,
            CacheKind::Constant => &mut self.constant,
            CacheKind::Texture => &mut self.texture,
            CacheKind::Instruction => &mut self.instruction,
        }
    }

    /// Whether the filter makes an access to the array needless.
    fn is_filtered(&mut self, access: &CacheAccess) -> bool {
        let (CacheKind::Data, Some(filter)) = (access.cache, &mut self.filter) else {
            return false;
        };
        match access.touch {
            Touch::Tags | Touch::Evict => false,
            Touch::Refill => {
                filter.drop_block(access.block);
                false
            }
            Touch::Read => {
                let words = u64::from(access.words.count_ones());
                let hit = filter.read(access.block, access.words);
                let counts = self.data.counts_mut();
                counts.filter_looks += 1;
                counts.filter_hits += u64::from(hit);
                counts.filter_hit_words += if hit { words } else { 0 };
                counts.filter_filled_words += if hit { 0 } else { words };
                hit
            }
        }
    }

    /// An access to a cache; returns how it is held.
    pub fn hold(&mut self, access: &CacheAccess) -> Held {
        if access.touch != Touch::Refill {
            self.array(access.cache).request(access.active);
        }
        if !access.touch.reaches_array() || self.is_filtered(access) {
            return Held::default();
        }
        let CacheAccess { cycle, known, block, active, words, .. } = *access;
        // Every thread executes what is fetched: the whole line, as the thesis has it.
        let whom = match access.touch == Touch::Refill || access.cache == CacheKind::Instruction {
            true => For::Line,
            false => For::Threads(active),
        };
        let write = access.touch == Touch::Refill;
        self.array(access.cache).access(&Access { cycle, known, block, whom, words, write })
    }

    /// An access to shared memory; returns how it is held.
    pub fn hold_shared(&mut self, access: &SharedAccess) -> Held {
        self.shared.request(access.active);
        self.rows.clear();
        self.rows.extend(access.rows.iter().map(|row| Access {
            cycle: access.cycle,
            known: access.known,
            block: row.line as usize,
            whom: For::Threads(access.active),
            words: row.words,
            write: access.write,
        }));
        self.shared.access_rows(&self.rows, access.cycles)
    }

    /// What happened at every array of the SM before `cycle`.
    pub fn counts(&self, cycle: u64) -> [(ArrayKind, ArrayCounts); 5] {
        [
            (ArrayKind::L1Data, self.data.counts(cycle)),
            (ArrayKind::L1Constant, self.constant.counts(cycle)),
            (ArrayKind::L1Texture, self.texture.counts(cycle)),
            (ArrayKind::L1Instruction, self.instruction.counts(cycle)),
            (ArrayKind::Shared, self.shared.counts(cycle)),
        ]
    }
}
