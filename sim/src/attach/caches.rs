//! Drowsy regions and divided word lines at the arrays of an SM.

use super::{AttachError, Boxed, UnitSource};
use crate::machine::config::{DrowsyConfig, MachineConfig, Mechanism};
use crate::machine::sm::hooks::CacheAccess;
use crate::machine::sm::l1::CacheKind;
use crate::units::drowsy_regions::{self, DrowsyRegions};
use crate::units::dwl_gate::{self, DwlGate};

/// Cycles after which a drowsy control that nobody asks has settled.
const SETTLED: u64 = 4;
/// Rows of a sub-array of word lines.
const ROWS: usize = 128;

/// The drowsy control of an array with any number of blocks.
pub(super) trait Drowsy: Send {
    /// An access in this cycle; returns for how many cycles it has to wait.
    fn access(&mut self, cycle: u64, block: usize) -> u64;
    /// An access to this block is to come.
    fn early(&mut self, cycle: u64, block: usize);
}

struct Regions<const BLOCKS: usize> {
    unit: Boxed<DrowsyRegions<BLOCKS>>,
    config: DrowsyConfig,
    /// The cycle that the unit has reached.
    cycle: u64,
}

impl<const BLOCKS: usize> Regions<BLOCKS> {
    fn inputs(&self) -> drowsy_regions::In<BLOCKS> {
        drowsy_regions::In {
            cfg_region_shift: self.config.region_shift,
            cfg_wake_up: self.config.wake_up_cycles,
            ..Default::default()
        }
    }

    /// Lets the unit catch up with the machine.
    fn catch_up(&mut self, cycle: u64) {
        let behind = cycle.saturating_sub(self.cycle);
        let idle = self.inputs();
        for _ in 0..behind.min(SETTLED) {
            self.unit.eval(&idle);
            self.unit.tick();
        }
        if behind > SETTLED {
            self.unit.pass(behind - SETTLED);
        }
        self.cycle += behind;
    }
}

impl<const BLOCKS: usize> Drowsy for Regions<BLOCKS> {
    fn access(&mut self, cycle: u64, block: usize) -> u64 {
        self.catch_up(cycle);
        let inputs =
            drowsy_regions::In { access_valid: true, access_block: block as u16, ..self.inputs() };
        let most = u64::from(self.config.wake_up_cycles.max(1)) + 1;
        for waited in 0..=most {
            let ready = self.unit.eval(&inputs).ready;
            self.unit.tick();
            self.cycle += 1;
            if ready {
                return waited;
            }
        }
        // A unit that never answers must not stop the machine; lockstep tells of it.
        most
    }

    fn early(&mut self, cycle: u64, block: usize) {
        self.catch_up(cycle);
        let inputs =
            drowsy_regions::In { early_valid: true, early_block: block as u16, ..self.inputs() };
        self.unit.eval(&inputs);
        self.unit.tick();
        self.cycle += 1;
    }
}

/// The drowsy control of an array of `blocks` blocks.
pub(super) fn drowsy(
    blocks: usize,
    instance: &str,
    config: &DrowsyConfig,
    source: &impl UnitSource,
) -> Result<Box<dyn Drowsy>, AttachError> {
    fn regions<const BLOCKS: usize>(
        entry: &str,
        instance: &str,
        config: &DrowsyConfig,
        source: &impl UnitSource,
    ) -> Result<Box<dyn Drowsy>, AttachError> {
        let unit = source.unit(entry, instance, DrowsyRegions::<BLOCKS>::default())?;
        Ok(Box::new(Regions::<BLOCKS> { unit, config: *config, cycle: 0 }))
    }
    match blocks {
        16 => regions::<16>("drowsy_regions__blocks_16", instance, config, source),
        96 => regions::<96>("drowsy_regions__blocks_96", instance, config, source),
        128 => regions::<128>("drowsy_regions", instance, config, source),
        384 => regions::<384>("drowsy_regions__blocks_384", instance, config, source),
        1024 => regions::<1024>("drowsy_regions__blocks_1024", instance, config, source),
        other => Err(AttachError(format!(
            "{instance}: there is no drowsy_regions for {other} blocks; the catalogue has 16, 96, 128, \
             384 and 1024"
        ))),
    }
}

/// The word lines of an array whose lines have 32 words.
struct WordLines {
    unit: Boxed<DwlGate<ROWS, 32>>,
    lane_enable: bool,
}

impl WordLines {
    /// Opens the word line of an access; returns how many segments opened.
    fn open(&mut self, access: &CacheAccess) -> u64 {
        let mut inputs = dwl_gate::In::<ROWS, 32> {
            lane_mask: access.lanes.0,
            word_mask: access.words,
            full_enable: access.refill,
            cfg_lane_enable: self.lane_enable,
            ..Default::default()
        };
        inputs.row_select[access.block % ROWS] = true;
        let out = self.unit.eval(&inputs);
        u64::from(out.word_line[access.block % ROWS].count_ones())
    }
}

/// One array: a cache or shared memory.
struct Array {
    drowsy: Option<Box<dyn Drowsy>>,
    lines: Option<WordLines>,
    /// Accesses that waited and for how long, and the segments that opened.
    held_cycles: u64,
    segments: u64,
    accesses: u64,
}

/// The arrays of one SM; see the module's text.
pub struct Caches {
    data: Array,
    constant: Array,
    texture: Array,
    shared: Array,
    look_ahead: bool,
}

impl Caches {
    /// Controls for every array of the SM at `place`.
    pub fn new(
        place: &str,
        config: &MachineConfig,
        source: &impl UnitSource,
    ) -> Result<Self, AttachError> {
        let has = |mechanism| config.mechanisms.attach.contains(&mechanism);
        let settings = &config.mechanisms.drowsy;
        let array = |name: &str, blocks: usize, words: usize| -> Result<Array, AttachError> {
            let at = |block: &str| format!("{place}/{name}/{block}");
            let drowsy = match has(Mechanism::Drowsy) {
                true => Some(drowsy(blocks, &at("drowsy_regions"), settings, source)?),
                false => None,
            };
            let lines = match has(Mechanism::Dwl) && words == 32 {
                true => Some(WordLines {
                    unit: source.unit("dwl_gate", &at("dwl_gate"), DwlGate::<ROWS, 32>)?,
                    lane_enable: config.mechanisms.dwl.lane_enable,
                }),
                false => None,
            };
            Ok(Array { drowsy, lines, held_cycles: 0, segments: 0, accesses: 0 })
        };
        let cache = |name: &str, c: &crate::machine::config::CacheConfig| {
            array(name, c.sets * c.ways, c.line_bytes / 4)
        };
        Ok(Caches {
            data: cache("l1_data", &config.l1_data)?,
            constant: cache("l1_constant", &config.l1_constant)?,
            texture: cache("l1_texture", &config.l1_texture)?,
            shared: array("shared", config.sm.shared_bytes / (config.sm.shared_banks * 4), 32)?,
            look_ahead: settings.look_ahead,
        })
    }

    fn array(&mut self, cache: Option<CacheKind>) -> Option<&mut Array> {
        match cache {
            None => Some(&mut self.shared),
            Some(CacheKind::Data) => Some(&mut self.data),
            Some(CacheKind::Constant) => Some(&mut self.constant),
            Some(CacheKind::Texture) => Some(&mut self.texture),
            Some(CacheKind::Instruction) => None,
        }
    }

    /// A block that will be accessed soon is woken, where the machine looks ahead.
    pub fn early(&mut self, access: &CacheAccess) {
        if !self.look_ahead {
            return;
        }
        if let Some(drowsy) = self.array(access.cache).and_then(|array| array.drowsy.as_mut()) {
            drowsy.early(access.cycle, access.block);
        }
    }

    /// An access; returns for how many cycles it has to wait.
    pub fn hold(&mut self, access: &CacheAccess) -> u64 {
        let Some(array) = self.array(access.cache) else { return 0 };
        array.accesses += 1;
        if let Some(lines) = &mut array.lines {
            array.segments += lines.open(access);
        }
        let held = array.drowsy.as_mut().map_or(0, |d| d.access(access.cycle, access.block));
        array.held_cycles += held;
        held
    }

    /// By array: its name, accesses, cycles they waited, and word-line segments that opened.
    pub fn counts(&self) -> [(&'static str, u64, u64, u64); 4] {
        let of = |name, a: &Array| (name, a.accesses, a.held_cycles, a.segments);
        [
            of("l1_data", &self.data),
            of("l1_constant", &self.constant),
            of("l1_texture", &self.texture),
            of("shared", &self.shared),
        ]
    }
}
