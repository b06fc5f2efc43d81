//! Decides at each phase start what is folded and which warps go first, and keeps to it for the phase.
//!
//! Origami, sections 3.1 (folding policies, adaptive folding, phase length), 3.2 and 3.3 (groups, forced
//! switch). A fold pays only if the upper lanes stay unused for long, so decisions are made a phase at a
//! time and the folding window is one stretch from the phase's start. Percentages arrive as cycles and
//! issues: no multiplier is needed to sweep them.

use crate::prelude::*;

/// The phase controller of one SM with two schedulers.
#[derive(LogicBlock, Default)]
pub struct FoldController {
    pub(crate) clock: Signal<In, Clock>,
    pub(crate) reset: Signal<In, Bit>,
    pub(crate) issued: Signal<In, Bits<2>>,
    pub(crate) int_count: Signal<In, Bits<6>>,
    pub(crate) fp_count: Signal<In, Bits<6>>,
    pub(crate) full_count: [Signal<In, Bits<5>>; 2],
    pub(crate) partial_count: [Signal<In, Bits<5>>; 2],
    pub(crate) cfg_phase_length: Signal<In, Bits<10>>,
    pub(crate) cfg_fold_aggressive: Signal<In, Bits<10>>,
    pub(crate) cfg_fold_conservative: Signal<In, Bits<10>>,
    pub(crate) cfg_adaptive_off: Signal<In, Bits<11>>,
    pub(crate) cfg_max_phases: Signal<In, Bits<3>>,
    pub(crate) phase_start: Signal<Out, Bit>,
    pub(crate) fold_int: Signal<Out, Bit>,
    pub(crate) fold_fp: Signal<Out, Bit>,
    pub(crate) majority_fp: Signal<Out, Bit>,
    pub(crate) group_full: Signal<Out, Bits<2>>,
    cycle: Reg<Bits<10>>,
    total: Reg<Bits<11>>,
    off: Reg<Bit>,
    more_fp: Reg<Bit>,
    partial: Reg<Bits<2>>,
    phases: RegArray<3, 2>,
    elapsed: Signal<Local, Bits<10>>,
    last: Signal<Local, Bit>,
    issues: Signal<Local, Bits<11>>,
    issued_so_far: Signal<Local, Bits<11>>,
    int_window: Signal<Local, Bits<10>>,
    fp_window: Signal<Local, Bits<10>>,
    spent: [Signal<Local, Bits<3>>; 2],
    want_partial: Signal<Local, Bits<2>>,
    switch: Signal<Local, Bits<2>>,
}

rtl_block! {
    FoldController,
    "fold_controller" in "folding", clocked,
    Origami "sections 3.1 to 3.3: folding policies, groups, forced switch",
    "Decides at each phase start what is folded and which warps go first, and keeps to it for the \
     phase. The type with fewer waiting warps folds for the aggressive window from the phase's start, \
     the other for the conservative one; neither does after a phase that issued cfg_adaptive_off or \
     more. Each scheduler prefers its larger mask group, but never for more than cfg_max_phases phases \
     on end.",
    input issued: "instructions issued in this cycle, 0 to 2; 3 is ignored";
    input int_count: "warps whose next instruction is INT";
    input fp_count: "warps whose next instruction is FP";
    input full_count: "waiting warps with a full mask, per scheduler";
    input partial_count: "waiting warps with a partial mask, per scheduler";
    input cfg_phase_length: "cycles of a phase; 0 acts as 1";
    input cfg_fold_aggressive: "cycles of a phase in which the minority type folds";
    input cfg_fold_conservative: "cycles of a phase in which the majority type folds";
    input cfg_adaptive_off: "issues in a phase that switch folding off in the next";
    input cfg_max_phases: "phases on one group before a switch is forced; 0 acts as 1";
    output phase_start: "this cycle is the first of a phase";
    output fold_int: "INT warps fold in this cycle";
    output fold_fp: "FP warps fold in this cycle";
    output majority_fp: "FP is the majority type of this phase";
    output group_full: "scheduler i prefers full masks in this phase";
}

impl Logic for FoldController {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, cycle, total, off, more_fp, partial);
        clock!(self, clock, phases);
        comment!("At least, not equal: a phase that is shortened under way ends at once.");
        self.elapsed.next = self.cycle.q.val() + 1;
        self.last.next = self.elapsed.val() >= self.cfg_phase_length.val();
        self.issues.next = 0.into();
        if self.issued.val() != 3 {
            self.issues.next = bit_cast::<11, 2>(self.issued.val());
        }
        self.issued_so_far.next = self.total.q.val() + self.issues.val();
        self.cycle.d.next = self.elapsed.val();
        self.total.d.next = self.issued_so_far.val();
        if self.last.val() {
            self.cycle.d.next = 0.into();
            self.total.d.next = 0.into();
            self.off.d.next = self.issued_so_far.val() >= self.cfg_adaptive_off.val();
            self.more_fp.d.next = self.fp_count.val() > self.int_count.val();
        }

        comment!("Phases on the present group when this one ends.");
        for i in 0..2 {
            self.spent[i].next = self.phases.q[i].val() + 1;
        }
        comment!("The larger group is next, but one that has had its phases yields whatever the counts say.");
        self.want_partial.next = 0.into();
        for i in 0..2 {
            self.want_partial.next = self
                .want_partial
                .val()
                .replace_bit(i, self.full_count[i].val() < self.partial_count[i].val());
        }
        self.switch.next = 0.into();
        for i in 0..2 {
            self.switch.next = self.switch.val().replace_bit(
                i,
                (self.want_partial.val().get_bit(i) ^ self.partial.q.val().get_bit(i))
                    | (self.spent[i].val() >= self.cfg_max_phases.val()),
            );
        }
        for i in 0..2 {
            self.phases.d[i].next = self.phases.q[i].val();
            if self.last.val() {
                self.phases.d[i].next = self.spent[i].val();
                if self.switch.val().get_bit(i) {
                    self.phases.d[i].next = 0.into();
                }
            }
        }
        if self.last.val() {
            self.partial.d.next = self.partial.q.val() ^ self.switch.val();
        }

        comment!("The rarer type can spare the lanes for longer.");
        self.int_window.next = self.cfg_fold_conservative.val();
        self.fp_window.next = self.cfg_fold_aggressive.val();
        if self.more_fp.q.val() {
            self.int_window.next = self.cfg_fold_aggressive.val();
            self.fp_window.next = self.cfg_fold_conservative.val();
        }
        self.fold_int.next = !self.off.q.val() & (self.cycle.q.val() < self.int_window.val());
        self.fold_fp.next = !self.off.q.val() & (self.cycle.q.val() < self.fp_window.val());
        self.phase_start.next = self.cycle.q.val() == 0;
        self.majority_fp.next = self.more_fp.q.val();
        self.group_full.next = !self.partial.q.val();
    }
}
