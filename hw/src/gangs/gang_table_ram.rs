//! Keeps the gangs of an SM with their program counters in RAM.
//!
//! A Variable Warp Size Architecture, section 4.3. The same table as `gang_table` behind the same
//! ports, but for one: program counters in RAM cannot all be compared in a cycle, so that there is no
//! `gang_pc` and issue cannot go by the lowest program counter. One RAM a way with one write port, for
//! an operation or a fill, and two read ports, for the reformer and for fetch.

use super::gang_directory::GangDirectory;
use crate::prelude::*;

/// `SETS` original gangs numbered by `SET` bits, program counters of `PC` bits.
#[derive(LogicBlock)]
pub struct GangTableRam<const SETS: usize, const SET: usize, const PC: usize> {
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
    pub(crate) independent: [Signal<Out, Bits<SETS>>; 8],
    pub(crate) look_mask: [Signal<Out, Bits<8>>; 4],
    pub(crate) look_open: Signal<Out, Bits<4>>,
    pub(crate) look_pc: [Signal<Out, Bits<PC>>; 4],
    pub(crate) look_independent: Signal<Out, Bits<8>>,
    pub(crate) fetch_valid: Signal<Out, Bit>,
    pub(crate) fetch_pc: Signal<Out, Bits<PC>>,
    directory: GangDirectory<SETS, SET>,
    pc: [Ram<PC, SET, 2>; 4],
    fetch_at: Signal<Local, Bits<SETS>>,
    fetch_next: Signal<Local, Bit>,
}

rtl_block! {
    GangTableRam<const SETS: usize, const SET: usize, const PC: usize>,
    "gang_table_ram" in "gangs", clocked,
    VariableWarpSize "section 4.3: gang table",
    "Keeps the gangs of an SM with their program counters in RAM, one RAM a way with one write port and \
     two read ports. Otherwise as gang_table: element 8*w + s of a mask is slice s of way w, element w of \
     a flag is way w, and bit i of an element is set i; exits come first, then issues, the operation, \
     the fill; a refused request changes nothing.",
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
    output independent: "warps on their own; element s is slice s";
    output look_mask: "GangMask of each way of look_set";
    output look_open: "the way holds a gang that knows its program counter";
    output look_pc: "program counter of each way of look_set that is open";
    output look_independent: "warps of look_set on their own";
    output fetch_valid: "that gang is fetchable";
    output fetch_pc: "and this is its program counter";
}

impl<const SETS: usize, const SET: usize, const PC: usize> Default for GangTableRam<SETS, SET, PC> {
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
            independent: Default::default(),
            look_mask: Default::default(),
            look_open: Default::default(),
            look_pc: Default::default(),
            look_independent: Default::default(),
            fetch_valid: Default::default(),
            fetch_pc: Default::default(),
            directory: Default::default(),
            pc: std::array::from_fn(|_| Ram::valid_by("gang_mask")),
            fetch_at: Default::default(),
            fetch_next: Default::default(),
        }
    }
}

impl<const SETS: usize, const SET: usize, const PC: usize> Logic for GangTableRam<SETS, SET, PC> {
    #[hdl_gen]
    fn update(&mut self) {
        self.directory.clock.next = self.clock.val();
        self.directory.reset.next = self.reset.val();
        for w in 0..4 {
            self.pc[w].clock.next = self.clock.val();
            self.pc[w].reset.next = self.reset.val();
        }
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
        for w in 0..4 {
            self.pc[w].write.next =
                self.directory.pc_write.val().get_bit(w) | self.directory.pc_fill.val().get_bit(w);
        }
        for w in 0..4 {
            self.pc[w].write_addr.next = self.fill_set.val();
            self.pc[w].write_data.next = self.fill_pc.val();
            if self.directory.pc_write.val().get_bit(w) {
                self.pc[w].write_addr.next = self.op_set.val();
                for n in 0..4 {
                    if self.directory.pc_group[w].val() == n.to_bits() {
                        self.pc[w].write_data.next = self.op_group_pc[n].val();
                    }
                }
            }
        }
        for w in 0..4 {
            self.pc[w].read_addr[0].next = self.look_set.val();
            self.pc[w].read_addr[1].next = self.fetch_set.val();
        }
        comment!("A program counter that is read counts the instruction that has issued.");
        for w in 0..4 {
            self.look_pc[w].next =
                self.pc[w].read_data[0].val() + self.directory.look_advanced.val().get_bit(w);
        }
        self.fetch_at.next = 1.into();
        self.fetch_at.next = self.fetch_at.val() << self.fetch_set.val();
        self.fetch_valid.next = false;
        self.fetch_next.next = false;
        self.fetch_pc.next = 0.into();
        for w in 0..4 {
            if self.fetch_way.val() == w.to_bits() {
                self.fetch_pc.next = self.pc[w].read_data[1].val();
                self.fetch_valid.next =
                    (self.directory.fetchable[w].val() & self.fetch_at.val()).any();
                self.fetch_next.next =
                    (self.directory.advanced[w].val() & self.fetch_at.val()).any();
            }
        }
        self.fetch_pc.next = self.fetch_pc.val() + self.fetch_next.val();
    }
}
