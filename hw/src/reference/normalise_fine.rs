//! Brings the leading one of a sum to the leftmost bit, as far as the exponent allows.
//!
//! The second half of normalisation: shifts left by 0 to 15, where the leading one or the smallest
//! exponent demands; without a one among the leftmost fifteen bits it is 15. Integers pass. The exponent's
//! bound is a one that is laid over these bits before the leading zeros are counted, so that no comparison
//! follows the count.

use crate::prelude::*;

/// A leading-zero counter of 15 bits and a left shifter.
#[derive(LogicBlock, Default)]
pub struct NormaliseFine {
    pub(crate) float: Signal<In, Bit>,
    pub(crate) window: Signal<In, Bits<42>>,
    pub(crate) negative: Signal<In, Bit>,
    pub(crate) room: Signal<In, Bits<9>>,
    pub(crate) shifted: Signal<Out, Bits<42>>,
    pub(crate) room_left: Signal<Out, Bits<9>>,
    bound: Signal<Local, Bits<15>>,
    leading: Signal<Local, Bits<15>>,
    occupied: Signal<Local, Bits<3>>,
    nibble: Signal<Local, Bits<3>>,
    count: Signal<Local, Bits<4>>,
    ones: Signal<Local, Bits<42>>,
    by_8: Signal<Local, Bits<42>>,
    by_4: Signal<Local, Bits<42>>,
    by_2: Signal<Local, Bits<42>>,
}

rtl_block! {
    NormaliseFine,
    "normalise_fine" in "reference", combinational,
    ReferenceLane "fused multiply-add: normalisation by less than 16",
    "Brings the leading one of a sum to the leftmost bit, as far as the exponent allows: shifts \
     left by 0 to 15. An inverted sum has ones shifted in. Integers pass.",
    input float: "the window is a float's; else an integer's";
    input window: "the leftmost bits of the sum";
    input negative: "they are inverted";
    input room: "by how much they may be shifted before the result is subnormal";
    output shifted: "the window after the shift";
    output room_left: "by how much it might still be shifted";
}

impl Logic for NormaliseFine {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A one where the shift must end at the latest; at once for an integer.");
        self.bound.next = 0.into();
        for i in 0..15 {
            self.bound.next = self.bound.val().replace_bit(14 - i, self.room.val() == i.to_bits());
        }
        self.leading.next = self.window.val().get_bits::<15>(27) | self.bound.val();
        if !self.float.val() {
            self.leading.next = 0x4000.into();
        }
        comment!("Leading zeros: of nibbles, then within the first nibble that has a one.");
        self.occupied.next = 0.into();
        for i in 0..3 {
            self.occupied.next = self
                .occupied
                .val()
                .replace_bit(i, self.leading.val().get_bits::<4>(i * 4 + 3).any());
        }
        if self.occupied.val().get_bit(2) {
            self.nibble.next = self.leading.val().get_bits::<3>(12);
            self.count.next = 0.into();
        } else if self.occupied.val().get_bit(1) {
            self.nibble.next = self.leading.val().get_bits::<3>(8);
            self.count.next = 4.into();
        } else if self.occupied.val().get_bit(0) {
            self.nibble.next = self.leading.val().get_bits::<3>(4);
            self.count.next = 8.into();
        } else {
            self.nibble.next = self.leading.val().get_bits::<3>(0);
            self.count.next = 12.into();
        }
        self.count.next = self
            .count
            .val()
            .replace_bit(1, !self.nibble.val().get_bit(2) & !self.nibble.val().get_bit(1));
        self.count.next = self.count.val().replace_bit(
            0,
            !self.nibble.val().get_bit(2)
                & (self.nibble.val().get_bit(1) | !self.nibble.val().get_bit(0)),
        );
        self.room_left.next = self.room.val() - bit_cast::<9, 4>(self.count.val());

        self.ones.next = 0.into();
        if self.negative.val() {
            self.ones.next = 0xff.into();
        }
        self.by_8.next = self.window.val();
        if self.count.val().get_bit(3) {
            self.by_8.next = (self.window.val() << 8) | self.ones.val();
        }
        self.by_4.next = self.by_8.val();
        if self.count.val().get_bit(2) {
            self.by_4.next = (self.by_8.val() << 4) | (self.ones.val() & 0xf);
        }
        self.by_2.next = self.by_4.val();
        if self.count.val().get_bit(1) {
            self.by_2.next = (self.by_4.val() << 2) | (self.ones.val() & 0x3);
        }
        self.shifted.next = self.by_2.val();
        if self.count.val().get_bit(0) {
            self.shifted.next = (self.by_2.val() << 1) | (self.ones.val() & 0x1);
        }
    }
}
