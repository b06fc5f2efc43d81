//! How the power-aware caches of a point are set.

use lanewise_sim::machine::config::ArrayKind;
use serde::{Deserialize, Serialize};

/// What differs from drowsy regions alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Variant {
    /// All arrays but the instruction cache, as the thesis reports.
    Plain,
    /// Blocks are known as many cycles before as a wake-up takes.
    LookAhead,
    /// The instruction cache too.
    Instruction,
    /// A filter cache in front of the L1 data cache.
    Filter,
    /// Shared memory has a region awake in every bank.
    Bank,
}

impl Variant {
    /// Every variant.
    pub const ALL: [Variant; 5] =
        [Variant::Plain, Variant::LookAhead, Variant::Instruction, Variant::Filter, Variant::Bank];

    /// For tables and plots.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Plain => "plain",
            Variant::LookAhead => "look-ahead",
            Variant::Instruction => "with instruction cache",
            Variant::Filter => "with filter",
            Variant::Bank => "shared by bank",
        }
    }
}

/// Lines of the filter where there is one.
pub const FILTER_LINES: usize = 4;

/// One setting of the drowsy regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Setting {
    /// Blocks of a region (G).
    pub region: u8,
    /// Wake-up cycles (W).
    pub wake_up: u8,
    /// What else.
    pub variant: Variant,
}

impl Setting {
    /// As values of the machine.
    pub fn overrides(&self) -> Vec<String> {
        let mut set = vec!["mechanisms.attach=drowsy".to_string()];
        let look_ahead = if self.variant == Variant::LookAhead { self.wake_up } else { 0 };
        for array in ArrayKind::ALL.map(ArrayKind::name) {
            set.push(format!("mechanisms.caches.{array}.region_blocks={}", self.region));
            set.push(format!("mechanisms.caches.{array}.wake_up_cycles={}", self.wake_up));
            set.push(format!("mechanisms.caches.{array}.look_ahead_cycles={look_ahead}"));
        }
        set.push(format!(
            "mechanisms.caches.l1_instruction.drowsy={}",
            self.variant == Variant::Instruction
        ));
        let filter = if self.variant == Variant::Filter { FILTER_LINES } else { 0 };
        set.push(format!("mechanisms.caches.filter_lines={filter}"));
        let wake = if self.variant == Variant::Bank { "bank" } else { "row" };
        set.push(format!("mechanisms.caches.shared_wake={wake}"));
        set
    }
}

/// The machine without drowsy regions, with divided word lines, which change no timing.
pub fn reference() -> Vec<String> {
    vec!["mechanisms.attach=dwl".into(), "mechanisms.caches.filter_lines=0".into()]
}
