//! Multiplies two words into a sum and a carry, of which the product is the sum.
//!
//! One array serves integers and floats. The low word of an integer product needs the partial products
//! below column 32; two significands need those of their 24 x 24 bits. Together these are 648 of the
//! 1024 that a full 32 x 32 array has: columns 0 to 31 of 32 rows, and columns 32 to 46 of the rows 9
//! to 23. A significand's upper eight bits are zero, so nothing has to be masked. A full array, with
//! the high word of integer products, would have 376 more.
//!
//! Thirty carry-save adders take three rows each and append two, oldest rows first, which keeps the
//! tree eight adders deep. The part of a row from column 32 on is kept apart, so that no signal is
//! wider than a word.

use crate::prelude::*;

/// The partial products and the adders that leave two rows of them.
#[derive(LogicBlock)]
pub struct ProductTree {
    pub(crate) multiplicand: Signal<In, Bits<32>>,
    pub(crate) multiplier: Signal<In, Bits<32>>,
    pub(crate) sum: Signal<Out, Bits<48>>,
    pub(crate) carry: Signal<Out, Bits<42>>,
    low: [Signal<Local, Bits<32>>; 92],
    high: [Signal<Local, Bits<16>>; 92],
    low_carry: [Signal<Local, Bits<32>>; 30],
    high_carry: [Signal<Local, Bits<16>>; 30],
}

rtl_block! {
    ProductTree,
    "product_tree" in "reference", combinational,
    ReferenceLane "multiplier",
    "Multiplies two words into a sum and a carry, of which the product is the sum: complete for \
     operands below 2^24, else the low word. Thirty carry-save adders take three rows of partial \
     products each and append two, oldest first.",
    input multiplicand: "first factor";
    input multiplier: "second factor";
    output sum: "one part of the product";
    output carry: "the other part, from column 6 on";
}

impl Default for ProductTree {
    fn default() -> Self {
        Self {
            multiplicand: Default::default(),
            multiplier: Default::default(),
            sum: Default::default(),
            carry: Default::default(),
            low: std::array::from_fn(|_| Default::default()),
            high: std::array::from_fn(|_| Default::default()),
            low_carry: std::array::from_fn(|_| Default::default()),
            high_carry: std::array::from_fn(|_| Default::default()),
        }
    }
}

impl Logic for ProductTree {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Rows 0 to 31: the multiplicand where the multiplier has a one.");
        for j in 0..32 {
            self.low[j].next = 0.into();
            self.high[j].next = 0.into();
            if self.multiplier.val().get_bit(j) {
                self.low[j].next = self.multiplicand.val() << j.to_bits::<5>();
            }
        }
        comment!(
            "Columns from 32 on: of significands only, whose rows 0 to 8 do not reach so far."
        );
        for j in 0..15 {
            if self.multiplier.val().get_bit(j + 9) {
                self.high[j + 9].next =
                    bit_cast::<16, 15>(self.multiplicand.val().get_bits::<15>(9))
                        >> (14 - j).to_bits::<4>();
            }
        }
        comment!("Each adder takes the three oldest rows and appends their sum and their carry.");
        for k in 0..30 {
            self.low[32 + 2 * k].next =
                self.low[3 * k].val() ^ self.low[3 * k + 1].val() ^ self.low[3 * k + 2].val();
            self.low_carry[k].next = (self.low[3 * k].val() & self.low[3 * k + 1].val())
                | (self.low[3 * k].val() & self.low[3 * k + 2].val())
                | (self.low[3 * k + 1].val() & self.low[3 * k + 2].val());
            self.low[33 + 2 * k].next = self.low_carry[k].val() << 1;
            self.high[32 + 2 * k].next =
                self.high[3 * k].val() ^ self.high[3 * k + 1].val() ^ self.high[3 * k + 2].val();
            self.high_carry[k].next = (self.high[3 * k].val() & self.high[3 * k + 1].val())
                | (self.high[3 * k].val() & self.high[3 * k + 2].val())
                | (self.high[3 * k + 1].val() & self.high[3 * k + 2].val());
            self.high[33 + 2 * k].next = self.high_carry[k].val() << 1;
            self.high[33 + 2 * k].next =
                self.high[33 + 2 * k].val().replace_bit(0, self.low_carry[k].val().get_bit(31));
        }
        comment!("The two rows that are left; the carry row is empty below column 6.");
        self.sum.next = (bit_cast::<48, 16>(self.high[90].val()) << 32)
            | bit_cast::<48, 32>(self.low[90].val())
            | bit_cast::<48, 6>(self.low[91].val().get_bits::<6>(0));
        self.carry.next = (bit_cast::<42, 16>(self.high[91].val()) << 26)
            | bit_cast::<42, 26>(self.low[91].val().get_bits::<26>(6));
    }
}
