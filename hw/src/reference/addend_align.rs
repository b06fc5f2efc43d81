//! Puts the addend where it belongs in the 76-bit adder.
//!
//! A float's significand starts at the left end and moves right by `shift`; what falls off the right
//! end is remembered as a sticky bit. Shifts below 32 go first, while the number is narrow and nothing
//! can fall off. An integer stands where the product stands, two bits above the right end.

use crate::prelude::*;

/// A right shifter.
#[derive(LogicBlock, Default)]
pub struct AddendAlign {
    pub(crate) float: Signal<In, Bit>,
    pub(crate) addend: Signal<In, Bits<32>>,
    pub(crate) shift: Signal<In, Bits<7>>,
    pub(crate) aligned: Signal<Out, Bits<76>>,
    pub(crate) sticky: Signal<Out, Bit>,
    start: Signal<Local, Bits<55>>,
    by_1: Signal<Local, Bits<55>>,
    by_2: Signal<Local, Bits<55>>,
    by_4: Signal<Local, Bits<55>>,
    by_8: Signal<Local, Bits<55>>,
    by_16: Signal<Local, Bits<55>>,
    wide: Signal<Local, Bits<76>>,
    by_32: Signal<Local, Bits<76>>,
    by_64: Signal<Local, Bits<76>>,
    lost_by_32: Signal<Local, Bit>,
    lost_by_64: Signal<Local, Bit>,
}

rtl_block! {
    AddendAlign,
    "addend_align" in "reference", combinational,
    ReferenceLane "fused multiply-add: alignment",
    "Puts the addend where it belongs in the 76-bit adder. A float's significand starts at the \
     left end and moves right; what falls off is remembered as a sticky bit. An integer stands \
     where the product stands, two bits above the right end.",
    input float: "the addend is a float's significand, in the low 24 bits; else an integer";
    input addend: "the addend";
    input shift: "how far a significand moves right";
    output aligned: "the addend in its place";
    output sticky: "a one fell off the right end";
}

impl Logic for AddendAlign {
    #[hdl_gen]
    fn update(&mut self) {
        self.start.next = bit_cast::<55, 24>(self.addend.val().get_bits::<24>(0)) << 31;
        self.by_1.next = self.start.val();
        if self.shift.val().get_bit(0) {
            self.by_1.next = self.start.val() >> 1;
        }
        self.by_2.next = self.by_1.val();
        if self.shift.val().get_bit(1) {
            self.by_2.next = self.by_1.val() >> 2;
        }
        self.by_4.next = self.by_2.val();
        if self.shift.val().get_bit(2) {
            self.by_4.next = self.by_2.val() >> 4;
        }
        self.by_8.next = self.by_4.val();
        if self.shift.val().get_bit(3) {
            self.by_8.next = self.by_4.val() >> 8;
        }
        self.by_16.next = self.by_8.val();
        if self.shift.val().get_bit(4) {
            self.by_16.next = self.by_8.val() >> 16;
        }
        comment!("From here on ones can fall off the right end.");
        self.wide.next = bit_cast::<76, 55>(self.by_16.val()) << 21;
        self.by_32.next = self.wide.val();
        self.lost_by_32.next = false;
        if self.shift.val().get_bit(5) {
            self.by_32.next = self.wide.val() >> 32;
            self.lost_by_32.next = self.wide.val().get_bits::<32>(0).any();
        }
        self.by_64.next = self.by_32.val();
        self.lost_by_64.next = false;
        if self.shift.val().get_bit(6) {
            self.by_64.next = self.by_32.val() >> 64;
            self.lost_by_64.next = self.by_32.val().get_bits::<64>(0).any();
        }
        if self.float.val() {
            self.aligned.next = self.by_64.val();
        } else {
            self.aligned.next = bit_cast::<76, 32>(self.addend.val()) << 2;
        }
        self.sticky.next = self.float.val() & (self.lost_by_32.val() | self.lost_by_64.val());
    }
}
