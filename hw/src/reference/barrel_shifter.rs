//! Shifts a word left or right by any amount, as PTX does: amounts above 31 leave nothing or the sign.
//!
//! One right shifter serves both directions: to the left, the word goes through it turned around. That
//! takes two rows of multiplexers where a second shifter would take five.

use crate::prelude::*;

/// A 32-bit shifter.
#[derive(LogicBlock, Default)]
pub struct BarrelShifter {
    pub(crate) value: Signal<In, Bits<32>>,
    pub(crate) amount: Signal<In, Bits<32>>,
    pub(crate) left: Signal<In, Bit>,
    pub(crate) arithmetic: Signal<In, Bit>,
    pub(crate) shifted: Signal<Out, Bits<32>>,
    fill: Signal<Local, Bits<32>>,
    start: Signal<Local, Bits<32>>,
    by_1: Signal<Local, Bits<32>>,
    by_2: Signal<Local, Bits<32>>,
    by_4: Signal<Local, Bits<32>>,
    by_8: Signal<Local, Bits<32>>,
    by_16: Signal<Local, Bits<32>>,
    clamped: Signal<Local, Bits<32>>,
}

rtl_block! {
    BarrelShifter,
    "barrel_shifter" in "reference", combinational,
    ReferenceLane "integer shifts",
    "Shifts a word left or right by any amount: from 32 on nothing is left of it but the fill. \
     To the left, the word goes through the right shifter turned around.",
    input value: "the word";
    input amount: "positions; all 32 bits count";
    input left: "to the left; else to the right";
    input arithmetic: "fill with the sign; ignored to the left";
    output shifted: "the shifted word";
}

impl Logic for BarrelShifter {
    #[hdl_gen]
    fn update(&mut self) {
        self.fill.next = 0.into();
        if self.arithmetic.val() & !self.left.val() & self.value.val().get_bit(31) {
            self.fill.next = 0xffff_ffff_u64.into();
        }
        self.start.next = self.value.val();
        if self.left.val() {
            for i in 0..32 {
                self.start.next = self.start.val().replace_bit(i, self.value.val().get_bit(31 - i));
            }
        }
        self.by_1.next = self.start.val();
        if self.amount.val().get_bit(0) {
            self.by_1.next = (self.start.val() >> 1) | (self.fill.val() & 0x8000_0000_u64);
        }
        self.by_2.next = self.by_1.val();
        if self.amount.val().get_bit(1) {
            self.by_2.next = (self.by_1.val() >> 2) | (self.fill.val() & 0xc000_0000_u64);
        }
        self.by_4.next = self.by_2.val();
        if self.amount.val().get_bit(2) {
            self.by_4.next = (self.by_2.val() >> 4) | (self.fill.val() & 0xf000_0000_u64);
        }
        self.by_8.next = self.by_4.val();
        if self.amount.val().get_bit(3) {
            self.by_8.next = (self.by_4.val() >> 8) | (self.fill.val() & 0xff00_0000_u64);
        }
        self.by_16.next = self.by_8.val();
        if self.amount.val().get_bit(4) {
            self.by_16.next = (self.by_8.val() >> 16) | (self.fill.val() & 0xffff_0000_u64);
        }
        self.clamped.next = self.by_16.val();
        if self.amount.val().get_bits::<27>(5).any() {
            self.clamped.next = self.fill.val();
        }
        self.shifted.next = self.clamped.val();
        if self.left.val() {
            for i in 0..32 {
                self.shifted.next =
                    self.shifted.val().replace_bit(i, self.clamped.val().get_bit(31 - i));
            }
        }
    }
}
