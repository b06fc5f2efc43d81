//! The 76-bit numbers of the reference lane's adder, as two packed halves and as one integer.
//!
//! Bits 75 to 52 take an addend that stands as far left as it can, bits 49 to 2 the product.

/// Bits of the adder.
pub const BITS: usize = 76;

/// Bits of one packed half.
pub const HALF: usize = BITS / 2;

/// Where the product's lowest bit stands: two bits are kept below it, and a sticky bit for the rest.
pub const PRODUCT_AT: usize = 2;

/// A 76-bit number in a field table, low half first.
pub type Wide = [u64; 2];

/// All ones.
pub const MASK: u128 = (1 << BITS) - 1;

/// The number that two halves hold.
pub fn join(halves: Wide) -> u128 {
    u128::from(halves[1]) << HALF | u128::from(halves[0])
}

/// The halves of a number's low 76 bits.
pub fn halves(number: u128) -> Wide {
    [0, HALF].map(|at| (number >> at) as u64 & ((1 << HALF) - 1))
}
