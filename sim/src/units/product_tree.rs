//! Multiplies two words into a sum and a carry, of which the product is the sum.
//!
//! One array serves integers and floats: it has the partial products below column 32, which are all
//! that the low word of an integer product needs, and those of two 24-bit significands. Of operands
//! below 2^24 the product is complete; of others its low word. Rows are added three at a time, the
//! oldest first, until two are left. Combinational.

use std::collections::VecDeque;

use super::Unit;

/// Columns of the array.
pub const COLUMNS: usize = 48;

/// The carry row is empty below this column.
pub const CARRY_AT: usize = 6;

crate::io! {
    /// Inputs of [`ProductTree`].
    pub struct In {
        /// First factor.
        multiplicand: u32, 32;
        /// Second factor.
        multiplier: u32, 32;
    }
}

crate::io! {
    /// Outputs of [`ProductTree`].
    pub struct Out {
        /// One part of the product.
        sum: u64, 48, from [multiplicand, multiplier];
        /// The other part, from column [`CARRY_AT`] on.
        carry: u64, 42, from [multiplicand, multiplier];
    }
}

/// The partial products and the adders that leave two rows of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProductTree;

/// Whether the array has the product of bit `i` and bit `j`.
fn present(i: usize, j: usize) -> bool {
    i + j < 32 || i < 24 && j < 24
}

impl Unit for ProductTree {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        let bit = |word: u32, at: usize| u64::from(word >> at & 1);
        let row = |j: usize| {
            let bits = (0..32).filter(|i| present(*i, j));
            bits.fold(0, |row, i| {
                row | (bit(inputs.multiplicand, i) & bit(inputs.multiplier, j)) << (i + j)
            })
        };
        let mut rows: VecDeque<u64> = (0..32).map(row).collect();
        while rows.len() > 2 {
            let (x, y, z) = (rows[0], rows[1], rows[2]);
            rows.drain(..3);
            rows.push_back(x ^ y ^ z);
            rows.push_back((x & y | y & z | x & z) << 1 & ((1 << COLUMNS) - 1));
        }
        Out { sum: rows[0], carry: rows[1] >> CARRY_AT }
    }

    fn tick(&mut self) {}

    fn reset(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(multiplicand: u32, multiplier: u32) -> u64 {
        let Out { sum, carry } = ProductTree.eval(&In { multiplicand, multiplier });
        sum + (carry << CARRY_AT)
    }

    #[test]
    fn the_two_rows_add_up_to_the_product() {
        let mut word = 1u32;
        for _ in 0..10_000 {
            let a = word;
            word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            assert_eq!(product(a, word) as u32, a.wrapping_mul(word), "{a:#x} * {word:#x}");
            let (x, y) = (a >> 8, word >> 8);
            assert_eq!(product(x, y), u64::from(x) * u64::from(y), "{x:#x} * {y:#x}");
        }
        assert_eq!(product(0xff_ffff, 0xff_ffff), 0xff_ffff * 0xff_ffff);
        assert_eq!(product(u32::MAX, u32::MAX) as u32, 1);
    }
}
