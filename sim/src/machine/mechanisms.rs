//! The part of a machine description that says which mechanisms are attached and how they are set.

use super::power_caches::PowerCachesConfig;
use crate::units::lane_shift_cluster::Variant;
use crate::units::split_mask::Elision;
use serde::{Deserialize, Serialize};

/// A mechanism that can be attached to the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mechanism {
    /// Shift and re-shift stages and result collectors: the data path is real.
    Lanes,
    /// Lane power gates.
    Gating,
    /// The folding policy; warps fold if lanes are attached too.
    Folding,
    /// Schedulers issue INT and FP in stretches.
    Types,
    /// Schedulers issue full and partial masks in stretches.
    Groups,
    /// CRISP's classifier and counters.
    Crisp,
    /// CRISP-L, STALL, MISS, LEAD and CRIT, which count beside CRISP.
    Rivals,
    /// The controller of the core clock that `[dvfs]` names, which reads these counters. It is software: no block.
    Dvfs,
    /// Drowsy regions at the data, constant and texture caches, shared memory and L2.
    Drowsy,
    /// Divided word lines at the same arrays.
    Dwl,
}

impl Mechanism {
    /// Every mechanism.
    pub const ALL: [Mechanism; 10] = [
        Mechanism::Lanes,
        Mechanism::Gating,
        Mechanism::Folding,
        Mechanism::Types,
        Mechanism::Groups,
        Mechanism::Crisp,
        Mechanism::Rivals,
        Mechanism::Dvfs,
        Mechanism::Drowsy,
        Mechanism::Dwl,
    ];

    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Mechanism::Lanes => "lanes",
            Mechanism::Gating => "gating",
            Mechanism::Folding => "folding",
            Mechanism::Types => "types",
            Mechanism::Groups => "groups",
            Mechanism::Crisp => "crisp",
            Mechanism::Rivals => "rivals",
            Mechanism::Dvfs => "dvfs",
            Mechanism::Drowsy => "drowsy",
            Mechanism::Dwl => "dwl",
        }
    }

    /// The mechanism of that name.
    pub fn named(name: &str) -> Option<Mechanism> {
        Self::ALL.into_iter().find(|mechanism| mechanism.name() == name)
    }
}

/// How lanes move within their clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LaneVariant {
    /// The k-th active lane goes to lane k.
    Compact,
    /// Only lanes 2 and 3 go to 0 and 1.
    Fold,
}

/// When a fold is cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FoldElision {
    /// Never.
    None,
    /// One half would be empty.
    Half,
    /// Threads 0-15 or 16-31 are all idle.
    LiteralHalf,
    /// No cluster has more than two active lanes.
    Cluster,
}

/// Lane units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LanesConfig {
    /// `compact` or `fold`.
    pub variant: LaneVariant,
    /// `none`, `half`, `literal-half` or `cluster`.
    pub elision: FoldElision,
    /// Shift and re-shift are pipeline stages of their own; else they fit into the execution's.
    pub extra_stages: bool,
    /// Lanes move only while their type folds; other warps go around both stages.
    pub bypass: bool,
}

impl LanesConfig {
    /// As the units name it.
    pub fn variant(&self) -> Variant {
        match self.variant {
            LaneVariant::Compact => Variant::Compact,
            LaneVariant::Fold => Variant::Fold,
        }
    }

    /// As the units name it.
    pub fn elision(&self) -> Elision {
        match self.elision {
            FoldElision::None => Elision::None,
            FoldElision::Half => Elision::Half,
            FoldElision::LiteralHalf => Elision::LiteralHalf,
            FoldElision::Cluster => Elision::Cluster,
        }
    }
}

/// What has a power gate of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Granularity {
    /// Each of the 32 logical lanes.
    Lane,
    /// Each physical lane of a double-pumped SP: logical lanes l and l + 16.
    Pair,
    /// A whole pipeline of an SP.
    Unit,
}

/// Lane power gates, in core cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GatingConfig {
    /// Idle cycles before a lane is gated, at most 7.
    pub idle_detect: u8,
    /// Gated cycles that earn the switching energy back, at most 31.
    pub break_even: u8,
    /// Cycles until a lane is ready again, at most 15.
    pub wake_up: u8,
    /// A gated lane stays gated for `break_even` cycles even when it is wanted.
    pub blackout: bool,
    /// `idle_detect` grows, up to 7, while gates are often wanted back too early.
    pub adaptive_idle_detect: bool,
    /// While a type folds, the upper half of each cluster is gated at its first idle cycle.
    pub eager: bool,
    /// Lanes are kept on, or woken, for decoded instructions that wait only for arithmetic or
    /// a hit's data.
    pub look_ahead: bool,
    /// `lane`, `pair` or `unit`.
    pub granularity: Granularity,
}

/// The folding policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FoldingConfig {
    /// Core cycles of a phase, at most 1023.
    pub phase_cycles: u16,
    /// Share of a phase in which the minority type folds.
    pub aggressive_percent: u8,
    /// Share of a phase in which the majority type folds.
    pub conservative_percent: u8,
    /// Share of all possible issues in a phase that switches folding off in the next.
    pub adaptive_off_percent: u8,
    /// Share of a phase with a miss outstanding below which folding is off in the next.
    pub miss_percent: u8,
    /// Phases on one mask group before a switch is forced, at most 7.
    pub max_phases: u8,
    /// A warp whose upper lanes are not awake yet folds rather than waits for them.
    pub while_waking: bool,
}

impl FoldingConfig {
    /// So many percent of a phase, in cycles.
    pub fn cycles(&self, percent: u8) -> u16 {
        (u32::from(self.phase_cycles) * u32::from(percent) / 100) as u16
    }
}

/// CRISP's counters and the models beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrispConfig {
    /// Core cycles that MISS charges for a miss, at most 1023.
    pub miss_latency: u16,
}

/// Mechanisms and their settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MechanismsConfig {
    /// What is attached: any of `lanes`, `gating`, `folding`, `types`, `groups`, `crisp`,
    /// `rivals`, `drowsy`, `dwl`.
    pub attach: Vec<Mechanism>,
    /// Lane units.
    pub lanes: LanesConfig,
    /// Power gates.
    pub gating: GatingConfig,
    /// Folding policy.
    pub folding: FoldingConfig,
    /// CRISP.
    pub crisp: CrispConfig,
    /// Drowsy regions and divided word lines.
    pub caches: PowerCachesConfig,
}

impl MechanismsConfig {
    /// The first value that its unit's port cannot hold: key and limit.
    pub(super) fn out_of_range(&self) -> Option<(&'static str, u16)> {
        let (gating, folding) = (&self.gating, &self.folding);
        [
            ("mechanisms.gating.idle_detect", gating.idle_detect.into(), 7),
            ("mechanisms.gating.break_even", gating.break_even.into(), 31),
            ("mechanisms.gating.wake_up", gating.wake_up.into(), 15),
            ("mechanisms.folding.phase_cycles", folding.phase_cycles, 1023),
            ("mechanisms.folding.aggressive_percent", folding.aggressive_percent.into(), 100),
            ("mechanisms.folding.conservative_percent", folding.conservative_percent.into(), 100),
            ("mechanisms.folding.miss_percent", folding.miss_percent.into(), 100),
            // More than all possible issues: folding is never switched off.
            ("mechanisms.folding.adaptive_off_percent", folding.adaptive_off_percent.into(), 101),
            ("mechanisms.folding.max_phases", folding.max_phases.into(), 7),
            ("mechanisms.crisp.miss_latency", self.crisp.miss_latency, 1023),
        ]
        .into_iter()
        .find(|(_, value, most)| value > most)
        .map(|(key, _, most)| (key, most))
    }
}
