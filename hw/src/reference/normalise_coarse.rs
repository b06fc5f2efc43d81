//! Brings the leading one of a sum into the leftmost sixteen bits, as far as the exponent allows.
//!
//! Shifts left by 0, 16, 32, 48 or 64 and keeps the leftmost 42 bits: 24, a rounding bit and the 15
//! that `normalise_fine` may still shift in, and two more so that an integer fits. Of the rest a sticky
//! bit remains. `room` says how far the result may be shifted before its exponent is the smallest; as
//! the adder's left end never lies below that exponent, a subnormal result is only shifted less far and
//! never to the right.
//!
//! An inverted sum has ones shifted in, so that it stays one less than what is meant. An integer comes
//! out in the low word of the window.

use crate::prelude::*;

/// A five-way multiplexer.
#[derive(LogicBlock, Default)]
pub struct NormaliseCoarse {
    pub(crate) float: Signal<In, Bit>,
    pub(crate) magnitude: Signal<In, Bits<76>>,
    pub(crate) negative: Signal<In, Bit>,
    pub(crate) sticky: Signal<In, Bit>,
    pub(crate) room: Signal<In, Bits<9>>,
    pub(crate) window: Signal<Out, Bits<42>>,
    pub(crate) inexact: Signal<Out, Bit>,
    pub(crate) room_left: Signal<Out, Bits<9>>,
    pub(crate) zero: Signal<Out, Bit>,
    ones: Signal<Local, Bits<76>>,
    occupied: Signal<Local, Bits<4>>,
    steps: Signal<Local, Bits<3>>,
    shifted: Signal<Local, Bits<76>>,
    rest: Signal<Local, Bits<34>>,
}

rtl_block! {
    NormaliseCoarse,
    "normalise_coarse" in "reference", combinational,
    ReferenceLane "fused multiply-add: normalisation by multiples of 16",
    "Brings the leading one of a sum into the leftmost sixteen bits, as far as the exponent \
     allows, and keeps the leftmost 42 bits and a sticky bit. An inverted sum has ones shifted in. \
     An integer comes out in the low word of the window.",
    input float: "the sum is a float's; else an integer's";
    input magnitude: "the sum, inverted if it is negative";
    input negative: "it is inverted";
    input sticky: "there was more below it";
    input room: "by how much it may be shifted before it is subnormal";
    output window: "the leftmost bits after the shift";
    output inexact: "there is more below them";
    output room_left: "by how much it may still be shifted";
    output zero: "the sum is exactly zero";
}

impl Logic for NormaliseCoarse {
    #[hdl_gen]
    fn update(&mut self) {
        comment!(
            "Sixteen bits from the left that are not all zero, or at which the shift must end."
        );
        self.occupied.next = 0.into();
        self.occupied.next = self.occupied.val().replace_bit(
            0,
            self.magnitude.val().get_bits::<16>(60).any() | (self.room.val().get_bits::<5>(4) == 0),
        );
        self.occupied.next = self.occupied.val().replace_bit(
            1,
            self.magnitude.val().get_bits::<16>(44).any() | (self.room.val().get_bits::<5>(4) == 1),
        );
        self.occupied.next = self.occupied.val().replace_bit(
            2,
            self.magnitude.val().get_bits::<16>(28).any() | (self.room.val().get_bits::<5>(4) == 2),
        );
        self.occupied.next = self.occupied.val().replace_bit(
            3,
            self.magnitude.val().get_bits::<16>(12).any() | (self.room.val().get_bits::<5>(4) == 3),
        );
        if !self.float.val() {
            self.steps.next = 2.into();
        } else if self.occupied.val().get_bit(0) {
            self.steps.next = 0.into();
        } else if self.occupied.val().get_bit(1) {
            self.steps.next = 1.into();
        } else if self.occupied.val().get_bit(2) {
            self.steps.next = 2.into();
        } else if self.occupied.val().get_bit(3) {
            self.steps.next = 3.into();
        } else {
            self.steps.next = 4.into();
        }
        self.room_left.next = self.room.val() - (bit_cast::<9, 3>(self.steps.val()) << 4);

        self.ones.next = 0.into();
        if self.negative.val() {
            self.ones.next = 0xffff_ffff_ffff_ffff_u64.into();
        }
        match self.steps.val().index() {
            0 => self.shifted.next = self.magnitude.val(),
            1 => self.shifted.next = (self.magnitude.val() << 16) | (self.ones.val() & 0xffff),
            2 => {
                self.shifted.next =
                    (self.magnitude.val() << 32) | (self.ones.val() & 0xffff_ffff_u64)
            }
            3 => {
                self.shifted.next =
                    (self.magnitude.val() << 48) | (self.ones.val() & 0xffff_ffff_ffff_u64)
            }
            _ => self.shifted.next = (self.magnitude.val() << 64) | self.ones.val(),
        }
        self.window.next = self.shifted.val().get_bits::<42>(34);
        self.rest.next = self.shifted.val().get_bits::<34>(0);
        if self.negative.val() {
            self.rest.next = !self.shifted.val().get_bits::<34>(0);
        }
        self.inexact.next = self.sticky.val() | self.rest.val().any();
        self.zero.next = !self.magnitude.val().any() & !self.sticky.val();
    }
}
