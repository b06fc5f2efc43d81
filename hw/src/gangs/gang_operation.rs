//! Works out what an operation makes of one original gang, and refuses those that would lose a warp.
//!
//! A Variable Warp Size Architecture, sections 4.2 to 4.5. Launch, split, reform and retire are the four
//! ways in which gangs come and go. All of them keep the rule that every live warp is in exactly one
//! gang or on its own and that a gang has two warps or more, whatever they are asked to do: a request
//! that would break it is refused.

use crate::prelude::*;

/// One operation on one set of four ways.
#[derive(LogicBlock, Default)]
pub struct GangOperation {
    pub(crate) op_valid: Signal<In, Bit>,
    pub(crate) op_code: Signal<In, Bits<3>>,
    pub(crate) op_ways: Signal<In, Bits<4>>,
    pub(crate) op_group_mask: [Signal<In, Bits<8>>; 4],
    pub(crate) op_single_mask: Signal<In, Bits<8>>,
    pub(crate) set_mask: [Signal<In, Bits<8>>; 4],
    pub(crate) set_ready: [Signal<In, Bits<8>>; 4],
    pub(crate) set_valid: Signal<In, Bits<4>>,
    pub(crate) set_control: Signal<In, Bits<4>>,
    pub(crate) set_pending: Signal<In, Bits<4>>,
    pub(crate) set_independent: Signal<In, Bits<8>>,
    pub(crate) busy_ways: Signal<In, Bits<4>>,
    pub(crate) leaving: Signal<In, Bits<8>>,
    pub(crate) error: Signal<Out, Bit>,
    pub(crate) write: Signal<Out, Bits<4>>,
    pub(crate) new_mask: [Signal<Out, Bits<8>>; 4],
    pub(crate) new_ready: [Signal<Out, Bits<8>>; 4],
    pub(crate) new_valid: Signal<Out, Bits<4>>,
    pub(crate) new_control: Signal<Out, Bits<4>>,
    pub(crate) new_group: [Signal<Out, Bits<2>>; 4],
    pub(crate) join: Signal<Out, Bits<8>>,
    pub(crate) leave: Signal<Out, Bits<8>>,
    split: Signal<Local, Bit>,
    reform: Signal<Local, Bit>,
    places: Signal<Local, Bit>,
    live: Signal<Local, Bits<4>>,
    one_way: Signal<Local, Bit>,
    sane: Signal<Local, Bit>,
    source_mask: Signal<Local, Bits<8>>,
    source_ready: Signal<Local, Bits<8>>,
    source_valid: Signal<Local, Bit>,
    source_control: Signal<Local, Bit>,
    source_pending: Signal<Local, Bit>,
    taken: Signal<Local, Bits<8>>,
    tidy: Signal<Local, Bit>,
    vacant: Signal<Local, Bits<4>>,
    next_group: Signal<Local, Bits<2>>,
    slot: [Signal<Local, Bits<2>>; 4],
    placed: [Signal<Local, Bits<8>>; 4],
    covered: Signal<Local, Bits<8>>,
    target: Signal<Local, Bits<4>>,
    parts: Signal<Local, Bits<2>>,
    free: Signal<Local, Bit>,
    partition: Signal<Local, Bit>,
    legal: Signal<Local, Bit>,
    go: Signal<Local, Bit>,
    keeps: Signal<Local, Bit>,
}

rtl_block! {
    GangOperation,
    "gang_operation" in "gangs", combinational,
    VariableWarpSize "sections 4.2 to 4.5: gangs come and go",
    "Works out what an operation makes of one original gang, and refuses those that would lose a warp. \
     op_code 0 launches gangs in an empty set; 1 splits a gang after a branch and 2 on memory \
     divergence; 3 reforms one gang from gangs and single warps; 4 retires a gang; the rest is \
     illegal. New gangs take the vacant ways in order, the split gang's own among them.",
    input op_valid: "there is an operation";
    input op_code: "0 launch, 1 split by branch, 2 split by memory, 3 reform, 4 retire";
    input op_ways: "gangs meant: one for split and retire, any for reform";
    input op_group_mask: "launch and split: warps of each new gang";
    input op_single_mask: "launch and split: warps on their own; reform: those to take in";
    input set_mask: "GangMask of each way";
    input set_ready: "ReadyMask of each way";
    input set_valid: "the way's instruction is in the I-buffers";
    input set_control: "and it is a control instruction";
    input set_pending: "the way's program counter awaits a branch";
    input set_independent: "warps on their own";
    input busy_ways: "gangs that issue in this cycle";
    input leaving: "warps that exit in this cycle";
    output error: "the operation is refused";
    output write: "ways that change";
    output new_mask: "their GangMasks";
    output new_ready: "their ReadyMasks";
    output new_valid: "their valid bits";
    output new_control: "their control bits";
    output new_group: "the group whose program counter they take";
    output join: "warps that are on their own from now on";
    output leave: "warps that are no longer on their own";
}

impl Logic for GangOperation {
    #[hdl_gen]
    fn update(&mut self) {
        self.split.next = (self.op_code.val() == 1) | (self.op_code.val() == 2);
        self.reform.next = self.op_code.val() == 3;
        self.places.next = self.split.val() | (self.op_code.val() == 0);
        comment!("The gangs that are meant, taken together.");
        self.live.next = 0.into();
        self.source_mask.next = 0.into();
        self.source_ready.next = 0.into();
        for w in 0..4 {
            self.live.next = self.live.val().replace_bit(w, self.set_mask[w].val().any());
            if self.op_ways.val().get_bit(w) {
                self.source_mask.next = self.source_mask.val() | self.set_mask[w].val();
                self.source_ready.next = self.source_ready.val() | self.set_ready[w].val();
            }
        }
        self.one_way.next =
            self.op_ways.val().any() & !(self.op_ways.val() & (self.op_ways.val() - 1)).any();
        self.sane.next = !(self.op_ways.val() & !self.live.val()).any();
        self.source_valid.next = !(self.op_ways.val() & !self.set_valid.val()).any();
        self.source_control.next = (self.op_ways.val() & self.set_control.val()).any();
        self.source_pending.next = (self.op_ways.val() & self.set_pending.val()).any();
        comment!("New groups are tidy if no warp comes twice and none is a group by itself.");
        self.tidy.next = true;
        self.taken.next = self.op_single_mask.val();
        for g in 0..4 {
            if (self.taken.val() & self.op_group_mask[g].val()).any()
                | (self.op_group_mask[g].val().any()
                    & !(self.op_group_mask[g].val() & (self.op_group_mask[g].val() - 1)).any())
            {
                self.tidy.next = false;
            }
            self.taken.next = self.taken.val() | self.op_group_mask[g].val();
        }
        comment!("Group n takes the n-th vacant way; covered are the warps that find a place.");
        self.vacant.next = !self.live.val();
        if self.split.val() {
            self.vacant.next = !self.live.val() | self.op_ways.val();
        }
        self.next_group.next = 0.into();
        self.covered.next = self.op_single_mask.val();
        for w in 0..4 {
            self.slot[w].next = self.next_group.val();
            self.placed[w].next = 0.into();
            if self.vacant.val().get_bit(w) {
                for g in 0..4 {
                    if self.next_group.val() == g.to_bits() {
                        self.placed[w].next = self.op_group_mask[g].val();
                    }
                }
                self.next_group.next = self.next_group.val() + 1;
            }
            self.covered.next = self.covered.val() | self.placed[w].val();
        }
        comment!("A reformed gang takes the lowest of its ways, or the lowest vacant one.");
        self.target.next = !self.live.val() & (self.live.val() + 1);
        if self.op_ways.val().any() {
            self.target.next = self.op_ways.val() & (!self.op_ways.val() + 1);
        }
        comment!("One, or two and more, parts to reform from.");
        self.parts.next = 0.into();
        for w in 0..4 {
            if self.op_ways.val().get_bit(w) & !self.parts.val().get_bit(1) {
                self.parts.next = self.parts.val() + 1;
            }
        }
        for s in 0..8 {
            if self.op_single_mask.val().get_bit(s) & !self.parts.val().get_bit(1) {
                self.parts.next = self.parts.val() + 1;
            }
        }
        comment!("Exits and issues of this cycle come first: hands off what they touch.");
        self.free.next = !(self.source_mask.val() & self.leaving.val()).any()
            & !(self.op_ways.val() & self.busy_ways.val()).any();
        self.partition.next = self.one_way.val()
            & self.sane.val()
            & self.tidy.val()
            & (self.taken.val() == self.source_mask.val())
            & (self.covered.val() == self.source_mask.val())
            & self.free.val();
        self.legal.next = false;
        match self.op_code.val().index() {
            0 => {
                self.legal.next = !self.live.val().any()
                    & !self.set_independent.val().any()
                    & self.tidy.val()
                    & self.taken.val().any()
            }
            1 => self.legal.next = self.partition.val() & self.source_pending.val(),
            2 => self.legal.next = self.partition.val() & !self.source_pending.val(),
            3 => {
                self.legal.next = self.sane.val()
                    & !self.source_pending.val()
                    & !(self.op_single_mask.val() & !self.set_independent.val()).any()
                    & !(self.op_single_mask.val() & self.leaving.val()).any()
                    & self.parts.val().get_bit(1)
                    & self.target.val().any()
                    & self.free.val()
            }
            4 => self.legal.next = self.one_way.val() & self.sane.val() & self.free.val(),
            _ => self.legal.next = false,
        }
        self.go.next = self.op_valid.val() & self.legal.val();
        self.error.next = self.op_valid.val() & !self.legal.val();
        comment!("What the ways hold afterwards.");
        self.write.next = 0.into();
        self.join.next = 0.into();
        self.leave.next = 0.into();
        if self.go.val() {
            match self.op_code.val().index() {
                3 => {
                    self.write.next = self.op_ways.val() | self.target.val();
                    self.leave.next = self.op_single_mask.val();
                }
                4 => self.write.next = self.op_ways.val(),
                _ => {
                    self.write.next = self.vacant.val();
                    self.join.next = self.op_single_mask.val();
                }
            }
        }
        comment!("With a warp whose I-buffer is not known a reformed gang must fetch again.");
        self.keeps.next = self.go.val()
            & self.source_valid.val()
            & ((self.op_code.val() == 2) | (self.reform.val() & !self.op_single_mask.val().any()));
        for w in 0..4 {
            self.new_mask[w].next = 0.into();
            self.new_ready[w].next = 0.into();
            self.new_group[w].next = 0.into();
            if self.go.val() & self.reform.val() & self.target.val().get_bit(w) {
                self.new_mask[w].next = self.source_mask.val() | self.op_single_mask.val();
                if self.keeps.val() {
                    self.new_ready[w].next = self.source_ready.val();
                }
            }
            if self.go.val() & self.places.val() & self.vacant.val().get_bit(w) {
                self.new_mask[w].next = self.placed[w].val();
                self.new_group[w].next = self.slot[w].val();
                if self.op_code.val() == 2 {
                    self.new_ready[w].next = self.placed[w].val() & self.source_ready.val();
                }
            }
        }
        comment!("An instruction in the I-buffers stays there unless the gang took another path.");
        self.new_valid.next = 0.into();
        if self.keeps.val() {
            for w in 0..4 {
                self.new_valid.next =
                    self.new_valid.val().replace_bit(w, self.new_mask[w].val().any());
            }
        }
        self.new_control.next = 0.into();
        if self.source_control.val() {
            self.new_control.next = self.new_valid.val();
        }
    }
}
