//! Parts the warps of a gang into those that go on together and those that go on alone.
//!
//! A Variable Warp Size Architecture, section 4.4. After a branch the slices report the program counter
//! of each member; equal ones are coalesced like addresses. Memory divergence is the second cause:
//! impatient splitting dissolves the gang as soon as some members can go on and others cannot, group
//! splitting parts those woken in this cycle from the rest. Eight warps make at most four gangs, since
//! a gang has two warps or more.

use crate::prelude::*;

/// Eight slices with program counters of `PC` bits.
#[derive(LogicBlock, Default)]
pub struct GangSplitter<const PC: usize> {
    pub(crate) member: Signal<In, Bits<8>>,
    pub(crate) pc: [Signal<In, Bits<PC>>; 8],
    pub(crate) memory: Signal<In, Bit>,
    pub(crate) ready: Signal<In, Bits<8>>,
    pub(crate) woken: Signal<In, Bits<8>>,
    pub(crate) cfg_memory_split: Signal<In, Bits<2>>,
    pub(crate) split: Signal<Out, Bit>,
    pub(crate) group_mask: [Signal<Out, Bits<8>>; 4],
    pub(crate) group_pc: [Signal<Out, Bits<PC>>; 4],
    pub(crate) single_mask: Signal<Out, Bits<8>>,
    fresh: Signal<Local, Bits<8>>,
    late: Signal<Local, Bits<8>>,
    parting: Signal<Local, Bits<2>>,
    alone: Signal<Local, Bits<8>>,
    same: [Signal<Local, Bits<8>>; 8],
    mates: [Signal<Local, Bits<8>>; 8],
    leader: Signal<Local, Bits<8>>,
    below: Signal<Local, Bits<8>>,
    others: Signal<Local, Bits<8>>,
    groups: Signal<Local, Bits<3>>,
}

rtl_block! {
    GangSplitter<const PC: usize>,
    "gang_splitter" in "gangs", combinational,
    VariableWarpSize "section 4.4: gang splitting",
    "Parts the warps of a gang into those that go on together and those that go on alone. Bit s of a \
     mask is the warp of slice s. Every member is in exactly one group or single; groups have two \
     warps or more and come in the order of their lowest slice, empty ones last.",
    input member: "warps of the gang";
    input pc: "program counter each warp wants next";
    input memory: "the cause is memory divergence, not the program counters";
    input ready: "members that were ready before";
    input woken: "members made ready in this cycle by a completing memory instruction";
    input cfg_memory_split: "on memory divergence: 1 impatient, 2 group, else do not split";
    output split: "the gang does not stay whole";
    output group_mask: "warps of each new gang";
    output group_pc: "program counter of each new gang";
    output single_mask: "warps that go on alone";
}

impl<const PC: usize> Logic for GangSplitter<PC> {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Memory divergence: some members wake in this cycle while others still wait.");
        self.fresh.next = self.woken.val() & self.member.val();
        self.late.next = (self.member.val() & !self.ready.val()) & !self.woken.val();
        self.parting.next = 0.into();
        if self.fresh.val().any() & self.late.val().any() {
            self.parting.next = self.cfg_memory_split.val();
        }
        comment!("Row s: the members that share the program counter of slice s.");
        for s in 0..8 {
            self.same[s].next = 0.into();
            for t in 0..8 {
                if self.pc[s].val() == self.pc[t].val() {
                    self.same[s].next = self.same[s].val().replace_bit(t, true);
                }
            }
        }
        comment!("Row s: the members that go on with slice s, itself included.");
        for s in 0..8 {
            self.alone.next = 0.into();
            self.alone.next = self.alone.val().replace_bit(s, true);
            self.mates[s].next = self.same[s].val() & self.member.val();
            if self.memory.val() {
                self.mates[s].next = self.member.val();
                if self.parting.val() == 1 {
                    self.mates[s].next = self.alone.val();
                } else if self.parting.val() == 2 {
                    if self.fresh.val().get_bit(s) {
                        self.mates[s].next = self.fresh.val();
                    } else {
                        self.mates[s].next = self.member.val() & !self.fresh.val();
                    }
                }
            }
        }
        comment!("A group is led by its lowest slice; a member that has only itself is single.");
        self.below.next = 0.into();
        self.leader.next = 0.into();
        self.single_mask.next = 0.into();
        for s in 0..8 {
            self.others.next = self.mates[s].val();
            self.others.next = self.others.val().replace_bit(s, false);
            if self.member.val().get_bit(s) {
                if !self.others.val().any() {
                    self.single_mask.next = self.single_mask.val().replace_bit(s, true);
                } else if !(self.others.val() & self.below.val()).any() {
                    self.leader.next = self.leader.val().replace_bit(s, true);
                }
            }
            self.below.next = self.below.val().replace_bit(s, true);
        }
        comment!("The n-th leader's mates are group n.");
        self.groups.next = 0.into();
        for g in 0..4 {
            self.group_mask[g].next = 0.into();
            self.group_pc[g].next = 0.into();
        }
        for s in 0..8 {
            if self.leader.val().get_bit(s) {
                for g in 0..4 {
                    if self.groups.val() == g.to_bits() {
                        self.group_mask[g].next = self.mates[s].val();
                        self.group_pc[g].next = self.pc[s].val();
                    }
                }
                self.groups.next = self.groups.val() + 1;
            }
        }
        self.split.next = self.group_mask[0].val() != self.member.val();
    }
}
