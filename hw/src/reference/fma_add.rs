//! Adds the addend to the product, or subtracts it, and gives the magnitude of the result.
//!
//! The product comes as two rows; one carry-save row takes the addend in, and a single carry chain of
//! 77 bits, the last the sign, adds up. A negative difference comes out inverted, that is one less than
//! its magnitude, which rounding makes up for: two's complement would take a second carry chain. Only a
//! product that is larger than the addend can have bits of the addend below it, so a negative
//! difference never has a sticky bit.

use crate::prelude::*;

/// A carry-save row and an adder.
#[derive(LogicBlock, Default)]
pub struct FmaAdd {
    pub(crate) sum: Signal<In, Bits<48>>,
    pub(crate) carry: Signal<In, Bits<42>>,
    pub(crate) aligned: Signal<In, Bits<76>>,
    pub(crate) sticky: Signal<In, Bit>,
    pub(crate) subtract: Signal<In, Bit>,
    pub(crate) magnitude: Signal<Out, Bits<76>>,
    pub(crate) negative: Signal<Out, Bit>,
    product_sum: Signal<Local, Bits<76>>,
    product_carry: Signal<Local, Bits<76>>,
    addend: Signal<Local, Bits<77>>,
    saved_sum: Signal<Local, Bits<77>>,
    majority: Signal<Local, Bits<76>>,
    saved_carry: Signal<Local, Bits<77>>,
    total: Signal<Local, Bits<77>>,
}

rtl_block! {
    FmaAdd,
    "fma_add" in "reference", combinational,
    ReferenceLane "fused multiply-add: addition",
    "Adds the addend to the product, or subtracts it, and gives the magnitude of the result. \
     A negative difference comes out inverted, that is one less than its magnitude; rounding \
     makes up for it.",
    input sum: "one part of the product";
    input carry: "the other part, from column 6 on";
    input aligned: "the addend in its place; the product stands two bits above the right end";
    input sticky: "the addend goes on below the adder";
    input subtract: "subtract the addend";
    output magnitude: "the result, inverted if it is negative";
    output negative: "the addend was larger";
}

impl Logic for FmaAdd {
    #[hdl_gen]
    fn update(&mut self) {
        self.product_sum.next = bit_cast::<76, 48>(self.sum.val()) << 2;
        self.product_carry.next = bit_cast::<76, 42>(self.carry.val()) << 8;
        self.addend.next = bit_cast::<77, 76>(self.aligned.val());
        if self.subtract.val() {
            self.addend.next = !bit_cast::<77, 76>(self.aligned.val());
        }
        comment!("Three rows become two.");
        self.saved_sum.next = bit_cast::<77, 76>(self.product_sum.val() ^ self.product_carry.val())
            ^ self.addend.val();
        self.majority.next = (self.product_sum.val() & self.product_carry.val())
            | (self.product_sum.val() & self.addend.val().get_bits::<76>(0))
            | (self.product_carry.val() & self.addend.val().get_bits::<76>(0));
        comment!(
            "The one that completes a subtraction, unless what lies below the adder takes it."
        );
        self.saved_carry.next = bit_cast::<77, 76>(self.majority.val()) << 1;
        self.saved_carry.next =
            self.saved_carry.val().replace_bit(0, self.subtract.val() & !self.sticky.val());
        self.total.next = self.saved_sum.val() + self.saved_carry.val();
        self.negative.next = self.total.val().get_bit(76);
        self.magnitude.next = self.total.val().get_bits::<76>(0);
        if self.total.val().get_bit(76) {
            self.magnitude.next = !self.total.val().get_bits::<76>(0);
        }
    }
}
