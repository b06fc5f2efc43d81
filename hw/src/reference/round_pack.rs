//! Rounds a normalised sum to the nearest single, ties to even, and packs it; integers pass.
//!
//! The hidden bit is not stored: exponent and fraction stand side by side, and what rounding carries out
//! of the fraction raises the exponent, from subnormal to normal and from the largest number to infinity
//! alike.
//!
//! An inverted sum is one less than what is meant, far below its last bit. If every bit below the
//! rounding bit is a one, that one carries into the rounding bit: a rounding bit of one then carries on
//! into the fraction, and a rounding bit of zero becomes the one of a tie.

use crate::prelude::*;

/// An incrementer and the special results; `FLUSH` is [`FULL`](super::FULL) or [`FLUSH`](super::FLUSH).
#[derive(LogicBlock)]
pub struct RoundPack<const FLUSH: usize> {
    pub(crate) float: Signal<In, Bit>,
    pub(crate) window: Signal<In, Bits<42>>,
    pub(crate) inexact: Signal<In, Bit>,
    pub(crate) negative: Signal<In, Bit>,
    pub(crate) room: Signal<In, Bits<9>>,
    pub(crate) sign: Signal<In, Bit>,
    pub(crate) nan: Signal<In, Bit>,
    pub(crate) infinite: Signal<In, Bit>,
    pub(crate) result: Signal<Out, Bits<32>>,
    rest: Signal<Local, Bits<17>>,
    below: Signal<Local, Bit>,
    odd: Signal<Local, Bit>,
    half: Signal<Local, Bit>,
    carried: Signal<Local, Bit>,
    up: Signal<Local, Bit>,
    exponent: Signal<Local, Bits<8>>,
    overflow: Signal<Local, Bit>,
    rounded: Signal<Local, Bits<31>>,
    flush: Constant<Bit>,
}

rtl_block! {
    RoundPack<const FLUSH: usize>,
    "round_pack" in "reference", combinational,
    ReferenceLane "fused multiply-add: rounding",
    "Rounds a normalised sum to the nearest single, ties to even, and packs it; integers pass. \
     What rounding carries out of the fraction raises the exponent. Every NaN is 0x7fffffff.",
    input float: "the window is a float's; else an integer's, in the low word";
    input window: "the sum: 24 bits of significand, a rounding bit, and the rest";
    input inexact: "there is more below it";
    input negative: "it is inverted";
    input room: "biased exponent, less one; 0 for a subnormal";
    input sign: "sign of the result";
    input nan: "the result is not a number";
    input infinite: "the result is infinite";
    output result: "the result";
}

impl<const FLUSH: usize> Default for RoundPack<FLUSH> {
    fn default() -> Self {
        Self {
            float: Default::default(),
            window: Default::default(),
            inexact: Default::default(),
            negative: Default::default(),
            room: Default::default(),
            sign: Default::default(),
            nan: Default::default(),
            infinite: Default::default(),
            result: Default::default(),
            rest: Default::default(),
            below: Default::default(),
            odd: Default::default(),
            half: Default::default(),
            carried: Default::default(),
            up: Default::default(),
            exponent: Default::default(),
            overflow: Default::default(),
            rounded: Default::default(),
            flush: Constant::new(FLUSH == super::FLUSH),
        }
    }
}

impl<const FLUSH: usize> Logic for RoundPack<FLUSH> {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Whether anything is left below the rounding bit; in an inverted sum a zero is.");
        self.rest.next = self.window.val().get_bits::<17>(0);
        if self.negative.val() {
            self.rest.next = !self.window.val().get_bits::<17>(0);
        }
        self.below.next = self.rest.val().any() | self.inexact.val();
        self.carried.next = self.negative.val() & !self.below.val();
        self.odd.next = self.window.val().get_bit(18);
        self.half.next = self.window.val().get_bit(17);
        self.up.next = (self.half.val() & (self.odd.val() | self.below.val() | self.carried.val()))
            | (self.odd.val() & self.carried.val());

        comment!("Without a hidden bit the number is subnormal or zero.");
        self.exponent.next = 0.into();
        if self.window.val().get_bit(41) {
            self.exponent.next = self.room.val().get_bits::<8>(0) + 1;
        }
        self.rounded.next = ((bit_cast::<31, 8>(self.exponent.val()) << 23)
            | bit_cast::<31, 23>(self.window.val().get_bits::<23>(18)))
            + self.up.val();
        comment!("Too large before rounding, or by it.");
        self.overflow.next = self.infinite.val()
            | self.rounded.val().get_bits::<8>(23).all()
            | (self.window.val().get_bit(41)
                & (self.room.val().get_bit(8) | self.room.val().get_bits::<7>(1).all()));

        self.result.next = bit_cast::<32, 31>(self.rounded.val());
        if self.flush.val() & !self.rounded.val().get_bits::<8>(23).any() {
            self.result.next = 0.into();
        }
        if self.overflow.val() {
            self.result.next = 0x7f80_0000.into();
        }
        self.result.next = self.result.val().replace_bit(31, self.sign.val());
        if self.nan.val() {
            self.result.next = 0x7fff_ffff.into();
        }
        if !self.float.val() {
            self.result.next = self.window.val().get_bits::<32>(0);
        }
    }
}
