//! Knows where every warp of an SM is: in which gang of its original gang, or on its own.
//!
//! A Variable Warp Size Architecture, section 4.3: the gang table without the program counters. The
//! table has one set an original gang and four ways a set, because eight warps make at most four gangs
//! of two. It is stored by columns: plane `8*w + s` holds slice s of the GangMask in way w, one bit a set,
//! so that what happens to all sets alike (ready, issue, exit) is one bitwise operation.
//!
//! Order within a cycle: warp exits first, then issues, then the operation, then the fill. What a later
//! one would do to a gang that an earlier one has touched is refused. A refused request changes nothing
//! and raises its error output.

use super::gang_operation::GangOperation;
use crate::prelude::*;

/// `SETS` original gangs of eight warps; `SET` bits number them.
#[derive(LogicBlock, Default)]
pub struct GangDirectory<const SETS: usize, const SET: usize> {
    pub(crate) clock: Signal<In, Clock>,
    pub(crate) reset: Signal<In, Bit>,
    pub(crate) op_valid: Signal<In, Bit>,
    pub(crate) op_code: Signal<In, Bits<3>>,
    pub(crate) op_set: Signal<In, Bits<SET>>,
    pub(crate) op_ways: Signal<In, Bits<4>>,
    pub(crate) op_group_mask: [Signal<In, Bits<8>>; 4],
    pub(crate) op_single_mask: Signal<In, Bits<8>>,
    pub(crate) fill_valid: Signal<In, Bit>,
    pub(crate) fill_set: Signal<In, Bits<SET>>,
    pub(crate) fill_way: Signal<In, Bits<2>>,
    pub(crate) fill_control: Signal<In, Bit>,
    pub(crate) issue: [Signal<In, Bits<SETS>>; 4],
    pub(crate) ready_valid: Signal<In, Bits<8>>,
    pub(crate) ready_set: [Signal<In, Bits<SET>>; 8],
    pub(crate) exit_valid: Signal<In, Bits<8>>,
    pub(crate) exit_set: [Signal<In, Bits<SET>>; 8],
    pub(crate) look_set: Signal<In, Bits<SET>>,
    pub(crate) op_error: Signal<Out, Bit>,
    pub(crate) fill_error: Signal<Out, Bit>,
    pub(crate) issue_error: Signal<Out, Bit>,
    pub(crate) ready_error: Signal<Out, Bits<8>>,
    pub(crate) exit_error: Signal<Out, Bits<8>>,
    pub(crate) gang_mask: [Signal<Out, Bits<SETS>>; 32],
    pub(crate) gang_ready: [Signal<Out, Bits<SETS>>; 32],
    pub(crate) issuable: [Signal<Out, Bits<SETS>>; 4],
    pub(crate) fetchable: [Signal<Out, Bits<SETS>>; 4],
    pub(crate) advanced: [Signal<Out, Bits<SETS>>; 4],
    pub(crate) independent: [Signal<Out, Bits<SETS>>; 8],
    pub(crate) look_mask: [Signal<Out, Bits<8>>; 4],
    pub(crate) look_open: Signal<Out, Bits<4>>,
    pub(crate) look_advanced: Signal<Out, Bits<4>>,
    pub(crate) look_independent: Signal<Out, Bits<8>>,
    pub(crate) pc_write: Signal<Out, Bits<4>>,
    pub(crate) pc_group: [Signal<Out, Bits<2>>; 4],
    pub(crate) pc_fill: Signal<Out, Bits<4>>,
    mask: RegArray<SETS, 32>,
    ready: RegArray<SETS, 32>,
    valid: RegArray<SETS, 4>,
    control: RegArray<SETS, 4>,
    issued: RegArray<SETS, 4>,
    alone: RegArray<SETS, 8>,
    operation: GangOperation,
    one: Signal<Local, Bits<SETS>>,
    exit_at: [Signal<Local, Bits<SETS>>; 8],
    ready_at: [Signal<Local, Bits<SETS>>; 8],
    exit_ok: [Signal<Local, Bits<SETS>>; 8],
    ready_ok: [Signal<Local, Bits<SETS>>; 8],
    ganged: [Signal<Local, Bits<SETS>>; 8],
    stray: Signal<Local, Bits<SETS>>,
    live: [Signal<Local, Bits<SETS>>; 4],
    stuck: [Signal<Local, Bits<SETS>>; 4],
    hit: [Signal<Local, Bits<SETS>>; 4],
    pending: [Signal<Local, Bits<SETS>>; 4],
    issue_ok: [Signal<Local, Bits<SETS>>; 4],
    refused: Signal<Local, Bits<SETS>>,
    here_mask: [Signal<Local, Bits<8>>; 4],
    here_ready: [Signal<Local, Bits<8>>; 4],
    here_valid: Signal<Local, Bits<4>>,
    here_control: Signal<Local, Bits<4>>,
    here_pending: Signal<Local, Bits<4>>,
    here_busy: Signal<Local, Bits<4>>,
    here_independent: Signal<Local, Bits<8>>,
    here_leaving: Signal<Local, Bits<8>>,
    op_at: Signal<Local, Bits<SETS>>,
    look_at: Signal<Local, Bits<SETS>>,
    write_at: [Signal<Local, Bits<SETS>>; 4],
    fill_at: Signal<Local, Bits<SETS>>,
    fill_ok: [Signal<Local, Bits<SETS>>; 4],
    kept: [Signal<Local, Bits<SETS>>; 32],
    some: Signal<Local, Bits<SETS>>,
    two: [Signal<Local, Bits<SETS>>; 4],
    gone: [Signal<Local, Bits<SETS>>; 4],
    after: [Signal<Local, Bits<SETS>>; 32],
    solo: [Signal<Local, Bits<SETS>>; 8],
    woke: [Signal<Local, Bits<SETS>>; 32],
    loaded: [Signal<Local, Bits<SETS>>; 4],
    decides: [Signal<Local, Bits<SETS>>; 4],
}

rtl_block! {
    GangDirectory<const SETS: usize, const SET: usize>,
    "gang_directory" in "gangs", clocked,
    VariableWarpSize "section 4.3: gang table",
    "Knows where every warp of an SM is: in which gang of its original gang, or on its own. One set an \
     original gang, four ways a set; a gang is a set and a way. Stored by columns: element 8*w + s of \
     a mask is slice s of way w, element w of a flag is way w, and bit i of an element is set i. Within \
     a cycle exits come first, then issues, the operation, the fill; what touches a gang that an \
     earlier one has touched is refused. A refused request changes nothing.",
    input op_valid: "there is an operation";
    input op_code: "0 launch, 1 split by branch, 2 split by memory, 3 reform, 4 retire";
    input op_set: "the original gang";
    input op_ways: "gangs meant: one for split and retire, any for reform";
    input op_group_mask: "launch and split: warps of each new gang";
    input op_single_mask: "launch and split: warps on their own; reform: those to take in";
    input fill_valid: "the I-buffers of a gang get their instruction";
    input fill_set: "set of that gang";
    input fill_way: "way of that gang";
    input fill_control: "the instruction decides the next program counter";
    input issue: "gangs that issue in this cycle";
    input ready_valid: "slice s has a ganged warp become ready";
    input ready_set: "and the set it belongs to";
    input exit_valid: "slice s has a warp exit";
    input exit_set: "and the set it belongs to";
    input look_set: "set to be shown, for reformation";
    output op_error: "the operation is refused";
    output fill_error: "the fill is refused";
    output issue_error: "one of the issues is refused";
    output ready_error: "that warp is not in a gang";
    output exit_error: "that warp is not alive";
    output gang_mask: "GangMask";
    output gang_ready: "ReadyMask";
    output issuable: "the gang is ready and its instruction is in the I-buffers";
    output fetchable: "the gang wants an instruction and knows its program counter";
    output advanced: "the instruction at the stored program counter has issued: the next one is due";
    output independent: "warps on their own; element s is slice s";
    output look_mask: "GangMask of each way of look_set";
    output look_open: "the way holds a gang that knows its program counter";
    output look_advanced: "advanced, of each way of look_set";
    output look_independent: "warps of look_set on their own";
    output pc_write: "ways of op_set that take a new program counter";
    output pc_group: "and the group they take it from";
    output pc_fill: "the way whose fetched program counter is to be kept";
}

impl<const SETS: usize, const SET: usize> Logic for GangDirectory<SETS, SET> {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, mask, ready, valid, control, issued, alone);
        comment!("What each slice reports, as one bit a set.");
        self.one.next = 1.into();
        for s in 0..8 {
            self.exit_at[s].next = 0.into();
            if self.exit_valid.val().get_bit(s) {
                self.exit_at[s].next = self.one.val() << self.exit_set[s].val();
            }
        }
        for s in 0..8 {
            self.ready_at[s].next = 0.into();
            if self.ready_valid.val().get_bit(s) {
                self.ready_at[s].next = self.one.val() << self.ready_set[s].val();
            }
        }
        for s in 0..8 {
            self.ganged[s].next = 0.into();
            for w in 0..4 {
                self.ganged[s].next = self.ganged[s].val() | self.mask.q[8 * w + s].val();
            }
        }
        self.ready_error.next = 0.into();
        self.exit_error.next = 0.into();
        for s in 0..8 {
            self.ready_error.next = self
                .ready_error
                .val()
                .replace_bit(s, (self.ready_at[s].val() & !self.ganged[s].val()).any());
            self.ready_ok[s].next = self.ready_at[s].val() & self.ganged[s].val();
            self.stray.next = !(self.ganged[s].val() | self.alone.q[s].val());
            self.exit_error.next = self
                .exit_error
                .val()
                .replace_bit(s, (self.exit_at[s].val() & self.stray.val()).any());
            self.exit_ok[s].next = self.exit_at[s].val() & !self.stray.val();
        }
        comment!("Per gang: it exists, waits for a warp, loses a warp now, waits for a branch.");
        for w in 0..4 {
            self.live[w].next = 0.into();
            self.stuck[w].next = 0.into();
            self.hit[w].next = 0.into();
            for s in 0..8 {
                self.live[w].next = self.live[w].val() | self.mask.q[8 * w + s].val();
                self.stuck[w].next = self.stuck[w].val()
                    | (self.mask.q[8 * w + s].val() & !self.ready.q[8 * w + s].val());
                self.hit[w].next =
                    self.hit[w].val() | (self.mask.q[8 * w + s].val() & self.exit_ok[s].val());
            }
        }
        for w in 0..4 {
            self.pending[w].next = self.issued.q[w].val() & self.control.q[w].val();
            self.issuable[w].next = self.valid.q[w].val() & !self.stuck[w].val();
            self.fetchable[w].next =
                self.live[w].val() & !self.valid.q[w].val() & !self.pending[w].val();
            self.advanced[w].next = self.issued.q[w].val() & !self.control.q[w].val();
        }
        comment!("Issues, unless the gang loses a warp in this cycle.");
        for w in 0..4 {
            self.issue_ok[w].next =
                self.issue[w].val() & self.issuable[w].val() & !self.hit[w].val();
        }
        self.refused.next = 0.into();
        for w in 0..4 {
            self.refused.next =
                self.refused.val() | (self.issue[w].val() & !self.issue_ok[w].val());
        }
        self.issue_error.next = self.refused.val().any();
        comment!("The set that the operation is about.");
        self.op_at.next = self.one.val() << self.op_set.val();
        self.here_valid.next = 0.into();
        self.here_control.next = 0.into();
        self.here_pending.next = 0.into();
        self.here_busy.next = 0.into();
        self.here_independent.next = 0.into();
        self.here_leaving.next = 0.into();
        for w in 0..4 {
            self.here_valid.next = self
                .here_valid
                .val()
                .replace_bit(w, (self.valid.q[w].val() & self.op_at.val()).any());
            self.here_control.next = self
                .here_control
                .val()
                .replace_bit(w, (self.control.q[w].val() & self.op_at.val()).any());
            self.here_pending.next = self
                .here_pending
                .val()
                .replace_bit(w, (self.pending[w].val() & self.op_at.val()).any());
            self.here_busy.next = self
                .here_busy
                .val()
                .replace_bit(w, (self.issue_ok[w].val() & self.op_at.val()).any());
        }
        for s in 0..8 {
            self.here_independent.next = self
                .here_independent
                .val()
                .replace_bit(s, (self.alone.q[s].val() & self.op_at.val()).any());
            self.here_leaving.next = self
                .here_leaving
                .val()
                .replace_bit(s, (self.exit_ok[s].val() & self.op_at.val()).any());
        }
        for w in 0..4 {
            self.here_mask[w].next = 0.into();
            for s in 0..8 {
                self.here_mask[w].next = self.here_mask[w]
                    .val()
                    .replace_bit(s, (self.mask.q[8 * w + s].val() & self.op_at.val()).any());
            }
        }
        for w in 0..4 {
            self.here_ready[w].next = 0.into();
            for s in 0..8 {
                self.here_ready[w].next = self.here_ready[w]
                    .val()
                    .replace_bit(s, (self.ready.q[8 * w + s].val() & self.op_at.val()).any());
            }
        }
        self.operation.op_valid.next = self.op_valid.val();
        self.operation.op_code.next = self.op_code.val();
        self.operation.op_ways.next = self.op_ways.val();
        self.operation.op_single_mask.next = self.op_single_mask.val();
        for w in 0..4 {
            self.operation.op_group_mask[w].next = self.op_group_mask[w].val();
            self.operation.set_mask[w].next = self.here_mask[w].val();
            self.operation.set_ready[w].next = self.here_ready[w].val();
        }
        self.operation.set_valid.next = self.here_valid.val();
        self.operation.set_control.next = self.here_control.val();
        self.operation.set_pending.next = self.here_pending.val();
        self.operation.set_independent.next = self.here_independent.val();
        self.operation.busy_ways.next = self.here_busy.val();
        self.operation.leaving.next = self.here_leaving.val();
        self.op_error.next = self.operation.error.val();
        self.pc_write.next = self.operation.write.val();
        for w in 0..4 {
            self.pc_group[w].next = self.operation.new_group[w].val();
        }
        for w in 0..4 {
            self.write_at[w].next = 0.into();
            if self.operation.write.val().get_bit(w) {
                self.write_at[w].next = self.op_at.val();
            }
        }
        comment!("The fill, unless the operation needs the program counters of the same way.");
        self.fill_at.next = 0.into();
        if self.fill_valid.val() {
            self.fill_at.next = self.one.val() << self.fill_set.val();
        }
        self.pc_fill.next = 0.into();
        for w in 0..4 {
            self.fill_ok[w].next = 0.into();
            if (self.fill_way.val() == w.to_bits()) & !self.operation.write.val().get_bit(w) {
                self.fill_ok[w].next =
                    self.fill_at.val() & self.fetchable[w].val() & !self.hit[w].val();
            }
            self.pc_fill.next = self.pc_fill.val().replace_bit(w, self.fill_ok[w].val().any());
        }
        self.fill_error.next = self.fill_valid.val() & !self.pc_fill.val().any();
        comment!("GangMasks after the operation and the exits.");
        for w in 0..4 {
            for s in 0..8 {
                self.kept[8 * w + s].next = self.mask.q[8 * w + s].val() & !self.write_at[w].val();
                if self.operation.new_mask[w].val().get_bit(s) {
                    self.kept[8 * w + s].next =
                        self.mask.q[8 * w + s].val() | self.write_at[w].val();
                }
                self.kept[8 * w + s].next = self.kept[8 * w + s].val() & !self.exit_ok[s].val();
            }
        }
        comment!("A gang that is left with one warp, or none, is gone; that warp goes on alone.");
        for w in 0..4 {
            self.some.next = 0.into();
            self.two[w].next = 0.into();
            for s in 0..8 {
                self.two[w].next =
                    self.two[w].val() | (self.some.val() & self.kept[8 * w + s].val());
                self.some.next = self.some.val() | self.kept[8 * w + s].val();
            }
        }
        for w in 0..4 {
            self.gone[w].next = self.hit[w].val() & !self.two[w].val();
        }
        for w in 0..4 {
            for s in 0..8 {
                self.after[8 * w + s].next = self.kept[8 * w + s].val() & !self.gone[w].val();
            }
        }
        for s in 0..8 {
            self.solo[s].next = self.alone.q[s].val();
            if self.operation.join.val().get_bit(s) {
                self.solo[s].next = self.alone.q[s].val() | self.op_at.val();
            }
            if self.operation.leave.val().get_bit(s) {
                self.solo[s].next = self.alone.q[s].val() & !self.op_at.val();
            }
            self.solo[s].next = self.solo[s].val() & !self.exit_ok[s].val();
            for w in 0..4 {
                self.solo[s].next =
                    self.solo[s].val() | (self.kept[8 * w + s].val() & self.gone[w].val());
            }
        }
        for s in 0..8 {
            self.alone.d[s].next = self.solo[s].val();
            self.independent[s].next = self.alone.q[s].val();
        }
        comment!("ReadyMasks: an issue clears them, a ready warp counts from the next cycle on.");
        for w in 0..4 {
            for s in 0..8 {
                self.woke[8 * w + s].next = self.ready.q[8 * w + s].val() & !self.write_at[w].val();
                if self.operation.new_ready[w].val().get_bit(s) {
                    self.woke[8 * w + s].next =
                        self.ready.q[8 * w + s].val() | self.write_at[w].val();
                }
                self.woke[8 * w + s].next = (self.woke[8 * w + s].val() | self.ready_ok[s].val())
                    & self.after[8 * w + s].val()
                    & !self.issue_ok[w].val();
            }
        }
        for j in 0..32 {
            self.mask.d[j].next = self.after[j].val();
            self.ready.d[j].next = self.woke[j].val();
            self.gang_mask[j].next = self.mask.q[j].val();
            self.gang_ready[j].next = self.ready.q[j].val();
        }
        comment!("The instruction: in the I-buffers, one that decides the path, issued.");
        for w in 0..4 {
            self.loaded[w].next = self.valid.q[w].val() & !self.write_at[w].val();
            if self.operation.new_valid.val().get_bit(w) {
                self.loaded[w].next = self.valid.q[w].val() | self.write_at[w].val();
            }
        }
        for w in 0..4 {
            self.decides[w].next =
                self.control.q[w].val() & !self.write_at[w].val() & !self.fill_ok[w].val();
            if self.operation.new_control.val().get_bit(w) {
                self.decides[w].next = self.decides[w].val() | self.write_at[w].val();
            }
            if self.fill_control.val() {
                self.decides[w].next = self.decides[w].val() | self.fill_ok[w].val();
            }
        }
        for w in 0..4 {
            self.valid.d[w].next = (self.loaded[w].val() | self.fill_ok[w].val())
                & !self.issue_ok[w].val()
                & !self.gone[w].val();
            self.control.d[w].next = self.decides[w].val() & !self.gone[w].val();
            self.issued.d[w].next = ((self.issued.q[w].val() & !self.write_at[w].val())
                & !self.fill_ok[w].val()
                | self.issue_ok[w].val())
                & !self.gone[w].val();
        }
        comment!("The set that the reformer looks at.");
        self.look_at.next = self.one.val() << self.look_set.val();
        self.look_open.next = 0.into();
        self.look_advanced.next = 0.into();
        self.look_independent.next = 0.into();
        for w in 0..4 {
            self.look_open.next = self.look_open.val().replace_bit(
                w,
                (self.live[w].val() & !self.pending[w].val() & self.look_at.val()).any(),
            );
            self.look_advanced.next = self
                .look_advanced
                .val()
                .replace_bit(w, (self.advanced[w].val() & self.look_at.val()).any());
        }
        for s in 0..8 {
            self.look_independent.next = self
                .look_independent
                .val()
                .replace_bit(s, (self.alone.q[s].val() & self.look_at.val()).any());
        }
        for w in 0..4 {
            self.look_mask[w].next = 0.into();
            for s in 0..8 {
                self.look_mask[w].next = self.look_mask[w]
                    .val()
                    .replace_bit(s, (self.mask.q[8 * w + s].val() & self.look_at.val()).any());
            }
        }
    }
}
