//! Executes one 32-bit integer or single-precision operation a cycle, each in six cycles.
//!
//! The lane that every cost is compared with, so it is meant to be economical rather than fast: one
//! multiplier array, one wide adder, one comparator and one shifter, each used by everything that can
//! use it. An integer result enters the multiply-add datapath as the addend of a product of zero, and
//! rides through normalisation and rounding untouched, so that no second pipeline carries it.
//!
//! | stage | what happens | block |
//! | --- | --- | --- |
//! | 1 | operations without product; operands, exponents, special cases | `int_unit`, `fma_prepare` |
//! | 2 | partial products to two rows; addend to its place | `product_tree`, `addend_align` |
//! | 3 | sum and its magnitude | `fma_add` |
//! | 4 | leading one to the leftmost sixteen bits | `normalise_coarse` |
//! | 5 | leading one to the leftmost bit | `normalise_fine` |
//! | 6 | rounding, packing | `round_pack` |

use super::addend_align::AddendAlign;
use super::fma_add::FmaAdd;
use super::fma_prepare::FmaPrepare;
use super::int_unit::IntUnit;
use super::normalise_coarse::NormaliseCoarse;
use super::normalise_fine::NormaliseFine;
use super::product_tree::ProductTree;
use super::round_pack::RoundPack;
use crate::prelude::*;

/// One lane; `FLUSH` is [`FULL`](super::FULL) or [`FLUSH`](super::FLUSH).
///
/// The number at the end of a register's name is the stage that reads it; the result leaves after 6.
#[derive(LogicBlock)]
pub struct SimtLane<const FLUSH: usize> {
    pub(crate) clock: Signal<In, Clock>,
    pub(crate) reset: Signal<In, Bit>,
    pub(crate) issue_valid: Signal<In, Bit>,
    pub(crate) issue_tag: Signal<In, Bits<8>>,
    pub(crate) op: Signal<In, Bits<6>>,
    pub(crate) operand_a: Signal<In, Bits<32>>,
    pub(crate) operand_b: Signal<In, Bits<32>>,
    pub(crate) operand_c: Signal<In, Bits<32>>,
    pub(crate) valid: Signal<Out, Bit>,
    pub(crate) tag: Signal<Out, Bits<8>>,
    pub(crate) result: Signal<Out, Bits<32>>,
    int_unit: IntUnit,
    prepare: FmaPrepare,
    tree: ProductTree,
    align: AddendAlign,
    adder: FmaAdd,
    coarse: NormaliseCoarse,
    fine: NormaliseFine,
    round: RoundPack<FLUSH>,
    valid_2: Reg<Bit>,
    tag_2: DataReg<Bits<8>>,
    float_2: DataReg<Bit>,
    multiplicand_2: DataReg<Bits<32>>,
    multiplier_2: DataReg<Bits<32>>,
    addend_2: DataReg<Bits<32>>,
    shift_2: DataReg<Bits<7>>,
    exponent_2: DataReg<Bits<9>>,
    sign_2: DataReg<Bit>,
    subtract_2: DataReg<Bit>,
    nan_2: DataReg<Bit>,
    infinite_2: DataReg<Bit>,
    valid_3: Reg<Bit>,
    tag_3: DataReg<Bits<8>>,
    float_3: DataReg<Bit>,
    sum_3: DataReg<Bits<48>>,
    carry_3: DataReg<Bits<42>>,
    aligned_3: DataReg<Bits<76>>,
    sticky_3: DataReg<Bit>,
    room_3: DataReg<Bits<9>>,
    sign_3: DataReg<Bit>,
    subtract_3: DataReg<Bit>,
    nan_3: DataReg<Bit>,
    infinite_3: DataReg<Bit>,
    valid_4: Reg<Bit>,
    tag_4: DataReg<Bits<8>>,
    float_4: DataReg<Bit>,
    magnitude_4: DataReg<Bits<76>>,
    negative_4: DataReg<Bit>,
    sticky_4: DataReg<Bit>,
    room_4: DataReg<Bits<9>>,
    sign_4: DataReg<Bit>,
    subtract_4: DataReg<Bit>,
    nan_4: DataReg<Bit>,
    infinite_4: DataReg<Bit>,
    valid_5: Reg<Bit>,
    tag_5: DataReg<Bits<8>>,
    float_5: DataReg<Bit>,
    window_5: DataReg<Bits<42>>,
    inexact_5: DataReg<Bit>,
    negative_5: DataReg<Bit>,
    room_5: DataReg<Bits<9>>,
    sign_5: DataReg<Bit>,
    nan_5: DataReg<Bit>,
    infinite_5: DataReg<Bit>,
    valid_6: Reg<Bit>,
    tag_6: DataReg<Bits<8>>,
    float_6: DataReg<Bit>,
    window_6: DataReg<Bits<42>>,
    inexact_6: DataReg<Bit>,
    negative_6: DataReg<Bit>,
    room_6: DataReg<Bits<9>>,
    sign_6: DataReg<Bit>,
    nan_6: DataReg<Bit>,
    infinite_6: DataReg<Bit>,
    valid_7: Reg<Bit>,
    tag_7: DataReg<Bits<8>>,
    result_7: DataReg<Bits<32>>,
    reserved: Signal<Local, Bit>,
    float: Signal<Local, Bit>,
    product: Signal<Local, Bit>,
    flushing: Signal<Local, Bit>,
    a: Signal<Local, Bits<32>>,
    b: Signal<Local, Bits<32>>,
    c: Signal<Local, Bits<32>>,
    flush: Constant<Bit>,
}

rtl_block! {
    SimtLane<const FLUSH: usize>,
    "simt_lane" in "reference", clocked,
    ReferenceLane "the whole lane",
    "Executes one 32-bit integer or single-precision operation a cycle, each in six cycles. \
     Floats round to nearest, ties to even; every NaN result is 0x7fffffff. \
     docs/blocks/simt_lane.md lists the operation codes; a reserved one starts nothing.",
    input issue_valid: "an operation starts in this cycle";
    input issue_tag: "names the operation until its result is out";
    input op: "what to do";
    input operand_a: "first operand";
    input operand_b: "second operand";
    input operand_c: "third operand";
    output valid: "a result is there";
    output tag: "the tag it was issued with";
    output result: "the result; of a comparison 0 or 1";
}

impl<const FLUSH: usize> Default for SimtLane<FLUSH> {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            issue_valid: Default::default(),
            issue_tag: Default::default(),
            op: Default::default(),
            operand_a: Default::default(),
            operand_b: Default::default(),
            operand_c: Default::default(),
            valid: Default::default(),
            tag: Default::default(),
            result: Default::default(),
            int_unit: Default::default(),
            prepare: Default::default(),
            tree: Default::default(),
            align: Default::default(),
            adder: Default::default(),
            coarse: Default::default(),
            fine: Default::default(),
            round: Default::default(),
            valid_2: Default::default(),
            tag_2: DataReg::valid_by("valid_2"),
            float_2: DataReg::valid_by("valid_2"),
            multiplicand_2: DataReg::valid_by("valid_2"),
            multiplier_2: DataReg::valid_by("valid_2"),
            addend_2: DataReg::valid_by("valid_2"),
            shift_2: DataReg::valid_by("valid_2"),
            exponent_2: DataReg::valid_by("valid_2"),
            sign_2: DataReg::valid_by("valid_2"),
            subtract_2: DataReg::valid_by("valid_2"),
            nan_2: DataReg::valid_by("valid_2"),
            infinite_2: DataReg::valid_by("valid_2"),
            valid_3: Default::default(),
            tag_3: DataReg::valid_by("valid_3"),
            float_3: DataReg::valid_by("valid_3"),
            sum_3: DataReg::valid_by("valid_3"),
            carry_3: DataReg::valid_by("valid_3"),
            aligned_3: DataReg::valid_by("valid_3"),
            sticky_3: DataReg::valid_by("valid_3"),
            room_3: DataReg::valid_by("valid_3"),
            sign_3: DataReg::valid_by("valid_3"),
            subtract_3: DataReg::valid_by("valid_3"),
            nan_3: DataReg::valid_by("valid_3"),
            infinite_3: DataReg::valid_by("valid_3"),
            valid_4: Default::default(),
            tag_4: DataReg::valid_by("valid_4"),
            float_4: DataReg::valid_by("valid_4"),
            magnitude_4: DataReg::valid_by("valid_4"),
            negative_4: DataReg::valid_by("valid_4"),
            sticky_4: DataReg::valid_by("valid_4"),
            room_4: DataReg::valid_by("valid_4"),
            sign_4: DataReg::valid_by("valid_4"),
            subtract_4: DataReg::valid_by("valid_4"),
            nan_4: DataReg::valid_by("valid_4"),
            infinite_4: DataReg::valid_by("valid_4"),
            valid_5: Default::default(),
            tag_5: DataReg::valid_by("valid_5"),
            float_5: DataReg::valid_by("valid_5"),
            window_5: DataReg::valid_by("valid_5"),
            inexact_5: DataReg::valid_by("valid_5"),
            negative_5: DataReg::valid_by("valid_5"),
            room_5: DataReg::valid_by("valid_5"),
            sign_5: DataReg::valid_by("valid_5"),
            nan_5: DataReg::valid_by("valid_5"),
            infinite_5: DataReg::valid_by("valid_5"),
            valid_6: Default::default(),
            tag_6: DataReg::valid_by("valid_6"),
            float_6: DataReg::valid_by("valid_6"),
            window_6: DataReg::valid_by("valid_6"),
            inexact_6: DataReg::valid_by("valid_6"),
            negative_6: DataReg::valid_by("valid_6"),
            room_6: DataReg::valid_by("valid_6"),
            sign_6: DataReg::valid_by("valid_6"),
            nan_6: DataReg::valid_by("valid_6"),
            infinite_6: DataReg::valid_by("valid_6"),
            valid_7: Default::default(),
            tag_7: DataReg::valid_by("valid_7"),
            result_7: DataReg::valid_by("valid_7"),
            reserved: Default::default(),
            float: Default::default(),
            product: Default::default(),
            flushing: Default::default(),
            a: Default::default(),
            b: Default::default(),
            c: Default::default(),
            flush: Constant::new(FLUSH == super::FLUSH),
        }
    }
}

impl<const FLUSH: usize> Logic for SimtLane<FLUSH> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, valid_2, tag_2, float_2, multiplicand_2, multiplier_2, addend_2);
        dff_setup!(self, clock, shift_2, exponent_2, sign_2, subtract_2, nan_2, infinite_2);
        dff_setup!(self, clock, valid_3, tag_3, float_3, sum_3, carry_3, aligned_3, sticky_3);
        dff_setup!(self, clock, room_3, sign_3, subtract_3, nan_3, infinite_3);
        dff_setup!(self, clock, valid_4, tag_4, float_4, magnitude_4, negative_4, sticky_4);
        dff_setup!(self, clock, room_4, sign_4, subtract_4, nan_4, infinite_4);
        dff_setup!(self, clock, valid_5, tag_5, float_5, window_5, inexact_5, negative_5);
        dff_setup!(self, clock, room_5, sign_5, nan_5, infinite_5);
        dff_setup!(self, clock, valid_6, tag_6, float_6, window_6, inexact_6, negative_6);
        dff_setup!(self, clock, room_6, sign_6, nan_6, infinite_6);
        dff_setup!(self, clock, valid_7, tag_7, result_7);

        comment!("Stage 1. Codes 11 and 22 to 31 are reserved; bit 4 alone with bit 2 clear is a multiply-add of floats.");
        self.reserved.next = (self.op.val() == 11)
            | ((self.op.val().get_bits::<3>(3) == 2) & self.op.val().get_bits::<2>(1).all())
            | (self.op.val().get_bits::<3>(3) == 3);
        self.valid_2.d.next = self.issue_valid.val() & !self.reserved.val();
        self.tag_2.d.next = self.issue_tag.val();
        self.float.next = self.op.val().get_bits::<4>(2) == 4;
        self.product.next = self.op.val().get_bits::<5>(1) == 1;
        comment!("Where subnormals are flushed, operands read as floats lose them here.");
        self.flushing.next = self.flush.val() & self.op.val().get_bit(4);
        self.a.next = self.operand_a.val();
        if self.flushing.val() & !self.operand_a.val().get_bits::<8>(23).any() {
            self.a.next = self.operand_a.val() & 0x8000_0000_u64;
        }
        self.b.next = self.operand_b.val();
        if self.flushing.val() & !self.operand_b.val().get_bits::<8>(23).any() {
            self.b.next = self.operand_b.val() & 0x8000_0000_u64;
        }
        self.c.next = self.operand_c.val();
        if self.flushing.val() & !self.operand_c.val().get_bits::<8>(23).any() {
            self.c.next = self.operand_c.val() & 0x8000_0000_u64;
        }
        self.int_unit.op.next = self.op.val();
        self.int_unit.operand_a.next = self.a.val();
        self.int_unit.operand_b.next = self.b.val();
        self.prepare.kind.next = self.op.val().get_bits::<2>(0);
        self.prepare.operand_a.next = self.a.val();
        self.prepare.operand_b.next = self.b.val();
        self.prepare.operand_c.next = self.c.val();
        comment!("An operation without product has one of zero, and its result for addend.");
        self.float_2.d.next = self.float.val();
        self.multiplicand_2.d.next = 0.into();
        self.multiplier_2.d.next = 0.into();
        self.addend_2.d.next = self.int_unit.result.val();
        if self.float.val() {
            self.multiplicand_2.d.next = bit_cast::<32, 24>(self.prepare.multiplicand.val());
            self.multiplier_2.d.next = bit_cast::<32, 24>(self.prepare.multiplier.val());
            self.addend_2.d.next = bit_cast::<32, 24>(self.prepare.addend.val());
        } else if self.product.val() {
            self.multiplicand_2.d.next = self.operand_a.val();
            self.multiplier_2.d.next = self.operand_b.val();
            if self.op.val().get_bit(0) {
                self.addend_2.d.next = self.operand_c.val();
            }
        }
        self.shift_2.d.next = self.prepare.shift.val();
        self.exponent_2.d.next = self.prepare.exponent.val();
        self.sign_2.d.next = self.prepare.sign.val();
        self.subtract_2.d.next = self.float.val() & self.prepare.subtract.val();
        self.nan_2.d.next = self.prepare.nan.val();
        self.infinite_2.d.next = self.prepare.infinite.val();

        comment!("Stage 2.");
        self.tree.multiplicand.next = self.multiplicand_2.q.val();
        self.tree.multiplier.next = self.multiplier_2.q.val();
        self.align.float.next = self.float_2.q.val();
        self.align.addend.next = self.addend_2.q.val();
        self.align.shift.next = self.shift_2.q.val();
        self.valid_3.d.next = self.valid_2.q.val();
        self.tag_3.d.next = self.tag_2.q.val();
        self.float_3.d.next = self.float_2.q.val();
        self.sum_3.d.next = self.tree.sum.val();
        self.carry_3.d.next = self.tree.carry.val();
        self.aligned_3.d.next = self.align.aligned.val();
        self.sticky_3.d.next = self.align.sticky.val();
        comment!(
            "The exponent is at least 1, and so much less one may the sum be shifted to the left."
        );
        self.room_3.d.next = self.exponent_2.q.val() - 1;
        self.sign_3.d.next = self.sign_2.q.val();
        self.subtract_3.d.next = self.subtract_2.q.val();
        self.nan_3.d.next = self.nan_2.q.val();
        self.infinite_3.d.next = self.infinite_2.q.val();

        comment!("Stage 3.");
        self.adder.sum.next = self.sum_3.q.val();
        self.adder.carry.next = self.carry_3.q.val();
        self.adder.aligned.next = self.aligned_3.q.val();
        self.adder.sticky.next = self.sticky_3.q.val();
        self.adder.subtract.next = self.subtract_3.q.val();
        self.valid_4.d.next = self.valid_3.q.val();
        self.tag_4.d.next = self.tag_3.q.val();
        self.float_4.d.next = self.float_3.q.val();
        self.magnitude_4.d.next = self.adder.magnitude.val();
        self.negative_4.d.next = self.adder.negative.val();
        self.sticky_4.d.next = self.sticky_3.q.val();
        self.room_4.d.next = self.room_3.q.val();
        self.sign_4.d.next = self.sign_3.q.val();
        self.subtract_4.d.next = self.subtract_3.q.val();
        self.nan_4.d.next = self.nan_3.q.val();
        self.infinite_4.d.next = self.infinite_3.q.val();

        comment!(
            "Stage 4. A negative sum has the addend's sign; a difference of zero is positive."
        );
        self.coarse.float.next = self.float_4.q.val();
        self.coarse.magnitude.next = self.magnitude_4.q.val();
        self.coarse.negative.next = self.negative_4.q.val();
        self.coarse.sticky.next = self.sticky_4.q.val();
        self.coarse.room.next = self.room_4.q.val();
        self.valid_5.d.next = self.valid_4.q.val();
        self.tag_5.d.next = self.tag_4.q.val();
        self.float_5.d.next = self.float_4.q.val();
        self.window_5.d.next = self.coarse.window.val();
        self.inexact_5.d.next = self.coarse.inexact.val();
        self.negative_5.d.next = self.negative_4.q.val();
        self.room_5.d.next = self.coarse.room_left.val();
        self.sign_5.d.next = (self.sign_4.q.val() ^ self.negative_4.q.val())
            & !(self.subtract_4.q.val() & self.coarse.zero.val());
        self.nan_5.d.next = self.nan_4.q.val();
        self.infinite_5.d.next = self.infinite_4.q.val();

        comment!("Stage 5.");
        self.fine.float.next = self.float_5.q.val();
        self.fine.window.next = self.window_5.q.val();
        self.fine.negative.next = self.negative_5.q.val();
        self.fine.room.next = self.room_5.q.val();
        self.valid_6.d.next = self.valid_5.q.val();
        self.tag_6.d.next = self.tag_5.q.val();
        self.float_6.d.next = self.float_5.q.val();
        self.window_6.d.next = self.fine.shifted.val();
        self.inexact_6.d.next = self.inexact_5.q.val();
        self.negative_6.d.next = self.negative_5.q.val();
        self.room_6.d.next = self.fine.room_left.val();
        self.sign_6.d.next = self.sign_5.q.val();
        self.nan_6.d.next = self.nan_5.q.val();
        self.infinite_6.d.next = self.infinite_5.q.val();

        comment!("Stage 6.");
        self.round.float.next = self.float_6.q.val();
        self.round.window.next = self.window_6.q.val();
        self.round.inexact.next = self.inexact_6.q.val();
        self.round.negative.next = self.negative_6.q.val();
        self.round.room.next = self.room_6.q.val();
        self.round.sign.next = self.sign_6.q.val();
        self.round.nan.next = self.nan_6.q.val();
        self.round.infinite.next = self.infinite_6.q.val();
        self.valid_7.d.next = self.valid_6.q.val();
        self.tag_7.d.next = self.tag_6.q.val();
        self.result_7.d.next = self.round.result.val();

        self.valid.next = self.valid_7.q.val();
        self.tag.next = self.tag_7.q.val();
        self.result.next = self.result_7.q.val();
    }
}
