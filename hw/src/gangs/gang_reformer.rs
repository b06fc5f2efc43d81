//! Finds gangs and single warps of one original gang that have met again, and proposes to merge them.
//!
//! A Variable Warp Size Architecture, sections 4.5 and 6.4. One original gang is examined a cycle, round
//! robin, by one eight-way comparison of program counters. The paper says both that two gangs or warps
//! are combined a cycle and that any number is, so that is a setting. Under sync-N warps that reach a
//! reconvergence point wait there up to N cycles for company; one timer a set is enough, because
//! members that arrive while others wait go on together with them.

use crate::prelude::*;

/// `SETS` original gangs numbered by `SET` bits, program counters of `PC` bits.
#[derive(LogicBlock, Default)]
pub struct GangReformer<const SETS: usize, const SET: usize, const PC: usize> {
    pub(crate) clock: Signal<In, Clock>,
    pub(crate) reset: Signal<In, Bit>,
    pub(crate) gang_mask: [Signal<In, Bits<8>>; 4],
    pub(crate) gang_pc: [Signal<In, Bits<PC>>; 4],
    pub(crate) gang_open: Signal<In, Bits<4>>,
    pub(crate) single_mask: Signal<In, Bits<8>>,
    pub(crate) single_pc: [Signal<In, Bits<PC>>; 8],
    pub(crate) single_open: Signal<In, Bits<8>>,
    pub(crate) merge_taken: Signal<In, Bit>,
    pub(crate) sync_valid: Signal<In, Bit>,
    pub(crate) sync_set: Signal<In, Bits<SET>>,
    pub(crate) sync_mask: Signal<In, Bits<8>>,
    pub(crate) cfg_reform: Signal<In, Bit>,
    pub(crate) cfg_merge_all: Signal<In, Bit>,
    pub(crate) cfg_sync_wait: Signal<In, Bits<8>>,
    pub(crate) look_set: Signal<Out, Bits<SET>>,
    pub(crate) merge_valid: Signal<Out, Bit>,
    pub(crate) merge_ways: Signal<Out, Bits<4>>,
    pub(crate) merge_singles: Signal<Out, Bits<8>>,
    pub(crate) merge_pc: Signal<Out, Bits<PC>>,
    pub(crate) hold: [Signal<Out, Bits<SETS>>; 8],
    turn: Reg<Bits<SET>>,
    waiting: RegArray<SETS, 8>,
    timer: RegArray<SETS, 8>,
    open: Signal<Local, Bits<8>>,
    pc: [Signal<Local, Bits<PC>>; 8],
    mates: [Signal<Local, Bits<8>>; 8],
    same: [Signal<Local, Bits<8>>; 8],
    strangers: Signal<Local, Bits<8>>,
    found: Signal<Local, Bit>,
    paired: Signal<Local, Bit>,
    merged: Signal<Local, Bits<8>>,
    live: Signal<Local, Bits<4>>,
    one: Signal<Local, Bits<SETS>>,
    arrived: Signal<Local, Bits<SETS>>,
    busy: Signal<Local, Bits<SETS>>,
    running: Signal<Local, Bits<SETS>>,
    over: Signal<Local, Bits<SETS>>,
    start: Signal<Local, Bits<SETS>>,
    borrow: Signal<Local, Bits<SETS>>,
    count: [Signal<Local, Bits<SETS>>; 8],
    stay: [Signal<Local, Bits<SETS>>; 8],
}

rtl_block! {
    GangReformer<const SETS: usize, const SET: usize, const PC: usize>,
    "gang_reformer" in "gangs", clocked,
    VariableWarpSize "sections 4.5 and 6.4: gang reformation",
    "Finds gangs and single warps of one original gang that have met again, and proposes to merge them. \
     look_set names the set to be shown in this cycle; it moves on unless a proposal was not taken. The \
     lowest slice that has company leads. Waiting warps are held at a reconvergence point until their \
     time is over or their gang is whole; bit i of hold's element s is slice s of set i.",
    input gang_mask: "GangMask of each way of look_set";
    input gang_pc: "their program counters";
    input gang_open: "the way's gang may be merged";
    input single_mask: "warps of look_set on their own";
    input single_pc: "their program counters";
    input single_open: "the warp may be merged";
    input merge_taken: "the gang table carries the proposal out";
    input sync_valid: "warps reach a reconvergence point";
    input sync_set: "their set";
    input sync_mask: "their slices";
    input cfg_reform: "gangs are reformed at all";
    input cfg_merge_all: "merge all that have met, not two";
    input cfg_sync_wait: "cycles to wait at a reconvergence point";
    output look_set: "set to be shown";
    output merge_valid: "there is a proposal";
    output merge_ways: "gangs to merge";
    output merge_singles: "single warps to merge";
    output merge_pc: "program counter that they share, 0 without a proposal";
    output hold: "warps that wait for company";
}

impl<const SETS: usize, const SET: usize, const PC: usize> Logic for GangReformer<SETS, SET, PC> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, turn);
        clock!(self, clock, waiting, timer);
        self.look_set.next = self.turn.q.val();
        comment!("Per slice: where its warp is, with whom, and whether it may merge.");
        self.open.next = self.single_mask.val() & self.single_open.val();
        for w in 0..4 {
            if self.gang_open.val().get_bit(w) {
                self.open.next = self.open.val() | self.gang_mask[w].val();
            }
        }
        for s in 0..8 {
            self.mates[s].next = 0.into();
            self.mates[s].next = self.mates[s].val().replace_bit(s, true);
            self.pc[s].next = self.single_pc[s].val();
            for w in 0..4 {
                if self.gang_mask[w].val().get_bit(s) {
                    self.mates[s].next = self.gang_mask[w].val();
                    self.pc[s].next = self.gang_pc[w].val();
                }
            }
        }
        comment!("Row s: the open warps at the program counter of slice s.");
        for s in 0..8 {
            self.same[s].next = 0.into();
            for t in 0..8 {
                if self.open.val().get_bit(s)
                    & self.open.val().get_bit(t)
                    & (self.pc[s].val() == self.pc[t].val())
                {
                    self.same[s].next = self.same[s].val().replace_bit(t, true);
                }
            }
        }
        comment!(
            "The lowest slice that meets a warp which is not its mate, and the lowest of those."
        );
        self.found.next = false;
        self.paired.next = false;
        self.merged.next = 0.into();
        self.merge_pc.next = 0.into();
        for s in 0..8 {
            self.strangers.next = self.same[s].val() & !self.mates[s].val();
            if self.cfg_reform.val() & self.strangers.val().any() & !self.found.val() {
                self.found.next = true;
                self.merge_pc.next = self.pc[s].val();
                self.merged.next = self.mates[s].val();
                for t in 0..8 {
                    if self.strangers.val().get_bit(t)
                        & (self.cfg_merge_all.val() | !self.paired.val())
                    {
                        self.paired.next = true;
                        self.merged.next = self.merged.val() | self.mates[t].val();
                    }
                }
            }
        }
        self.merge_valid.next = self.found.val();
        self.merge_singles.next = self.merged.val() & self.single_mask.val();
        self.merge_ways.next = 0.into();
        self.live.next = 0.into();
        for w in 0..4 {
            self.merge_ways.next = self
                .merge_ways
                .val()
                .replace_bit(w, (self.gang_mask[w].val() & self.merged.val()).any());
            self.live.next = self.live.val().replace_bit(w, self.gang_mask[w].val().any());
        }
        if !self.found.val() | self.merge_taken.val() {
            self.turn.d.next = self.turn.q.val() + 1;
        }
        comment!("Waiting ends when the time is over or the set in turn is one gang.");
        self.one.next = 1.into();
        self.arrived.next = 0.into();
        if self.sync_valid.val() & self.sync_mask.val().any() & self.cfg_sync_wait.val().any() {
            self.arrived.next = self.one.val() << self.sync_set.val();
        }
        self.busy.next = 0.into();
        self.running.next = 0.into();
        for s in 0..8 {
            self.busy.next = self.busy.val() | self.waiting.q[s].val();
        }
        for k in 0..7 {
            self.running.next = self.running.val() | self.timer.q[k + 1].val();
        }
        self.over.next = self.busy.val() & !self.running.val();
        if self.live.val().any()
            & !(self.live.val() & (self.live.val() - 1)).any()
            & !self.single_mask.val().any()
        {
            self.over.next = self.over.val() | (self.one.val() << self.turn.q.val());
        }
        for s in 0..8 {
            self.stay[s].next = self.waiting.q[s].val() & !self.over.val();
            if self.sync_mask.val().get_bit(s) {
                self.stay[s].next = self.stay[s].val() | self.arrived.val();
            }
        }
        comment!("The first to wait in a set starts its timer.");
        self.start.next = self.arrived.val() & (!self.busy.val() | self.over.val());
        self.borrow.next = self.busy.val();
        for k in 0..8 {
            self.count[k].next = (self.timer.q[k].val() ^ self.borrow.val()) & !self.over.val();
            if self.cfg_sync_wait.val().get_bit(k) {
                self.count[k].next = self.count[k].val() | self.start.val();
            }
            self.borrow.next = self.borrow.val() & !self.timer.q[k].val();
        }
        for s in 0..8 {
            self.hold[s].next = self.waiting.q[s].val();
            self.waiting.d[s].next = self.stay[s].val();
            self.timer.d[s].next = self.count[s].val();
        }
    }
}
