//! The folding policy: mask groups are counted, the controller decides, schedulers follow.

use super::{AttachError, Boxed, UnitSource};
use crate::machine::config::{FoldingConfig, MachineConfig};
use crate::machine::sm::decode::SpPipe;
use crate::machine::sm::hooks::{CycleSignals, WarpKinds};
use crate::machine::sm::scheduler::WarpSet;
use crate::units::all_ones_detector::{self, AllOnesDetector};
use crate::units::fold_controller::{self, FoldController, SCHEDULERS};
use crate::units::group_counters::{self, GroupCounters};
use std::collections::VecDeque;

/// The groups of one scheduler.
struct Group {
    detector: Boxed<AllOnesDetector>,
    counters: Boxed<GroupCounters>,
    /// Warps of this scheduler.
    share: WarpSet,
    /// Warps that have been counted, and those of them with a full mask.
    counted: WarpSet,
    full: WarpSet,
    /// Changes that have not been counted yet, two a cycle: whether it enters, and whether it is full.
    changes: VecDeque<(bool, bool)>,
}

impl Group {
    /// Notes what has changed in the instruction buffer.
    fn follow(&mut self, kinds: &WarpKinds) {
        let (now, full) = (kinds.buffered & self.share, kinds.full & self.share);
        let same = self.counted & now & !(self.full ^ full);
        for w in 0..64 {
            let bit = 1 << w;
            if same & bit != 0 {
                continue;
            }
            if self.counted & bit != 0 {
                self.changes.push_back((false, self.full & bit != 0));
            }
            if now & bit != 0 {
                self.changes.push_back((true, full & bit != 0));
            }
        }
        self.counted = now;
        self.full = full;
    }

    fn cycle(&mut self) -> group_counters::Out {
        let mut inputs = group_counters::In::default();
        let (mut enters, mut leaves) = (0, 0);
        let mut masks = [0; 2];
        while let Some(&(enter, full)) = self.changes.front() {
            match enter {
                true if enters < 2 => {
                    masks[enters] = if full { u32::MAX } else { 1 };
                    inputs.enter_valid[enters] = true;
                    enters += 1;
                }
                false if leaves < 2 => {
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
            inputs.enter_full = [out.full[0] && enters > 0, out.full[1] && enters > 1];
        }
        let out = self.counters.eval(&inputs);
        self.counters.tick();
        out
    }
}

/// The folding policy of one SM; see the module's text.
pub struct Folding {
    groups: Vec<Group>,
    controller: Boxed<FoldController>,
    config: FoldingConfig,
    /// The controller's outputs in this cycle, once somebody has asked.
    now: Option<fold_controller::Out>,
    /// The type that schedulers prefer until no ready warp has it.
    current: SpPipe,
}

impl Folding {
    /// Detectors and counters for each scheduler, and a controller, for the SM at `place`.
    pub fn new(
        place: &str,
        config: &MachineConfig,
        source: &impl UnitSource,
    ) -> Result<Self, AttachError> {
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
                changes: VecDeque::new(),
            })
        };
        Ok(Folding {
            groups: (0..SCHEDULERS).map(group).collect::<Result<_, _>>()?,
            controller: source.unit(
                "fold_controller",
                &format!("{place}/fold_controller"),
                FoldController::default(),
            )?,
            config: config.mechanisms.folding,
            now: None,
            current: SpPipe::Int,
        })
    }

    fn inputs(&self) -> fold_controller::In {
        fold_controller::In {
            cfg_phase_length: self.config.phase_cycles,
            cfg_fold_aggressive: self.config.aggressive_cycles,
            cfg_fold_conservative: self.config.conservative_cycles,
            cfg_adaptive_off: self.config.adaptive_off_issues,
            cfg_max_phases: self.config.max_phases,
            ..Default::default()
        }
    }

    fn outputs(&mut self) -> &fold_controller::Out {
        let inputs = self.inputs();
        let controller = &mut self.controller;
        self.now.get_or_insert_with(|| controller.eval(&inputs))
    }

    /// Whether instructions of a pipeline fold in this cycle.
    pub fn folds(&mut self, pipe: SpPipe) -> bool {
        let out = self.outputs();
        match pipe {
            SpPipe::Int => out.fold_int,
            SpPipe::Fp => out.fold_fp,
        }
    }

    /// Whether anything folds in this cycle.
    pub fn is_on(&mut self) -> bool {
        self.folds(SpPipe::Int) || self.folds(SpPipe::Fp)
    }

    /// First the current type, then the current mask group; what cannot issue yields.
    pub fn prefer(&mut self, scheduler: usize, ready: WarpSet, kinds: &WarpKinds) -> WarpSet {
        let of = |pipe| if pipe == SpPipe::Int { kinds.int } else { kinds.fp };
        let out = self.outputs();
        let group = if out.group_full[scheduler] { kinds.full } else { !kinds.full };
        if ready & of(self.current) == 0 {
            self.current = if self.current == SpPipe::Int { SpPipe::Fp } else { SpPipe::Int };
        }
        let typed = match ready & of(self.current) {
            0 => ready,
            typed => typed,
        };
        match typed & group {
            0 => typed,
            grouped => grouped,
        }
    }

    /// So many cycles with these signals have passed.
    pub fn cycles(&mut self, signals: &CycleSignals, count: u64) {
        let kinds = &signals.kinds;
        for _ in 0..count {
            let mut inputs = self.inputs();
            for (s, group) in self.groups.iter_mut().enumerate() {
                group.follow(kinds);
                let out = group.cycle();
                inputs.full_count[s] = out.full_count;
                inputs.partial_count[s] = out.partial_count;
            }
            inputs.issued = signals.issued.min(2) as u8;
            inputs.int_count = (kinds.int & kinds.buffered).count_ones() as u8;
            inputs.fp_count = (kinds.fp & kinds.buffered).count_ones() as u8;
            let out = self.controller.eval(&inputs);
            self.controller.tick();
            self.now = None;
            if out.phase_start {
                let more_fp = inputs.fp_count > inputs.int_count;
                self.current = if more_fp { SpPipe::Fp } else { SpPipe::Int };
            }
        }
    }
}
