//! Operands worth giving to a lane: where rounding, cancellation, subnormals and overflow happen.
//!
//! Of uniform bits, one pair in 250 would cancel and none would tie. Here a multiply-add is built around
//! its corners: the addend is put at a chosen distance from the product, close to its negative, or at
//! half a unit of it, and results are steered to the ends of the exponent range.

use std::ops::Range;

use lanewise_sim::units::simt_lane::Op;

use crate::stimulus::Gen;

const SIGN: u32 = 0x8000_0000;

/// Magnitudes at which something changes: zeros, subnormals, the smallest and largest normal numbers,
/// powers of two and their neighbours, infinity, NaN of both kinds.
pub const CORNERS: [u32; 32] = [
    0x0000_0000,
    0x0000_0001,
    0x0000_0002,
    0x0000_0003,
    0x003f_ffff,
    0x0040_0000,
    0x0040_0001,
    0x007f_fffe,
    0x007f_ffff,
    0x0080_0000,
    0x0080_0001,
    0x00ff_ffff,
    0x0100_0000,
    0x3380_0000,
    0x3400_0000,
    0x3f00_0000,
    0x3f7f_fffe,
    0x3f7f_ffff,
    0x3f80_0000,
    0x3f80_0001,
    0x3f80_0002,
    0x3fc0_0000,
    0x3fff_ffff,
    0x4000_0000,
    0x4b00_0001,
    0x4b80_0000,
    0x7eff_ffff,
    0x7f7f_fffe,
    0x7f7f_ffff,
    0x7f80_0000,
    0x7f80_0001,
    0x7fff_ffff,
];

/// [`CORNERS`] with both signs.
pub fn corners() -> impl Iterator<Item = u32> + Clone {
    CORNERS.into_iter().flat_map(|magnitude| [magnitude, magnitude | SIGN])
}

/// Fractions whose products and sums carry far, tie, or leave a single bit.
fn fraction(g: &mut Gen) -> u32 {
    match g.below(8) {
        0 => 0,
        1 => 1,
        2 => 0x7f_ffff,
        3 => 1 << g.below(23),
        4 => 0x7f_ffff >> g.below(23),
        5 => 0x7f_ffff << g.below(23) & 0x7f_ffff,
        // Few bits, so that products are short enough to tie.
        6 => (g.bits(12) as u32) << 11,
        _ => g.bits(23) as u32,
    }
}

/// A finite float with one of these biased exponents, as far as they exist.
fn pack(g: &mut Gen, exponents: Range<i32>) -> u32 {
    let exponent = exponents.start + g.below(exponents.len()) as i32;
    sign(g) | (exponent.clamp(0, 254) as u32) << 23 | fraction(g)
}

fn sign(g: &mut Gen) -> u32 {
    (g.bits(1) as u32) << 31
}

/// One float.
pub fn float(g: &mut Gen) -> u32 {
    match g.below(8) {
        0 => g.pick(&CORNERS) | sign(g),
        1 => g.bits(32) as u32,
        2 => pack(g, 0..1),
        _ => {
            let exponents = g.pick(&[0..4, 251..255, 120..136, 0..255]);
            pack(g, exponents)
        }
    }
}

/// A number at most two units in the last place away.
fn near(g: &mut Gen, bits: u32) -> u32 {
    bits.wrapping_add(g.below(5) as u32).wrapping_sub(2)
}

/// Three floats that make something of a multiply-add; the first two do so in a sum or a product too.
pub fn floats(g: &mut Gen) -> [u32; 3] {
    let (a, b, c) = (float(g), float(g), float(g));
    let exponent = |bits: u32| (bits >> 23 & 0xff).max(1) as i32;
    match g.below(10) {
        0 => [a, b, c],
        // The addend nearly cancels the product.
        1 | 2 => {
            let product = f32::from_bits(a) * f32::from_bits(b);
            [a, b, near(g, product.to_bits() ^ SIGN)]
        }
        // The sum nearly cancels, in neighbouring exponents too.
        3 => {
            let off = g.pick(&[0, 0, 1 << 23, (1u32 << 23).wrapping_neg()]);
            [a, near(g, a ^ SIGN).wrapping_add(off), c]
        }
        // The addend at every distance from the product, past both ends of the adder.
        4 | 5 => {
            let level = exponent(a) + exponent(b) - 127;
            [a, b, pack(g, level - 90..level + 90)]
        }
        // Half a unit in the last place of the addend, or almost; for a sum, of the other operand.
        6 => {
            let c = pack(g, 30..230);
            let half = ((exponent(c) - 24) as u32) << 23 | sign(g);
            let half = near(g, half);
            g.pick(&[[half, 1f32.to_bits(), c], [c, half, half]])
        }
        // A product at the edge of the subnormal range.
        7 | 8 => {
            let x = pack(g, 1..151);
            let level = 127 - exponent(x);
            let y = pack(g, level..level + 28);
            let (small, any) = (g.bits(4) as u32, pack(g, 0..1));
            let c = g.pick(&[0, small, any]);
            [x, y, c]
        }
        // A product or sum at the edge of overflow.
        _ => {
            let x = pack(g, 127..255);
            let level = 254 + 127 - exponent(x);
            [x, pack(g, level - 2..level + 2), pack(g, 250..255)]
        }
    }
}

/// One integer: small, large, or any; often an amount that a shift notices.
pub fn word(g: &mut Gen) -> u32 {
    match g.below(4) {
        0 => g.below(70) as u32,
        1 => (g.below(70) as u32).wrapping_neg(),
        _ => g.number(32) as u32,
    }
}

/// Operands that mean something to the operation; those of a comparison are often alike.
pub fn operands(g: &mut Gen, op: Op) -> [u32; 3] {
    if matches!(op, Op::FloatAdd | Op::FloatSub | Op::FloatMul | Op::FloatFma) {
        return floats(g);
    }
    let one = if op.is_float() { float } else { word };
    let a = one(g);
    let b = match g.below(6) {
        0 => a,
        1 => near(g, a),
        2 => a ^ SIGN,
        _ => one(g),
    };
    [a, b, one(g)]
}

/// An operation: half are multiply-adds of floats, the others any.
pub fn op(g: &mut Gen) -> Op {
    match g.below(2) {
        0 => g.pick(&[Op::FloatAdd, Op::FloatSub, Op::FloatMul, Op::FloatFma, Op::FloatFma]),
        _ => Op::decode(g.bits(6) as u8).unwrap_or(Op::Mad),
    }
}
