//! Takes a single-precision number apart: sign, exponent, significand, and what kind it is.
//!
//! A subnormal has the exponent of the smallest normal numbers and no hidden bit, so that every finite
//! number is significand x 2^(exponent - 150) and needs no normalisation before it is multiplied.

use crate::prelude::*;

/// One operand's worth of unpacking.
#[derive(LogicBlock, Default)]
pub struct FloatUnpack {
    pub(crate) word: Signal<In, Bits<32>>,
    pub(crate) sign: Signal<Out, Bit>,
    pub(crate) exponent: Signal<Out, Bits<8>>,
    pub(crate) significand: Signal<Out, Bits<24>>,
    pub(crate) infinite: Signal<Out, Bit>,
    pub(crate) nan: Signal<Out, Bit>,
    hidden: Signal<Local, Bit>,
    whole: Signal<Local, Bit>,
    extreme: Signal<Local, Bit>,
}

rtl_block! {
    FloatUnpack,
    "float_unpack" in "reference", combinational,
    ReferenceLane "floating-point operands",
    "Takes a single-precision number apart. A subnormal has the exponent of the smallest normal \
     numbers and no hidden bit: every finite number is significand x 2^(exponent - 150).",
    input word: "the number";
    output sign: "it is negative";
    output exponent: "biased exponent, at least 1";
    output significand: "the fraction with its hidden bit";
    output infinite: "it is infinite";
    output nan: "it is not a number";
}

impl Logic for FloatUnpack {
    #[hdl_gen]
    fn update(&mut self) {
        self.hidden.next = self.word.val().get_bits::<8>(23).any();
        self.whole.next = !self.word.val().get_bits::<23>(0).any();
        self.extreme.next = self.word.val().get_bits::<8>(23).all();
        self.sign.next = self.word.val().get_bit(31);
        self.exponent.next = self.word.val().get_bits::<8>(23);
        if !self.hidden.val() {
            self.exponent.next = 1.into();
        }
        self.significand.next = self.word.val().get_bits::<24>(0);
        self.significand.next = self.significand.val().replace_bit(23, self.hidden.val());
        self.infinite.next = self.whole.val() & self.extreme.val();
        self.nan.next = !self.whole.val() & self.extreme.val();
    }
}
