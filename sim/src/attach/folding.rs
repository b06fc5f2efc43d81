//! The folding policy: mask groups are counted, and the controller decides what folds and which group goes first.

use super::{AttachError, Boxed, UnitSource};
use crate::exec::LaneMask;
use crate::machine::config::{FoldingConfig, MachineConfig, Mechanism};
use crate::machine::sm::hooks::{CycleSignals, WarpKinds};
use crate::machine::sm::scheduler::WarpSet;
use crate::units::all_ones_detector::{self, AllOnesDetector};
use crate::units::fold_controller::{self, FoldController, ISSUE_WIDTH, SCHEDULERS};
use crate::units::group_counters::{self, GroupCounters};
use std::collections::VecDeque;

/// The largest count of issues that the controller's port holds.
const MOST_ISSUES: u32 = 2047;

/// The groups of one scheduler.
struct Group {
    detector: Boxed<AllOnesDetector>,
    counters: Boxed<GroupCounters>,
    /// Warps of this scheduler.
    share: WarpSet,
    /// Warps that have been counted, and those of them with a full mask.
    counted: WarpSet,
    full: WarpSet,
    /// What the counters show while nothing changes.
    shown: group_counters::Out,
    /// Changes that have not been counted yet, two of a kind a cycle.
    changes: VecDeque<Change>,
}

/// What happens to an instruction in the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// It comes, with these lanes.
    Enters(LaneMask),
    /// It goes, and had a full mask or not.
    Leaves { full: bool },
}

impl Group {
    /// Notes what has changed in the instruction buffer, where each warp has these lanes.
    fn follow(&mut self, kinds: &WarpKinds, lanes: &[LaneMask]) {
        let (now, full) = (kinds.buffered & self.share, kinds.full & self.share);
        let mut changed = self.counted ^ now | self.counted & now & (self.full ^ full);
        while changed != 0 {
            let bit = changed & changed.wrapping_neg();
            changed ^= bit;
            if self.counted & bit != 0 {
                self.changes.push_back(Change::Leaves { full: self.full & bit != 0 });
            }
            if now & bit != 0 {
                self.changes.push_back(Change::Enters(lanes[bit.trailing_zeros() as usize]));
            }
        }
        self.counted = now;
        self.full = full;
    }

    fn cycle(&mut self) -> group_counters::Out {
        if self.changes.is_empty() {
            self.detector.pass(1);
            self.counters.pass(1);
            return self.shown.clone();
        }
        let mut inputs = group_counters::In::default();
        let (mut enters, mut leaves) = (0, 0);
        let mut masks = [0; 2];
        while let Some(&change) = self.changes.front() {
            match change {
                Change::Enters(lanes) if enters < 2 => {
                    masks[enters] = lanes.0;
                    inputs.enter_valid[enters] = true;
                    enters += 1;
                }
                Change::Leaves { full } if leaves < 2 => {
                    inputs.leave_valid[leaves] = true;
                    inputs.leave_full[leaves] = full;
                    leaves += 1;
                }
                _ => break,
            }
            self.changes.pop_front();
        }
        if enters > 0 {
            let out = self.detector.eval(&all_ones_detector::In { mask: masks });
            self.detector.tick();
            inputs.enter_full = [out.full[0] && enters > 0, out.full[1] && enters > 1];
        } else {
            self.detector.pass(1);
        }
        let out = self.counters.eval(&inputs);
        self.counters.tick();
        self.shown = self.counters.eval(&group_counters::In::default());
        out
    }
}

/// The controller's `cfg_*` inputs.
fn settings(config: &FoldingConfig) -> fold_controller::In {
    let issues = u32::from(config.phase_cycles) * u32::from(ISSUE_WIDTH);
    let off = issues * u32::from(config.adaptive_off_percent) / 100;
    fold_controller::In {
        cfg_phase_length: config.phase_cycles,
        cfg_fold_aggressive: config.cycles(config.aggressive_percent),
        cfg_fold_conservative: config.cycles(config.conservative_percent),
        cfg_adaptive_off: off.min(MOST_ISSUES) as u16,
        cfg_max_phases: config.max_phases,
        ..Default::default()
    }
}

/// The folding policy of one SM; see the module's text.
pub struct Folding {
    /// Empty if schedulers do not look at groups.
    groups: Vec<Group>,
    /// The lanes of each warp's next instruction, if it has one.
    lanes: Vec<LaneMask>,
    controller: Boxed<FoldController>,
    config: FoldingConfig,
    /// The controller's inputs that never change.
    settings: fold_controller::In,
    /// Whether the controller's word on folding counts.
    folds: bool,
    /// The controller's outputs in this cycle, once somebody has asked.
    now: Option<fold_controller::Out>,
    /// Cycles of this phase so far, and those of them with a miss outstanding.
    phase: u16,
    missing: u16,
    /// Cycles in which INT and FP folded.
    pub folding_cycles: [u64; 2],
}

impl Folding {
    /// A controller, and with groups detectors and counters for each scheduler, for the SM at `place`.
    pub fn new(
        place: &str,
        config: &MachineConfig,
        source: &impl UnitSource,
    ) -> Result<Self, AttachError> {
        let has = |mechanism| config.mechanisms.attach.contains(&mechanism);
        if config.sm.schedulers != SCHEDULERS {
            let message = format!(
                "folding needs sm.schedulers = {SCHEDULERS}, the machine has {}",
                config.sm.schedulers
            );
            return Err(AttachError(message));
        }
        let group = |s: usize| -> Result<Group, AttachError> {
            let at = |block: &str| format!("{place}/scheduler{s}/{block}");
            Ok(Group {
                detector: source.unit(
                    "all_ones_detector",
                    &at("all_ones_detector"),
                    AllOnesDetector,
                )?,
                counters: source.unit(
                    "group_counters",
                    &at("group_counters"),
                    GroupCounters::default(),
                )?,
                share: (s..config.sm.warps).step_by(SCHEDULERS).fold(0, |set, w| set | 1 << w),
                counted: 0,
                full: 0,
                shown: group_counters::Out::default(),
                changes: VecDeque::new(),
            })
        };
        Ok(Folding {
            groups: (0..SCHEDULERS)
                .filter(|_| has(Mechanism::Groups))
                .map(group)
                .collect::<Result<_, _>>()?,
            lanes: vec![LaneMask::NONE; config.sm.warps],
            controller: source.unit(
                "fold_controller",
                &format!("{place}/fold_controller"),
                FoldController::default(),
            )?,
            config: config.mechanisms.folding,
            settings: settings(&config.mechanisms.folding),
            folds: has(Mechanism::Folding) && has(Mechanism::Lanes),
            now: None,
            phase: 0,
            missing: 0,
            folding_cycles: [0; 2],
        })
    }

    fn outputs(&mut self) -> &fold_controller::Out {
        let (controller, settings) = (&mut self.controller, &self.settings);
        self.now.get_or_insert_with(|| controller.eval(settings))
    }

    /// Which of INT and FP fold in this cycle.
    pub fn folds(&mut self) -> [bool; 2] {
        let folds = self.folds;
        let out = self.outputs();
        [folds && out.fold_int, folds && out.fold_fp]
    }

    /// The lanes of a warp's next instruction.
    pub fn next_lanes(&mut self, warp: usize, active: LaneMask) {
        self.lanes[warp] = active;
    }

    /// Warps of the mask group that a scheduler prefers: all of them if groups do not count.
    pub fn group(&mut self, scheduler: usize, kinds: &WarpKinds) -> WarpSet {
        if self.groups.is_empty() {
            return WarpSet::MAX;
        }
        match self.outputs().group_full[scheduler] {
            true => kinds.full,
            false => !kinds.full,
        }
    }

    /// Whether a phase ends in which the SM had too little to wait for to fold in the next.
    fn was_busy(&mut self, signals: &CycleSignals) -> bool {
        self.phase += 1;
        self.missing += u16::from(signals.load_outstanding);
        if self.phase < self.config.phase_cycles {
            return false;
        }
        let missing = std::mem::take(&mut self.missing);
        self.phase = 0;
        missing < self.config.cycles(self.config.miss_percent)
    }

    /// So many cycles with these signals have passed.
    pub fn cycles(&mut self, signals: &CycleSignals, count: u64) {
        let kinds = &signals.kinds;
        for _ in 0..count {
            let folds = self.folds();
            self.folding_cycles.iter_mut().zip(folds).for_each(|(sum, on)| *sum += u64::from(on));
            let mut inputs = self.settings.clone();
            for (s, group) in self.groups.iter_mut().enumerate() {
                group.follow(kinds, &self.lanes);
                let out = group.cycle();
                inputs.full_count[s] = out.full_count;
                inputs.partial_count[s] = out.partial_count;
            }
            if self.was_busy(signals) {
                // No number of issues is small enough.
                inputs.cfg_adaptive_off = 0;
            }
            inputs.issued = signals.issued.min(ISSUE_WIDTH.into()) as u8;
            inputs.int_count = (kinds.int & kinds.buffered).count_ones() as u8;
            inputs.fp_count = (kinds.fp & kinds.buffered).count_ones() as u8;
            self.controller.eval(&inputs);
            self.controller.tick();
            self.now = None;
        }
    }
}
