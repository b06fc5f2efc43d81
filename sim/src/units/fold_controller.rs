//! Decides at each phase start what is folded and which warps go first, and keeps to it for the phase.
//!
//! Origami, sections 3.1 to 3.3. What is decided comes from the counts in the last cycle of the phase
//! before. Reset state: the first cycle of a phase with INT as the majority, folding allowed and both
//! schedulers on the full-mask group, since nothing has been counted yet.

use super::Unit;

/// Schedulers of an SM.
pub const SCHEDULERS: usize = 2;

/// Instructions an SM can issue in a cycle.
pub const ISSUE_WIDTH: u8 = 2;

crate::io! {
    /// Inputs of [`FoldController`].
    pub struct In {
        /// Instructions issued in this cycle. More than [`ISSUE_WIDTH`] is ignored.
        issued: u8, 2;
        /// Warps whose next instruction is INT.
        int_count: u8, 6;
        /// Warps whose next instruction is FP.
        fp_count: u8, 6;
        /// Waiting warps with a full mask, per scheduler.
        full_count: [u8; SCHEDULERS], 5;
        /// Waiting warps with a partial mask, per scheduler.
        partial_count: [u8; SCHEDULERS], 5;
        /// Cycles of a phase; 0 acts as 1.
        cfg_phase_length: u16, 10;
        /// Cycles of a phase in which the minority type folds.
        cfg_fold_aggressive: u16, 10;
        /// Cycles of a phase in which the majority type folds.
        cfg_fold_conservative: u16, 10;
        /// Issues in a phase that switch folding off in the next.
        cfg_adaptive_off: u16, 11;
        /// Phases on one group before a switch is forced; 0 acts as 1.
        cfg_max_phases: u8, 3;
    }
}

crate::io! {
    /// Outputs of [`FoldController`].
    pub struct Out {
        /// This cycle is the first of a phase.
        phase_start: bool, 1;
        /// INT warps fold in this cycle.
        fold_int: bool, 1, from [cfg_fold_aggressive, cfg_fold_conservative];
        /// FP warps fold in this cycle.
        fold_fp: bool, 1, from [cfg_fold_aggressive, cfg_fold_conservative];
        /// FP is the majority type of this phase.
        majority_fp: bool, 1;
        /// Scheduler i prefers full masks in this phase.
        group_full: [bool; SCHEDULERS], 1;
    }
}

/// A mask group of the scheduler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Group {
    #[default]
    Full,
    Partial,
}

impl Group {
    fn other(self) -> Group {
        match self {
            Group::Full => Group::Partial,
            Group::Partial => Group::Full,
        }
    }
}

/// A scheduler's preference and for how many phases, the present one included, it has held.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Preference {
    group: Group,
    phases: u8,
}

impl Default for Preference {
    fn default() -> Self {
        Preference { group: Group::Full, phases: 1 }
    }
}

/// The phase controller of one SM.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoldController {
    cycle: u16,
    issued: u16,
    off: bool,
    majority_fp: bool,
    preference: [Preference; SCHEDULERS],
    inputs: In,
}

impl FoldController {
    fn start_phase(&mut self) {
        let inputs = &self.inputs;
        self.off = self.issued >= inputs.cfg_adaptive_off;
        self.majority_fp = inputs.fp_count > inputs.int_count;
        for (scheduler, preference) in self.preference.iter_mut().enumerate() {
            let larger = if inputs.full_count[scheduler] >= inputs.partial_count[scheduler] {
                Group::Full
            } else {
                Group::Partial
            };
            let had_enough = preference.phases >= inputs.cfg_max_phases;
            let next = if had_enough { preference.group.other() } else { larger };
            if next == preference.group {
                preference.phases += 1;
            } else {
                *preference = Preference { group: next, phases: 1 };
            }
        }
        self.cycle = 0;
        self.issued = 0;
    }
}

impl Unit for FoldController {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        self.inputs = inputs.clone();
        let (int_window, fp_window) = if self.majority_fp {
            (inputs.cfg_fold_aggressive, inputs.cfg_fold_conservative)
        } else {
            (inputs.cfg_fold_conservative, inputs.cfg_fold_aggressive)
        };
        Out {
            phase_start: self.cycle == 0,
            fold_int: !self.off && self.cycle < int_window,
            fold_fp: !self.off && self.cycle < fp_window,
            majority_fp: self.majority_fp,
            group_full: self.preference.map(|p| p.group == Group::Full),
        }
    }

    fn tick(&mut self) {
        if self.inputs.issued <= ISSUE_WIDTH {
            self.issued += u16::from(self.inputs.issued);
        }
        self.cycle += 1;
        if self.cycle >= self.inputs.cfg_phase_length {
            self.start_phase();
        }
    }

    fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A phase of ten cycles, folding for seven and four of them, off at 18 of 20 issues.
    fn ten_cycles() -> In {
        In {
            cfg_phase_length: 10,
            cfg_fold_aggressive: 7,
            cfg_fold_conservative: 4,
            cfg_adaptive_off: 18,
            cfg_max_phases: 2,
            ..In::default()
        }
    }

    fn phase(controller: &mut FoldController, inputs: &In) -> Vec<Out> {
        (0..inputs.cfg_phase_length)
            .map(|_| {
                let out = controller.eval(inputs);
                controller.tick();
                out
            })
            .collect()
    }

    fn folded(phase: &[Out]) -> (usize, usize) {
        let count = |bit: fn(&Out) -> bool| phase.iter().filter(|out| bit(out)).count();
        (count(|out| out.fold_int), count(|out| out.fold_fp))
    }

    #[test]
    fn the_minority_folds_for_longer() {
        let mut controller = FoldController::default();
        let inputs = In { int_count: 3, fp_count: 4, ..ten_cycles() };
        let first = phase(&mut controller, &inputs);
        assert_eq!(folded(&first), (4, 7), "INT is the majority until something is counted");
        assert!(first[0].phase_start && !first[1].phase_start);
        assert_eq!(folded(&phase(&mut controller, &inputs)), (7, 4));
        let tie = In { int_count: 4, ..inputs };
        assert_eq!(folded(&phase(&mut controller, &tie)), (7, 4));
        assert_eq!(folded(&phase(&mut controller, &tie)), (4, 7), "a tie goes to INT");
    }

    #[test]
    fn a_busy_phase_switches_folding_off_in_the_next() {
        let mut controller = FoldController::default();
        let busy = In { issued: 2, ..ten_cycles() };
        let quiet = In { issued: 1, ..ten_cycles() };
        let illegal = In { issued: 3, ..ten_cycles() };
        assert_eq!(folded(&phase(&mut controller, &busy)), (4, 7));
        assert_eq!(folded(&phase(&mut controller, &quiet)), (0, 0));
        assert_eq!(folded(&phase(&mut controller, &illegal)), (4, 7));
        assert_eq!(folded(&phase(&mut controller, &quiet)), (4, 7), "3 issues are ignored");
    }

    #[test]
    fn a_switch_is_forced_after_two_phases() {
        let mut controller = FoldController::default();
        let inputs = In { full_count: [9, 2], partial_count: [1, 5], ..ten_cycles() };
        let groups: Vec<_> =
            (0..7).map(|_| phase(&mut controller, &inputs)[0].group_full).collect();
        let of = |scheduler: usize| groups.iter().map(|g| g[scheduler]).collect::<Vec<_>>();
        assert_eq!(of(0), [true, true, false, true, true, false, true]);
        assert_eq!(of(1), [true, false, false, true, false, false, true]);
    }

    #[test]
    fn lengths_of_zero_act_as_one() {
        let mut controller = FoldController::default();
        let inputs = In { cfg_phase_length: 0, cfg_max_phases: 0, ..ten_cycles() };
        for expected in [true, false, true, false] {
            let out = controller.eval(&inputs);
            assert!(out.phase_start);
            assert_eq!(out.group_full, [expected; 2]);
            controller.tick();
        }
    }
}
