//! Takes a warp's operands from issue to the lanes that will execute them, in one pipeline stage.
//!
//! Origami, shifting stage (figure 9). Splits the mask, shifts three operands and a flag a lane, and
//! registers the lot. The stage is valid-only: the result slot was reserved at issue, so nothing here
//! ever stalls. Predicate, carry and select operands ride as the flag.
//!
//! `takes_two` answers within the cycle, so that issue knows whether a second half must follow; a
//! second half that does not exist (`sub_warp` of a warp that is not folded) is ignored.

use super::lane_shift::LaneShift;
use super::split_mask::SplitMask;
use crate::prelude::*;

/// Split mask, three operand shifters and one flag shifter behind one register.
#[derive(LogicBlock)]
pub struct ShiftStage<const VARIANT: usize> {
    pub(crate) clock: Signal<In, Clock>,
    pub(crate) reset: Signal<In, Bit>,
    pub(crate) issue_valid: Signal<In, Bit>,
    pub(crate) issue_tag: Signal<In, Bits<8>>,
    pub(crate) active_mask: Signal<In, Bits<32>>,
    pub(crate) split: Signal<In, Bit>,
    pub(crate) sub_warp: Signal<In, Bit>,
    pub(crate) operand_a: [Signal<In, Bits<32>>; 32],
    pub(crate) operand_b: [Signal<In, Bits<32>>; 32],
    pub(crate) operand_c: [Signal<In, Bits<32>>; 32],
    pub(crate) operand_flag: Signal<In, Bits<32>>,
    pub(crate) cfg_elision: Signal<In, Bits<2>>,
    pub(crate) takes_two: Signal<Out, Bit>,
    pub(crate) valid: Signal<Out, Bit>,
    pub(crate) tag: Signal<Out, Bits<8>>,
    pub(crate) folded: Signal<Out, Bit>,
    pub(crate) last: Signal<Out, Bit>,
    pub(crate) temp_mask: Signal<Out, Bits<32>>,
    pub(crate) lane_mask: Signal<Out, Bits<32>>,
    pub(crate) shifted_a: [Signal<Out, Bits<32>>; 32],
    pub(crate) shifted_b: [Signal<Out, Bits<32>>; 32],
    pub(crate) shifted_c: [Signal<Out, Bits<32>>; 32],
    pub(crate) shifted_flag: Signal<Out, Bits<32>>,
    splitter: SplitMask,
    shift_a: LaneShift<VARIANT, 32>,
    shift_b: LaneShift<VARIANT, 32>,
    shift_c: LaneShift<VARIANT, 32>,
    shift_flag: LaneShift<VARIANT, 1>,
    held_valid: Reg<Bit>,
    held_tag: DataReg<Bits<8>>,
    held_folded: DataReg<Bit>,
    held_last: DataReg<Bit>,
    held_temp_mask: DataReg<Bits<32>>,
    held_lane_mask: DataReg<Bits<32>>,
    held_a: DataRegArray<32, 32>,
    held_b: DataRegArray<32, 32>,
    held_c: DataRegArray<32, 32>,
    held_flag: DataReg<Bits<32>>,
    moved_flag: Signal<Local, Bits<32>>,
}

rtl_block! {
    ShiftStage<const VARIANT: usize>,
    "shift_stage" in "lanes", clocked,
    Origami "shifting stage",
    "Takes a warp's operands from issue to the lanes that will execute them, in one cycle. \
     A folded warp comes twice, sub-warp 0 first, under one tag. \
     Sub-warp 1 of a warp that is not folded does not exist and is ignored.",
    input issue_valid: "a warp or half-warp is issued in this cycle";
    input issue_tag: "names the operation until its results are joined";
    input active_mask: "lanes with an active thread";
    input split: "folding is on for this warp";
    input sub_warp: "which half is issued; 0 for a warp that is not folded";
    input operand_a: "first operand of each lane";
    input operand_b: "second operand of each lane";
    input operand_c: "third operand of each lane";
    input operand_flag: "predicate, carry or select bit of each lane";
    input cfg_elision: "when to cancel a fold, as in split_mask";
    output takes_two: "the warp now offered is folded: sub-warp 1 must follow";
    output valid: "operands are ready to execute";
    output tag: "tag of this operation";
    output folded: "it is one half of a folded warp";
    output last: "it is the second half";
    output temp_mask: "lanes of the warp that take part, for the re-shift stage";
    output lane_mask: "lanes that execute";
    output shifted_a: "first operand, by executing lane";
    output shifted_b: "second operand, by executing lane";
    output shifted_c: "third operand, by executing lane";
    output shifted_flag: "flag, by executing lane";
}

impl<const VARIANT: usize> Default for ShiftStage<VARIANT> {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            issue_valid: Default::default(),
            issue_tag: Default::default(),
            active_mask: Default::default(),
            split: Default::default(),
            sub_warp: Default::default(),
            operand_a: std::array::from_fn(|_| Default::default()),
            operand_b: std::array::from_fn(|_| Default::default()),
            operand_c: std::array::from_fn(|_| Default::default()),
            operand_flag: Default::default(),
            cfg_elision: Default::default(),
            takes_two: Default::default(),
            valid: Default::default(),
            tag: Default::default(),
            folded: Default::default(),
            last: Default::default(),
            temp_mask: Default::default(),
            lane_mask: Default::default(),
            shifted_a: std::array::from_fn(|_| Default::default()),
            shifted_b: std::array::from_fn(|_| Default::default()),
            shifted_c: std::array::from_fn(|_| Default::default()),
            shifted_flag: Default::default(),
            splitter: Default::default(),
            shift_a: Default::default(),
            shift_b: Default::default(),
            shift_c: Default::default(),
            shift_flag: Default::default(),
            held_valid: Default::default(),
            held_tag: DataReg::valid_by("held_valid"),
            held_folded: DataReg::valid_by("held_valid"),
            held_last: DataReg::valid_by("held_valid"),
            held_temp_mask: DataReg::valid_by("held_valid"),
            held_lane_mask: DataReg::valid_by("held_valid"),
            held_a: DataRegArray::valid_by("held_valid"),
            held_b: DataRegArray::valid_by("held_valid"),
            held_c: DataRegArray::valid_by("held_valid"),
            held_flag: DataReg::valid_by("held_valid"),
            moved_flag: Default::default(),
        }
    }
}

impl<const VARIANT: usize> Logic for ShiftStage<VARIANT> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held_valid, held_tag, held_folded, held_last);
        dff_setup!(self, clock, held_temp_mask, held_lane_mask, held_flag);
        clock!(self, clock, held_a, held_b, held_c);
        self.splitter.active_mask.next = self.active_mask.val();
        self.splitter.split.next = self.split.val();
        self.splitter.sub_warp.next = self.sub_warp.val();
        self.splitter.cfg_elision.next = self.cfg_elision.val();
        self.takes_two.next = self.splitter.folded.val();

        self.shift_a.temp_mask.next = self.splitter.temp_mask.val();
        self.shift_b.temp_mask.next = self.splitter.temp_mask.val();
        self.shift_c.temp_mask.next = self.splitter.temp_mask.val();
        self.shift_flag.temp_mask.next = self.splitter.temp_mask.val();
        for i in 0..32 {
            self.shift_a.data[i].next = self.operand_a[i].val();
            self.shift_b.data[i].next = self.operand_b[i].val();
            self.shift_c.data[i].next = self.operand_c[i].val();
            self.shift_flag.data[i].next = self.operand_flag.val().get_bits::<1>(i);
        }

        comment!("Sub-warp 1 exists only in a folded warp.");
        self.held_valid.d.next =
            self.issue_valid.val() & (self.splitter.folded.val() | !self.sub_warp.val());
        self.held_tag.d.next = self.issue_tag.val();
        self.held_folded.d.next = self.splitter.folded.val();
        self.held_last.d.next = self.splitter.folded.val() & self.sub_warp.val();
        self.held_temp_mask.d.next = self.splitter.temp_mask.val();
        comment!("A lane executes when all its operands are there. The four masks are equal, and synthesis keeps one.");
        self.held_lane_mask.d.next = self.shift_a.lane_mask.val()
            & self.shift_b.lane_mask.val()
            & self.shift_c.lane_mask.val()
            & self.shift_flag.lane_mask.val();
        for i in 0..32 {
            self.held_a.d[i].next = self.shift_a.shifted[i].val();
            self.held_b.d[i].next = self.shift_b.shifted[i].val();
            self.held_c.d[i].next = self.shift_c.shifted[i].val();
        }
        self.moved_flag.next = 0.into();
        for i in 0..32 {
            self.moved_flag.next =
                self.moved_flag.val().replace_bit(i, self.shift_flag.shifted[i].val().get_bit(0));
        }
        self.held_flag.d.next = self.moved_flag.val();

        comment!("Next cycle, to the execution lanes.");
        self.valid.next = self.held_valid.q.val();
        self.tag.next = self.held_tag.q.val();
        self.folded.next = self.held_folded.q.val();
        self.last.next = self.held_last.q.val();
        self.temp_mask.next = self.held_temp_mask.q.val();
        self.lane_mask.next = self.held_lane_mask.q.val();
        for i in 0..32 {
            self.shifted_a[i].next = self.held_a.q[i].val();
            self.shifted_b[i].next = self.held_b.q[i].val();
            self.shifted_c[i].next = self.held_c.q[i].val();
        }
        self.shifted_flag.next = self.held_flag.q.val();
    }
}
