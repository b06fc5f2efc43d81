//! Keeps the gangs of an SM: who is in them, where they are in the program, who may issue.
//!
//! A Variable Warp Size Architecture, section 4.3. `gang_directory` holds the masks; here are the
//! program counters, in flip-flops and by columns like the masks, so that the issue logic can compare
//! all of them in a cycle.
//!
//! A program counter counts instructions and names the instruction in the I-buffers, or the one to
//! fetch. An issue does not write it: the directory remembers that the next one is due, and the fill
//! brings the counter up to date. That leaves one write port a way, for an operation or a fill.

use super::gang_directory::GangDirectory;
use crate::prelude::*;

/// `SETS` original gangs numbered by `SET` bits, program counters of `PC` bits.
///
/// `PLANES` is `4 * PC`: rust-hdl cannot compute it.
#[derive(LogicBlock)]
pub struct GangTable<const SETS: usize, const SET: usize, const PC: usize, const PLANES: usize> {
    pub(crate) clock: Signal<In, Clock>,
    pub(crate) reset: Signal<In, Bit>,
    pub(crate) op_valid: Signal<In, Bit>,
    pub(crate) op_code: Signal<In, Bits<3>>,
    pub(crate) op_set: Signal<In, Bits<SET>>,
    pub(crate) op_ways: Signal<In, Bits<4>>,
    pub(crate) op_group_mask: [Signal<In, Bits<8>>; 4],
    pub(crate) op_single_mask: Signal<In, Bits<8>>,
    pub(crate) op_group_pc: [Signal<In, Bits<PC>>; 4],
    pub(crate) fill_valid: Signal<In, Bit>,
    pub(crate) fill_set: Signal<In, Bits<SET>>,
    pub(crate) fill_way: Signal<In, Bits<2>>,
    pub(crate) fill_control: Signal<In, Bit>,
    pub(crate) fill_pc: Signal<In, Bits<PC>>,
    pub(crate) issue: [Signal<In, Bits<SETS>>; 4],
    pub(crate) ready_valid: Signal<In, Bits<8>>,
    pub(crate) ready_set: [Signal<In, Bits<SET>>; 8],
    pub(crate) exit_valid: Signal<In, Bits<8>>,
    pub(crate) exit_set: [Signal<In, Bits<SET>>; 8],
    pub(crate) look_set: Signal<In, Bits<SET>>,
    pub(crate) fetch_set: Signal<In, Bits<SET>>,
    pub(crate) fetch_way: Signal<In, Bits<2>>,
    pub(crate) op_error: Signal<Out, Bit>,
    pub(crate) fill_error: Signal<Out, Bit>,
    pub(crate) issue_error: Signal<Out, Bit>,
    pub(crate) ready_error: Signal<Out, Bits<8>>,
    pub(crate) exit_error: Signal<Out, Bits<8>>,
    pub(crate) gang_mask: [Signal<Out, Bits<SETS>>; 32],
    pub(crate) gang_ready: [Signal<Out, Bits<SETS>>; 32],
    pub(crate) issuable: [Signal<Out, Bits<SETS>>; 4],
    pub(crate) fetchable: [Signal<Out, Bits<SETS>>; 4],
    pub(crate) gang_pc: [Signal<Out, Bits<SETS>>; PLANES],
    pub(crate) independent: [Signal<Out, Bits<SETS>>; 8],
    pub(crate) look_mask: [Signal<Out, Bits<8>>; 4],
    pub(crate) look_open: Signal<Out, Bits<4>>,
    pub(crate) look_pc: [Signal<Out, Bits<PC>>; 4],
    pub(crate) look_independent: Signal<Out, Bits<8>>,
    pub(crate) fetch_valid: Signal<Out, Bit>,
    pub(crate) fetch_pc: Signal<Out, Bits<PC>>,
    directory: GangDirectory<SETS, SET>,
    pc: DataRegArray<SETS, PLANES>,
    one: Signal<Local, Bits<SETS>>,
    write_at: [Signal<Local, Bits<SETS>>; 4],
    write_pc: [Signal<Local, Bits<PC>>; 4],
    look_at: Signal<Local, Bits<SETS>>,
    fetch_at: Signal<Local, Bits<SETS>>,
    fetch_next: Signal<Local, Bit>,
}

rtl_block! {
    GangTable<const SETS: usize, const SET: usize, const PC: usize, const PLANES: usize>,
    "gang_table" in "gangs", clocked,
    VariableWarpSize "section 4.3: gang table",
    "Keeps the gangs of an SM: who is in them, where they are in the program, who may issue. One set an \
     original gang, four ways a set. Stored by columns: element 8*w + s of a mask is slice s of way w, \
     element w of a flag is way w, and bit i of an element is set i. Within a cycle exits come first, \
     then issues, the operation, the fill; what touches a gang that an earlier one has touched is \
     refused. A refused request changes nothing.",
    input op_valid: "there is an operation";
    input op_code: "0 launch, 1 split by branch, 2 split by memory, 3 reform, 4 retire";
    input op_set: "the original gang";
    input op_ways: "gangs meant: one for split and retire, any for reform";
    input op_group_mask: "launch and split: warps of each new gang";
    input op_single_mask: "launch and split: warps on their own; reform: those to take in";
    input op_group_pc: "program counter of each new gang; reform uses the first";
    input fill_valid: "the I-buffers of a gang get their instruction";
    input fill_set: "set of that gang";
    input fill_way: "way of that gang";
    input fill_control: "the instruction decides the next program counter";
    input fill_pc: "the program counter it was fetched from";
    input issue: "gangs that issue in this cycle";
    input ready_valid: "slice s has a ganged warp become ready";
    input ready_set: "and the set it belongs to";
    input exit_valid: "slice s has a warp exit";
    input exit_set: "and the set it belongs to";
    input look_set: "set to be shown, for reformation";
    input fetch_set: "set of the gang to fetch for";
    input fetch_way: "way of the gang to fetch for";
    output op_error: "the operation is refused";
    output fill_error: "the fill is refused";
    output issue_error: "one of the issues is refused";
    output ready_error: "that warp is not in a gang";
    output exit_error: "that warp is not alive";
    output gang_mask: "GangMask";
    output gang_ready: "ReadyMask";
    output issuable: "the gang is ready and its instruction is in the I-buffers";
    output fetchable: "the gang wants an instruction and knows its program counter";
    output gang_pc: "program counters of gangs that may issue; element 4*k + w is bit k of way w";
    output independent: "warps on their own; element s is slice s";
    output look_mask: "GangMask of each way of look_set";
    output look_open: "the way holds a gang that knows its program counter";
    output look_pc: "program counter of each way of look_set that is open";
    output look_independent: "warps of look_set on their own";
    output fetch_valid: "that gang is fetchable";
    output fetch_pc: "and this is its program counter";
}

impl<const SETS: usize, const SET: usize, const PC: usize, const PLANES: usize> Default
    for GangTable<SETS, SET, PC, PLANES>
{
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            op_valid: Default::default(),
            op_code: Default::default(),
            op_set: Default::default(),
            op_ways: Default::default(),
            op_group_mask: Default::default(),
            op_single_mask: Default::default(),
            op_group_pc: Default::default(),
            fill_valid: Default::default(),
            fill_set: Default::default(),
            fill_way: Default::default(),
            fill_control: Default::default(),
            fill_pc: Default::default(),
            issue: Default::default(),
            ready_valid: Default::default(),
            ready_set: Default::default(),
            exit_valid: Default::default(),
            exit_set: Default::default(),
            look_set: Default::default(),
            fetch_set: Default::default(),
            fetch_way: Default::default(),
            op_error: Default::default(),
            fill_error: Default::default(),
            issue_error: Default::default(),
            ready_error: Default::default(),
            exit_error: Default::default(),
            gang_mask: Default::default(),
            gang_ready: Default::default(),
            issuable: Default::default(),
            fetchable: Default::default(),
            gang_pc: std::array::from_fn(|_| Default::default()),
            independent: Default::default(),
            look_mask: Default::default(),
            look_open: Default::default(),
            look_pc: Default::default(),
            look_independent: Default::default(),
            fetch_valid: Default::default(),
            fetch_pc: Default::default(),
            directory: Default::default(),
            pc: DataRegArray::valid_by("gang_mask"),
            one: Default::default(),
            write_at: Default::default(),
            write_pc: Default::default(),
            look_at: Default::default(),
            fetch_at: Default::default(),
            fetch_next: Default::default(),
        }
    }
}

impl<const SETS: usize, const SET: usize, const PC: usize, const PLANES: usize> Logic
    for GangTable<SETS, SET, PC, PLANES>
{
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, pc);
        self.directory.clock.next = self.clock.val();
        self.directory.reset.next = self.reset.val();
        self.directory.op_valid.next = self.op_valid.val();
        self.directory.op_code.next = self.op_code.val();
        self.directory.op_set.next = self.op_set.val();
        self.directory.op_ways.next = self.op_ways.val();
        self.directory.op_single_mask.next = self.op_single_mask.val();
        self.directory.fill_valid.next = self.fill_valid.val();
        self.directory.fill_set.next = self.fill_set.val();
        self.directory.fill_way.next = self.fill_way.val();
        self.directory.fill_control.next = self.fill_control.val();
        self.directory.ready_valid.next = self.ready_valid.val();
        self.directory.exit_valid.next = self.exit_valid.val();
        self.directory.look_set.next = self.look_set.val();
        for j in 0..4 {
            self.directory.op_group_mask[j].next = self.op_group_mask[j].val();
            self.directory.issue[j].next = self.issue[j].val();
        }
        for j in 0..8 {
            self.directory.ready_set[j].next = self.ready_set[j].val();
            self.directory.exit_set[j].next = self.exit_set[j].val();
        }
        self.op_error.next = self.directory.op_error.val();
        self.fill_error.next = self.directory.fill_error.val();
        self.issue_error.next = self.directory.issue_error.val();
        self.ready_error.next = self.directory.ready_error.val();
        self.exit_error.next = self.directory.exit_error.val();
        self.look_open.next = self.directory.look_open.val();
        self.look_independent.next = self.directory.look_independent.val();
        for j in 0..32 {
            self.gang_mask[j].next = self.directory.gang_mask[j].val();
            self.gang_ready[j].next = self.directory.gang_ready[j].val();
        }
        for j in 0..4 {
            self.issuable[j].next = self.directory.issuable[j].val();
            self.fetchable[j].next = self.directory.fetchable[j].val();
            self.look_mask[j].next = self.directory.look_mask[j].val();
        }
        for j in 0..8 {
            self.independent[j].next = self.directory.independent[j].val();
        }
        comment!("One write port a way: the operation, or else the fill.");
        self.one.next = 1.into();
        for w in 0..4 {
            self.write_at[w].next = 0.into();
            self.write_pc[w].next = self.fill_pc.val();
            if self.directory.pc_write.val().get_bit(w) {
                self.write_at[w].next = self.one.val() << self.op_set.val();
                for g in 0..4 {
                    if self.directory.pc_group[w].val() == g.to_bits() {
                        self.write_pc[w].next = self.op_group_pc[g].val();
                    }
                }
            } else if self.directory.pc_fill.val().get_bit(w) {
                self.write_at[w].next = self.one.val() << self.fill_set.val();
            }
        }
        for w in 0..4 {
            for k in 0..PC {
                self.pc.d[4 * k + w].next = self.pc.q[4 * k + w].val() & !self.write_at[w].val();
                if self.write_pc[w].val().get_bit(k) {
                    self.pc.d[4 * k + w].next = self.pc.q[4 * k + w].val() | self.write_at[w].val();
                }
            }
        }
        for j in 0..PLANES {
            self.gang_pc[j].next = self.pc.q[j].val();
        }
        comment!("A program counter that is read counts the instruction that has issued.");
        self.look_at.next = self.one.val() << self.look_set.val();
        for w in 0..4 {
            self.look_pc[w].next = 0.into();
            for k in 0..PC {
                self.look_pc[w].next = self.look_pc[w]
                    .val()
                    .replace_bit(k, (self.pc.q[4 * k + w].val() & self.look_at.val()).any());
            }
            self.look_pc[w].next =
                self.look_pc[w].val() + self.directory.look_advanced.val().get_bit(w);
        }
        self.fetch_at.next = self.one.val() << self.fetch_set.val();
        self.fetch_pc.next = 0.into();
        self.fetch_valid.next = false;
        self.fetch_next.next = false;
        for w in 0..4 {
            if self.fetch_way.val() == w.to_bits() {
                for k in 0..PC {
                    self.fetch_pc.next = self
                        .fetch_pc
                        .val()
                        .replace_bit(k, (self.pc.q[4 * k + w].val() & self.fetch_at.val()).any());
                }
                self.fetch_valid.next =
                    (self.directory.fetchable[w].val() & self.fetch_at.val()).any();
                self.fetch_next.next =
                    (self.directory.advanced[w].val() & self.fetch_at.val()).any();
            }
        }
        self.fetch_pc.next = self.fetch_pc.val() + self.fetch_next.val();
    }
}
