//! The part of a machine description that says which mechanisms are attached and how they are set.

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
    /// CRISP's classifier and counters.
    Crisp,
    /// Drowsy regions at the data, constant and texture caches, shared memory and L2.
    Drowsy,
    /// Divided word lines at arrays with 128-byte lines.
    Dwl,
}

impl Mechanism {
    /// Every mechanism.
    pub const ALL: [Mechanism; 6] = [
        Mechanism::Lanes,
        Mechanism::Gating,
        Mechanism::Folding,
        Mechanism::Crisp,
        Mechanism::Drowsy,
        Mechanism::Dwl,
    ];

    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Mechanism::Lanes => "lanes",
            Mechanism::Gating => "gating",
            Mechanism::Folding => "folding",
            Mechanism::Crisp => "crisp",
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
}

/// The folding policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FoldingConfig {
    /// Core cycles of a phase, at most 1023.
    pub phase_cycles: u16,
    /// Cycles of a phase in which the minority type folds.
    pub aggressive_cycles: u16,
    /// Cycles of a phase in which the majority type folds.
    pub conservative_cycles: u16,
    /// Issues in a phase that switch folding off in the next, at most 2047.
    pub adaptive_off_issues: u16,
    /// Phases on one mask group before a switch is forced, at most 7.
    pub max_phases: u8,
}

/// CRISP's counters and the models beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrispConfig {
    /// Core cycles that MISS charges for a miss, at most 1023.
    pub miss_latency: u16,
}

/// Drowsy regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrowsyConfig {
    /// log2 of the blocks of a region, 0 to 5.
    pub region_shift: u8,
    /// Cycles until a drowsy region can be read, 1 to 3.
    pub wake_up_cycles: u8,
    /// Wakes a region when the memory instruction enters the LD/ST queue.
    pub look_ahead: bool,
}

/// Divided word lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DwlConfig {
    /// Enables segments by active thread, as the thesis does, not by touched word.
    pub lane_enable: bool,
}

/// Mechanisms and their settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MechanismsConfig {
    /// What is attached: any of `lanes`, `gating`, `folding`, `crisp`, `drowsy`, `dwl`.
    pub attach: Vec<Mechanism>,
    /// Lane units.
    pub lanes: LanesConfig,
    /// Power gates.
    pub gating: GatingConfig,
    /// Folding policy.
    pub folding: FoldingConfig,
    /// CRISP.
    pub crisp: CrispConfig,
    /// Drowsy regions.
    pub drowsy: DrowsyConfig,
    /// Divided word lines.
    pub dwl: DwlConfig,
}

impl MechanismsConfig {
    /// The first value that its unit's port cannot hold: key and limit.
    pub(super) fn out_of_range(&self) -> Option<(&'static str, u16)> {
        let (gating, folding, drowsy) = (&self.gating, &self.folding, &self.drowsy);
        [
            ("mechanisms.gating.idle_detect", gating.idle_detect.into(), 7),
            ("mechanisms.gating.break_even", gating.break_even.into(), 31),
            ("mechanisms.gating.wake_up", gating.wake_up.into(), 15),
            ("mechanisms.folding.phase_cycles", folding.phase_cycles, 1023),
            ("mechanisms.folding.aggressive_cycles", folding.aggressive_cycles, 1023),
            ("mechanisms.folding.conservative_cycles", folding.conservative_cycles, 1023),
            ("mechanisms.folding.adaptive_off_issues", folding.adaptive_off_issues, 2047),
            ("mechanisms.folding.max_phases", folding.max_phases.into(), 7),
            ("mechanisms.crisp.miss_latency", self.crisp.miss_latency, 1023),
            ("mechanisms.drowsy.region_shift", drowsy.region_shift.into(), 5),
            ("mechanisms.drowsy.wake_up_cycles", drowsy.wake_up_cycles.into(), 3),
        ]
        .into_iter()
        .find(|(_, value, most)| value > most)
        .map(|(key, _, most)| (key, most))
    }
}
