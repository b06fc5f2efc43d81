//! The part of a machine description that sets the power-aware caches, each array by itself.

use serde::{Deserialize, Serialize};

/// An on-chip memory that the power-aware caches are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArrayKind {
    /// L1 data cache.
    L1Data,
    /// All slices of the L2.
    L2,
    /// Constant cache.
    L1Constant,
    /// Texture cache.
    L1Texture,
    /// Shared memory.
    Shared,
    /// Instruction cache.
    L1Instruction,
}

impl ArrayKind {
    /// Every array, in the order of the thesis.
    pub const ALL: [ArrayKind; 6] = [
        ArrayKind::L1Data,
        ArrayKind::L2,
        ArrayKind::L1Constant,
        ArrayKind::L1Texture,
        ArrayKind::Shared,
        ArrayKind::L1Instruction,
    ];

    /// Its name in descriptions and places.
    pub fn name(self) -> &'static str {
        match self {
            ArrayKind::L1Data => "l1_data",
            ArrayKind::L2 => "l2",
            ArrayKind::L1Constant => "l1_constant",
            ArrayKind::L1Texture => "l1_texture",
            ArrayKind::Shared => "shared",
            ArrayKind::L1Instruction => "l1_instruction",
        }
    }
}

/// What opens a segment of a divided word line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Enable {
    /// Thread i of the warp is active: segment i, whatever the thread reads.
    Lane,
    /// Some thread touches the word.
    Word,
}

/// How much of shared memory is awake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SharedWake {
    /// One region of whole rows; an access wakes its distinct regions one after the other.
    Row,
    /// A region of its own in every bank.
    Bank,
}

/// Static power of a whole array by supply, in the unit of the thesis' table 4-2.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StaticPower {
    /// At 0.2 V.
    pub mv200: f64,
    /// At 0.3 V.
    pub mv300: f64,
    /// At 0.4 V.
    pub mv400: f64,
    /// At 0.9 V: awake.
    pub mv900: f64,
}

/// One array.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArrayConfig {
    /// Whether it has drowsy regions, where these are attached.
    pub drowsy: bool,
    /// Blocks of a region: 1, 2, 4, 8, 16 or 32.
    pub region_blocks: u8,
    /// Cycles until a drowsy region can be read, 1 to 3.
    pub wake_up_cycles: u8,
    /// Cycles before its array is read that an access's block is known, 0 to 15.
    pub look_ahead_cycles: u8,
    /// Supply of a drowsy region in millivolts: 200, 300 or 400.
    pub drowsy_mv: u16,
    /// `word` or `lane`.
    pub enable: Enable,
    /// Of one SM's array; of the whole L2.
    pub static_power: StaticPower,
}

impl ArrayConfig {
    /// log2 of the blocks of a region.
    pub fn region_shift(&self) -> u8 {
        self.region_blocks.trailing_zeros() as u8
    }

    /// Static power of the array when all of it is drowsy.
    pub fn drowsy_power(&self) -> f64 {
        match self.drowsy_mv {
            200 => self.static_power.mv200,
            300 => self.static_power.mv300,
            _ => self.static_power.mv400,
        }
    }

    /// The first value that is out of range: key and what it must be.
    fn fault(&self) -> Option<(&'static str, &'static str)> {
        [
            (
                "region_blocks",
                self.region_blocks.is_power_of_two() && self.region_blocks <= 32,
                "must be 1, 2, 4, 8, 16 or 32",
            ),
            ("wake_up_cycles", (1..=3).contains(&self.wake_up_cycles), "must be from 1 to 3"),
            ("look_ahead_cycles", self.look_ahead_cycles <= 15, "must be at most 15"),
            (
                "drowsy_mv",
                matches!(self.drowsy_mv, 200 | 300 | 400),
                "must be 200, 300 or 400: the supplies that static_power is known for",
            ),
        ]
        .into_iter()
        .find(|(_, right, _)| !right)
        .map(|(key, _, says)| (key, says))
    }
}

/// Energy of the parts of an access, in femtojoules.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArrayEnergyConfig {
    /// Milliwatts that 1.0 in `static_power` stands for.
    pub static_unit_mw: f64,
    /// Row decoder, an access.
    pub decoder: f64,
    /// Word line of a 4-byte segment.
    pub word_line: f64,
    /// Bit lines of a segment that is read.
    pub bit_lines_read: f64,
    /// Bit lines of a segment that is written.
    pub bit_lines_write: f64,
    /// Sense amplifiers of a segment that is read.
    pub sense_amplifiers: f64,
    /// The main word line that a divided one needs beside its segments, an access.
    pub dwl_main_line: f64,
    /// Enable line of a segment that opens.
    pub dwl_enable: f64,
    /// Raising the supply of a 128-byte block.
    pub wake_up: f64,
    /// Comparing the tags of the filter, a look.
    pub filter_tags: f64,
    /// A word read from or written to the filter.
    pub filter_word: f64,
}

/// Drowsy regions, divided word lines and the filter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PowerCachesConfig {
    /// `row` or `bank`.
    pub shared_wake: SharedWake,
    /// Lines of the filter in front of the L1 data cache; 0 for none.
    pub filter_lines: usize,
    /// L1 data cache.
    pub l1_data: ArrayConfig,
    /// Constant cache.
    pub l1_constant: ArrayConfig,
    /// Texture cache.
    pub l1_texture: ArrayConfig,
    /// Instruction cache.
    pub l1_instruction: ArrayConfig,
    /// Shared memory.
    pub shared: ArrayConfig,
    /// Each slice of the L2; its static power is that of all slices.
    pub l2: ArrayConfig,
    /// Energy of an access.
    pub energy: ArrayEnergyConfig,
}

impl PowerCachesConfig {
    /// How an array is set.
    pub fn array(&self, kind: ArrayKind) -> &ArrayConfig {
        match kind {
            ArrayKind::L1Data => &self.l1_data,
            ArrayKind::L2 => &self.l2,
            ArrayKind::L1Constant => &self.l1_constant,
            ArrayKind::L1Texture => &self.l1_texture,
            ArrayKind::Shared => &self.shared,
            ArrayKind::L1Instruction => &self.l1_instruction,
        }
    }

    /// The first value that is out of range: its key and what it must be.
    pub(super) fn fault(&self) -> Option<(String, &'static str)> {
        if self.filter_lines > 64 {
            return Some(("mechanisms.caches.filter_lines".into(), "must be at most 64"));
        }
        ArrayKind::ALL.into_iter().find_map(|kind| {
            let (key, says) = self.array(kind).fault()?;
            Some((format!("mechanisms.caches.{}.{key}", kind.name()), says))
        })
    }
}
