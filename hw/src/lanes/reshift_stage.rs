//! Takes results back to the lanes their operands came from, in one pipeline stage.
//!
//! Origami, re-shifting stage (figure 9). The mask that left `shift_stage` has travelled with the
//! operands and says all that is needed. What leaves here goes to `result_collector`.

use super::lane_reshift::LaneReshift;
use crate::prelude::*;

/// A result re-shifter and a flag re-shifter behind one register.
#[derive(LogicBlock)]
pub struct ReshiftStage<const VARIANT: usize> {
    pub(crate) clock: Signal<In, Clock>,
    pub(crate) reset: Signal<In, Bit>,
    pub(crate) execute_valid: Signal<In, Bit>,
    pub(crate) execute_tag: Signal<In, Bits<8>>,
    pub(crate) execute_folded: Signal<In, Bit>,
    pub(crate) execute_last: Signal<In, Bit>,
    pub(crate) temp_mask: Signal<In, Bits<32>>,
    pub(crate) result: [Signal<In, Bits<32>>; 32],
    pub(crate) result_flag: Signal<In, Bits<32>>,
    pub(crate) valid: Signal<Out, Bit>,
    pub(crate) tag: Signal<Out, Bits<8>>,
    pub(crate) folded: Signal<Out, Bit>,
    pub(crate) last: Signal<Out, Bit>,
    pub(crate) mask: Signal<Out, Bits<32>>,
    pub(crate) restored: [Signal<Out, Bits<32>>; 32],
    pub(crate) restored_flag: Signal<Out, Bits<32>>,
    reshift: LaneReshift<VARIANT, 32>,
    reshift_flag: LaneReshift<VARIANT, 1>,
    held_valid: Reg<Bit>,
    held_tag: DataReg<Bits<8>>,
    held_folded: DataReg<Bit>,
    held_last: DataReg<Bit>,
    held_mask: DataReg<Bits<32>>,
    held_result: DataRegArray<32, 32>,
    held_flag: DataReg<Bits<32>>,
    moved_flag: Signal<Local, Bits<32>>,
}

rtl_block! {
    ReshiftStage<const VARIANT: usize>,
    "reshift_stage" in "lanes", clocked,
    Origami "re-shifting stage",
    "Takes results back to the lanes their operands came from, in one cycle. \
     Results outside mask_o mean nothing.",
    input execute_valid: "results leave the execution lanes in this cycle";
    input execute_tag: "tag of the operation";
    input execute_folded: "it is one half of a folded warp";
    input execute_last: "it is the second half";
    input temp_mask: "lanes of the warp that took part";
    input result: "result of each executing lane";
    input result_flag: "predicate or carry result of each executing lane";
    output valid: "results are in place";
    output tag: "tag of the operation";
    output folded: "it is one half of a folded warp";
    output last: "it is the second half";
    output mask: "lanes of the warp that have a result";
    output restored: "result, by lane of the warp";
    output restored_flag: "flag result, by lane of the warp";
}

impl<const VARIANT: usize> Default for ReshiftStage<VARIANT> {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            execute_valid: Default::default(),
            execute_tag: Default::default(),
            execute_folded: Default::default(),
            execute_last: Default::default(),
            temp_mask: Default::default(),
            result: std::array::from_fn(|_| Default::default()),
            result_flag: Default::default(),
            valid: Default::default(),
            tag: Default::default(),
            folded: Default::default(),
            last: Default::default(),
            mask: Default::default(),
            restored: std::array::from_fn(|_| Default::default()),
            restored_flag: Default::default(),
            reshift: Default::default(),
            reshift_flag: Default::default(),
            held_valid: Default::default(),
            held_tag: DataReg::valid_by("held_valid"),
            held_folded: DataReg::valid_by("held_valid"),
            held_last: DataReg::valid_by("held_valid"),
            held_mask: DataReg::valid_by("held_valid"),
            held_result: DataRegArray::valid_by("held_valid"),
            held_flag: DataReg::valid_by("held_valid"),
            moved_flag: Default::default(),
        }
    }
}

impl<const VARIANT: usize> Logic for ReshiftStage<VARIANT> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held_valid, held_tag, held_folded, held_last);
        dff_setup!(self, clock, held_mask, held_flag);
        clock!(self, clock, held_result);
        self.reshift.temp_mask.next = self.temp_mask.val();
        self.reshift_flag.temp_mask.next = self.temp_mask.val();
        for i in 0..32 {
            self.reshift.lanes[i].next = self.result[i].val();
            self.reshift_flag.lanes[i].next = self.result_flag.val().get_bits::<1>(i);
        }

        self.held_valid.d.next = self.execute_valid.val();
        self.held_tag.d.next = self.execute_tag.val();
        self.held_folded.d.next = self.execute_folded.val();
        self.held_last.d.next = self.execute_last.val();
        self.held_mask.d.next = self.temp_mask.val();
        self.moved_flag.next = 0.into();
        for i in 0..32 {
            self.held_result.d[i].next = self.reshift.restored[i].val();
            self.moved_flag.next = self
                .moved_flag
                .val()
                .replace_bit(i, self.reshift_flag.restored[i].val().get_bit(0));
        }
        self.held_flag.d.next = self.moved_flag.val();

        comment!("Next cycle, to the result collector.");
        self.valid.next = self.held_valid.q.val();
        self.tag.next = self.held_tag.q.val();
        self.folded.next = self.held_folded.q.val();
        self.last.next = self.held_last.q.val();
        self.mask.next = self.held_mask.q.val();
        for i in 0..32 {
            self.restored[i].next = self.held_result.q[i].val();
        }
        self.restored_flag.next = self.held_flag.q.val();
    }
}
