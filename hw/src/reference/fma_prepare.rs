//! Turns add, subtract, multiply and fused multiply-add into one form, a product and an addend.
//!
//! a + b is a * 1 + b, and a * b is a * b + (-0): one datapath, and no case of its own for any of them.
//! The addend starts as far left of the product as it ever needs to be, its lowest bit 50 above the
//! product's, and moves right by `shift`. If it would have to start further left, it stays there: the
//! product then lies below all its bits, and how far below does not change the rounded result. The
//! same holds of a product of zero, wherever its exponent would put it.

use super::float_unpack::FloatUnpack;
use crate::prelude::*;

/// Operand selection, exponents, signs and special cases.
#[derive(LogicBlock, Default)]
pub struct FmaPrepare {
    pub(crate) kind: Signal<In, Bits<2>>,
    pub(crate) operand_a: Signal<In, Bits<32>>,
    pub(crate) operand_b: Signal<In, Bits<32>>,
    pub(crate) operand_c: Signal<In, Bits<32>>,
    pub(crate) multiplicand: Signal<Out, Bits<24>>,
    pub(crate) multiplier: Signal<Out, Bits<24>>,
    pub(crate) addend: Signal<Out, Bits<24>>,
    pub(crate) shift: Signal<Out, Bits<7>>,
    pub(crate) exponent: Signal<Out, Bits<9>>,
    pub(crate) sign: Signal<Out, Bit>,
    pub(crate) subtract: Signal<Out, Bit>,
    pub(crate) nan: Signal<Out, Bit>,
    pub(crate) infinite: Signal<Out, Bit>,
    first: FloatUnpack,
    second: FloatUnpack,
    third: FloatUnpack,
    product_exponent: Signal<Local, Bits<10>>,
    distance: Signal<Local, Bits<10>>,
    stays: Signal<Local, Bit>,
    product_sign: Signal<Local, Bit>,
    opposite: Signal<Local, Bit>,
    product_infinite: Signal<Local, Bit>,
    product_zero: Signal<Local, Bit>,
    invalid: Signal<Local, Bit>,
}

rtl_block! {
    FmaPrepare,
    "fma_prepare" in "reference", combinational,
    ReferenceLane "fused multiply-add: operands, exponents, signs and special cases",
    "Turns add, subtract, multiply and fused multiply-add into one form, a product and an addend: \
     a + b is a * 1 + b, and a * b is a * b + (-0). The addend starts 50 bits to the left of the \
     product's lowest bit and moves right by shift_o.",
    input kind: "0 add, 1 subtract, 2 multiply, 3 fused multiply-add";
    input operand_a: "first operand";
    input operand_b: "second operand";
    input operand_c: "third operand";
    output multiplicand: "first factor";
    output multiplier: "second factor";
    output addend: "what is added to the product";
    output shift: "how far the addend moves right";
    output exponent: "biased exponent of the adder's leftmost bit";
    output sign: "sign of the product, or of an infinite result";
    output subtract: "the addend is to be subtracted from the product";
    output nan: "the result is not a number";
    output infinite: "the result is infinite, because an operand is";
}

impl Logic for FmaPrepare {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Bit 1 of the kind: there is a second factor. Otherwise it is 1.");
        self.first.word.next = self.operand_a.val();
        if self.kind.val().get_bit(1) {
            self.second.word.next = self.operand_b.val();
        } else {
            self.second.word.next = 0x3f80_0000.into();
        }
        match self.kind.val().index() {
            0 => self.third.word.next = self.operand_b.val(),
            1 => self.third.word.next = self.operand_b.val() ^ 0x8000_0000_u64,
            2 => self.third.word.next = 0x8000_0000_u64.into(),
            _ => self.third.word.next = self.operand_c.val(),
        }
        self.multiplicand.next = self.first.significand.val();
        self.multiplier.next = self.second.significand.val();
        self.addend.next = self.third.significand.val();

        comment!("Where the addend would start if the product had its exponent: 924 is -100.");
        self.product_exponent.next = bit_cast::<10, 8>(self.first.exponent.val())
            + bit_cast::<10, 8>(self.second.exponent.val())
            + 924;
        self.distance.next =
            self.product_exponent.val() - bit_cast::<10, 8>(self.third.exponent.val());
        self.product_zero.next =
            !self.first.significand.val().any() | !self.second.significand.val().any();
        self.stays.next = self.product_zero.val() | self.distance.val().get_bit(9);
        if self.stays.val() {
            self.shift.next = 0.into();
            self.exponent.next = bit_cast::<9, 8>(self.third.exponent.val());
        } else {
            self.shift.next = self.distance.val().get_bits::<7>(0);
            if self.distance.val().get_bits::<2>(7).any() {
                self.shift.next = 127.into();
            }
            self.exponent.next = self.product_exponent.val().get_bits::<9>(0);
        }

        self.product_sign.next = self.first.sign.val() ^ self.second.sign.val();
        self.opposite.next = self.product_sign.val() ^ self.third.sign.val();
        self.product_infinite.next = self.first.infinite.val() | self.second.infinite.val();
        self.invalid.next = self.first.nan.val()
            | self.second.nan.val()
            | self.third.nan.val()
            | (self.product_infinite.val()
                & (self.product_zero.val() | (self.third.infinite.val() & self.opposite.val())));
        self.nan.next = self.invalid.val();
        self.infinite.next =
            (self.product_infinite.val() | self.third.infinite.val()) & !self.invalid.val();
        self.subtract.next =
            self.opposite.val() & !self.product_infinite.val() & !self.third.infinite.val();
        if self.third.infinite.val() & !self.product_infinite.val() {
            self.sign.next = self.third.sign.val();
        } else {
            self.sign.next = self.product_sign.val();
        }
    }
}
