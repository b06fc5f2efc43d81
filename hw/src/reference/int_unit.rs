//! Answers every operation that needs no multiplier, within the cycle.
//!
//! One adder adds, subtracts and compares. Floats compare as integers do but for three things: two
//! negative ones the other way round, zeros of either sign alike, and NaN not at all. So minimum,
//! maximum and comparison of floats are here, and cost only that.
//!
//! A comparison's code names the relations that make it true, one bit each (less, equal, greater): all
//! of PTX's fourteen float comparisons and six integer ones need no further decoding.

use super::barrel_shifter::BarrelShifter;
use crate::prelude::*;

/// Adder, logic, shifter and comparator.
#[derive(LogicBlock, Default)]
pub struct IntUnit {
    pub(crate) op: Signal<In, Bits<6>>,
    pub(crate) operand_a: Signal<In, Bits<32>>,
    pub(crate) operand_b: Signal<In, Bits<32>>,
    pub(crate) result: Signal<Out, Bits<32>>,
    shifter: BarrelShifter,
    right: Signal<Local, Bits<32>>,
    subtract: Signal<Local, Bit>,
    sum: Signal<Local, Bits<32>>,
    different: Signal<Local, Bits<32>>,
    float: Signal<Local, Bit>,
    unsigned_order: Signal<Local, Bit>,
    sign_a: Signal<Local, Bit>,
    sign_b: Signal<Local, Bit>,
    nan_a: Signal<Local, Bit>,
    nan_b: Signal<Local, Bit>,
    zeros: Signal<Local, Bit>,
    same: Signal<Local, Bit>,
    below: Signal<Local, Bit>,
    equal: Signal<Local, Bit>,
    holds: Signal<Local, Bit>,
    take_a: Signal<Local, Bit>,
    extreme: Signal<Local, Bits<32>>,
}

rtl_block! {
    IntUnit,
    "int_unit" in "reference", combinational,
    ReferenceLane "integer operations, comparisons, minimum and maximum",
    "Answers every operation that needs no multiplier, within the cycle; any other gives 0. \
     One adder adds, subtracts and compares; floats compare as integers do, but for signs, zeros \
     and NaN.",
    input op: "operation code of the lane";
    input operand_a: "first operand";
    input operand_b: "second operand; of a shift the amount";
    output result: "the result; of a comparison 0 or 1";
}

impl Logic for IntUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The adder; all but an addition wants the difference.");
        self.subtract.next = self.op.val().any();
        self.right.next = self.operand_b.val();
        if self.subtract.val() {
            self.right.next = !self.operand_b.val();
        }
        self.sum.next = self.operand_a.val() + self.right.val() + self.subtract.val();

        comment!(
            "The order of the operands, as what they are: codes with bit 4 set are of floats."
        );
        self.float.next = self.op.val().get_bit(4);
        self.unsigned_order.next = (!self.op.val().get_bit(5) & self.op.val().get_bit(1))
            | (self.op.val().get_bit(5) & self.op.val().get_bit(3) & !self.op.val().get_bit(4));
        self.sign_a.next = self.operand_a.val().get_bit(31);
        self.sign_b.next = self.operand_b.val().get_bit(31);
        self.nan_a.next = self.float.val()
            & self.operand_a.val().get_bits::<8>(23).all()
            & self.operand_a.val().get_bits::<23>(0).any();
        self.nan_b.next = self.float.val()
            & self.operand_b.val().get_bits::<8>(23).all()
            & self.operand_b.val().get_bits::<23>(0).any();
        self.different.next = self.operand_a.val() ^ self.operand_b.val();
        self.same.next = !self.different.val().any();
        self.zeros.next = self.float.val()
            & !self.operand_a.val().get_bits::<31>(0).any()
            & !self.operand_b.val().get_bits::<31>(0).any();
        comment!(
            "With equal signs the difference has no overflow; of two negative floats it is turned."
        );
        if self.different.val().get_bit(31) {
            self.below.next = (self.unsigned_order.val() & self.sign_b.val())
                | (!self.unsigned_order.val() & self.sign_a.val());
        } else {
            self.below.next = (self.sum.val().get_bit(31) ^ (self.float.val() & self.sign_a.val()))
                & !self.same.val();
        }

        comment!("A comparison: bit 0 less, bit 1 equal, bit 2 greater, bit 3 unordered.");
        self.equal.next = self.same.val() | self.zeros.val();
        if self.nan_a.val() | self.nan_b.val() {
            self.holds.next = self.op.val().get_bit(3);
        } else if self.equal.val() {
            self.holds.next = self.op.val().get_bit(1);
        } else if self.below.val() {
            self.holds.next = self.op.val().get_bit(0);
        } else {
            self.holds.next = self.op.val().get_bit(2);
        }

        comment!("Minimum and, with bit 0, maximum: a number wins over NaN.");
        self.take_a.next =
            self.nan_b.val() | (!self.nan_a.val() & (self.below.val() ^ self.op.val().get_bit(0)));
        if self.nan_a.val() & self.nan_b.val() {
            self.extreme.next = 0x7fff_ffff.into();
        } else if self.take_a.val() {
            self.extreme.next = self.operand_a.val();
        } else {
            self.extreme.next = self.operand_b.val();
        }

        self.shifter.value.next = self.operand_a.val();
        self.shifter.amount.next = self.operand_b.val();
        self.shifter.left.next = !self.op.val().get_bit(0) & !self.op.val().get_bit(1);
        self.shifter.arithmetic.next = self.op.val().get_bit(1);

        comment!("What was asked for.");
        self.result.next = 0.into();
        if self.op.val().get_bit(5) {
            self.result.next = self.result.val().replace_bit(0, self.holds.val());
        } else {
            match self.op.val().index() {
                0 => self.result.next = self.sum.val(),
                1 => self.result.next = self.sum.val(),
                4 => self.result.next = self.operand_a.val() & self.operand_b.val(),
                5 => self.result.next = self.operand_a.val() | self.operand_b.val(),
                6 => self.result.next = self.different.val(),
                7 => self.result.next = !self.operand_a.val(),
                8 => self.result.next = self.shifter.shifted.val(),
                9 => self.result.next = self.shifter.shifted.val(),
                10 => self.result.next = self.shifter.shifted.val(),
                12 => self.result.next = self.extreme.val(),
                13 => self.result.next = self.extreme.val(),
                14 => self.result.next = self.extreme.val(),
                15 => self.result.next = self.extreme.val(),
                20 => self.result.next = self.extreme.val(),
                21 => self.result.next = self.extreme.val(),
                _ => self.result.next = 0.into(),
            }
        }
    }
}
