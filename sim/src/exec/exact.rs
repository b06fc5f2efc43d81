//! Floating-point results rounded exactly once in any direction: every operation is computed as an exact
//! integer and exponent, then rounded to the format.
//!
//! The processor's own arithmetic only rounds to nearest. This is the slow, obviously right path for
//! `.rz`, `.rm` and `.rp`, and for conversions that must not round twice.

use crate::ptx::ir::Round;

/// A binary floating-point format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// Significant bits, the hidden one included.
    precision: i32,
    /// Exponent of the smallest subnormal.
    least: i32,
    /// Exponent of the last bit of the largest number.
    most: i32,
}

/// IEEE binary16.
pub const HALF: Format = Format { precision: 11, least: -24, most: 5 };
/// IEEE binary32.
pub const SINGLE: Format = Format { precision: 24, least: -149, most: 104 };
/// IEEE binary64.
pub const DOUBLE: Format = Format { precision: 53, least: -1074, most: 971 };

/// A finite value: `±mantissa * 2^exponent`. The lowest bit also stands for anything below it.
#[derive(Debug, Clone, Copy)]
pub struct Exact {
    negative: bool,
    mantissa: u128,
    exponent: i32,
}

impl Exact {
    /// An integer.
    pub fn from_int(value: i128) -> Exact {
        Exact { negative: value < 0, mantissa: value.unsigned_abs(), exponent: 0 }
    }

    /// A finite double.
    pub fn from_f64(value: f64) -> Exact {
        let bits = value.to_bits();
        let biased = (bits >> 52 & 0x7ff) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, exponent) = match biased {
            0 => (fraction, -1074),
            _ => (fraction | 1 << 52, biased - 1075),
        };
        Exact { negative: value.is_sign_negative(), mantissa: mantissa.into(), exponent }
    }

    /// Shifts the highest bit to bit 125, leaving room for a sum's carry.
    fn normalised(self) -> Exact {
        let up = self.mantissa.leading_zeros() as i32 - 2;
        Exact { mantissa: self.mantissa << up, exponent: self.exponent - up, ..self }
    }

    /// The bits of this value rounded to a format.
    pub fn round(self, format: Format, round: Round) -> u64 {
        let sign_at = match format {
            HALF => 15,
            SINGLE => 31,
            _ => 63,
        };
        let sign = u64::from(self.negative) << sign_at;
        if self.mantissa == 0 {
            return sign;
        }
        let top = 127 - self.mantissa.leading_zeros() as i32 + self.exponent;
        let mut last = (top - format.precision + 1).max(format.least);
        let drop = last - self.exponent;
        let (mut kept, away) = if drop <= 0 {
            (self.mantissa << -drop, false)
        } else {
            let kept = if drop < 128 { self.mantissa >> drop } else { 0 };
            let (lost, half) = match drop {
                128.. => (self.mantissa, None),
                _ => (self.mantissa & ((1 << drop) - 1), Some(1u128 << (drop - 1))),
            };
            let away = match round {
                Round::Zero => false,
                Round::Down => self.negative && lost != 0,
                Round::Up => !self.negative && lost != 0,
                Round::Nearest => {
                    half.is_some_and(|half| lost > half || lost == half && kept & 1 == 1)
                }
            };
            (kept, away)
        };
        kept += u128::from(away);
        if kept >> format.precision != 0 {
            kept >>= 1;
            last += 1;
        }
        let stored = format.precision - 1;
        if last > format.most {
            let grows = match round {
                Round::Nearest => true,
                Round::Zero => false,
                Round::Down => self.negative,
                Round::Up => !self.negative,
            };
            let infinity = ((format.most - format.least + 2) as u64) << stored;
            return sign | (infinity - u64::from(!grows));
        }
        // A subnormal has no hidden bit, which is what adding the exponent to the mantissa gives for free.
        let bits = match kept >> stored {
            0 => kept as u64,
            _ => (((last - format.least) as u64) << stored) + kept as u64,
        };
        sign | bits
    }
}

/// `a * b + c` rounded once; not for infinities and NaN.
fn fma_finite(a: f64, b: f64, c: f64, format: Format, round: Round) -> u64 {
    let (a, b, c) = (Exact::from_f64(a), Exact::from_f64(b), Exact::from_f64(c));
    let product = Exact {
        negative: a.negative != b.negative,
        mantissa: a.mantissa * b.mantissa,
        exponent: a.exponent + b.exponent,
    };
    sum(product, c, round).round(format, round)
}

fn sum(a: Exact, b: Exact, round: Round) -> Exact {
    if a.mantissa == 0 && b.mantissa == 0 {
        let negative = match a.negative == b.negative {
            true => a.negative,
            false => round == Round::Down,
        };
        return Exact { negative, ..a };
    }
    if a.mantissa == 0 {
        return b;
    }
    if b.mantissa == 0 {
        return a;
    }
    let (a, b) = (a.normalised(), b.normalised());
    let bigger_first = (a.exponent, a.mantissa) >= (b.exponent, b.mantissa);
    let (big, small) = if bigger_first { (a, b) } else { (b, a) };
    let shift = big.exponent - small.exponent;
    let mut low = if shift < 128 { small.mantissa >> shift } else { 0 };
    if shift >= 128 || low << shift != small.mantissa {
        low |= 1;
    }
    let same = big.negative == small.negative;
    let mantissa = if same { big.mantissa + low } else { big.mantissa - low };
    let negative = if mantissa == 0 { round == Round::Down } else { big.negative };
    Exact { negative, mantissa, exponent: big.exponent }
}

/// `a * b + c` in a format, rounded once.
pub fn fma(a: f64, b: f64, c: f64, format: Format, round: Round) -> u64 {
    if a.is_finite() && b.is_finite() && c.is_finite() {
        return fma_finite(a, b, c, format, round);
    }
    special(a * b + c, format)
}

/// `a + b` in a format, rounded once.
pub fn add(a: f64, b: f64, format: Format, round: Round) -> u64 {
    fma(a, 1.0, b, format, round)
}

/// `a * b` in a format, rounded once.
pub fn mul(a: f64, b: f64, format: Format, round: Round) -> u64 {
    if !(a.is_finite() && b.is_finite()) {
        return special(a * b, format);
    }
    let (a, b) = (Exact::from_f64(a), Exact::from_f64(b));
    let product = Exact {
        negative: a.negative != b.negative,
        mantissa: a.mantissa * b.mantissa,
        exponent: a.exponent + b.exponent,
    };
    product.round(format, round)
}

/// `a / b` in a format, rounded once.
pub fn div(a: f64, b: f64, format: Format, round: Round) -> u64 {
    if !(a.is_finite() && b.is_finite()) || b == 0.0 {
        return special(a / b, format);
    }
    let (a, b) = (Exact::from_f64(a), Exact::from_f64(b));
    let negative = a.negative != b.negative;
    if a.mantissa == 0 {
        return Exact { negative, ..a }.round(format, round);
    }
    let dividend = a.normalised();
    let quotient = dividend.mantissa / b.mantissa;
    let rest = dividend.mantissa % b.mantissa;
    // 125 bits over at most 53 leave at least 72: the lowest can stand for the rest.
    let mantissa = quotient | u128::from(rest != 0);
    Exact { negative, mantissa, exponent: dividend.exponent - b.exponent }.round(format, round)
}

/// The square root of `a` in a format, rounded once.
pub fn sqrt(a: f64, format: Format, round: Round) -> u64 {
    if !a.is_finite() || a <= 0.0 {
        return special(a.sqrt(), format);
    }
    let mut radicand = Exact::from_f64(a).normalised();
    if radicand.exponent % 2 != 0 {
        radicand.mantissa <<= 1;
        radicand.exponent -= 1;
    }
    let (root, rest) = integer_sqrt(radicand.mantissa);
    let mantissa = root | u128::from(rest != 0);
    Exact { negative: false, mantissa, exponent: radicand.exponent / 2 }.round(format, round)
}

/// The integer square root and what is left over, one bit at a time.
fn integer_sqrt(value: u128) -> (u128, u128) {
    let (mut rest, mut root) = (value, 0u128);
    let mut bit = 1u128 << 126;
    while bit != 0 {
        if rest >= root + bit {
            rest -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
        bit >>= 2;
    }
    (root, rest)
}

/// The bits of an infinity, NaN or zero that any format can hold.
fn special(value: f64, format: Format) -> u64 {
    match format {
        HALF if value.is_nan() => 0x7fff,
        HALF => Exact::round(
            Exact { mantissa: 1, exponent: 1000, negative: value < 0.0 },
            HALF,
            Round::Nearest,
        ),
        SINGLE => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that meet every corner: subnormals, ties, overflow, cancellation.
    fn samples() -> impl Iterator<Item = u64> {
        let mut state = 0x1234_5678_9abc_def0u64;
        (0..20_000).map(move |i| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            match i % 4 {
                0 => state & !(0xff << 20),
                1 => state & 0x8000_00ff_ffff_ffff,
                2 => state | 0x7f00_0000_0000_0000,
                _ => state,
            }
        })
    }

    #[test]
    fn to_nearest_it_agrees_with_the_processor() {
        let values: Vec<u64> = samples().collect();
        for v in values.windows(3) {
            let [a, b, c] = [f64::from_bits(v[0]), f64::from_bits(v[1]), f64::from_bits(v[2])];
            let n = Round::Nearest;
            check(add(a, b, DOUBLE, n), (a + b).to_bits());
            check(mul(a, b, DOUBLE, n), (a * b).to_bits());
            check(div(a, b, DOUBLE, n), (a / b).to_bits());
            check(fma(a, b, c, DOUBLE, n), a.mul_add(b, c).to_bits());
            check(sqrt(a, DOUBLE, n), a.sqrt().to_bits());
            let [x, y, z] = [v[0] as u32, v[1] as u32, v[2] as u32].map(f32::from_bits);
            let [p, q, r] = [x, y, z].map(f64::from);
            check32(add(p, q, SINGLE, n), x + y);
            check32(mul(p, q, SINGLE, n), x * y);
            check32(div(p, q, SINGLE, n), x / y);
            check32(fma(p, q, r, SINGLE, n), x.mul_add(y, z));
            check32(sqrt(p, SINGLE, n), x.sqrt());
        }
    }

    fn check(got: u64, want: u64) {
        let nan = f64::from_bits(got).is_nan() && f64::from_bits(want).is_nan();
        assert!(got == want || nan, "{got:#x} {want:#x}");
    }

    fn check32(got: u64, want: f32) {
        let nan = f32::from_bits(got as u32).is_nan() && want.is_nan();
        assert!(got == u64::from(want.to_bits()) || nan, "{got:#x} {:#x}", want.to_bits());
    }

    #[test]
    fn directions_bracket_the_exact_result() {
        let one_third = |round| f64::from_bits(div(1.0, 3.0, DOUBLE, round));
        assert!(one_third(Round::Down) < one_third(Round::Up));
        assert_eq!(one_third(Round::Down), one_third(Round::Zero));
        let negative = |round| f64::from_bits(div(-1.0, 3.0, DOUBLE, round));
        assert_eq!(negative(Round::Down), -one_third(Round::Up));
        assert_eq!(negative(Round::Zero), -one_third(Round::Zero));
        let large = f64::from(f32::MAX);
        assert_eq!(mul(large, 2.0, SINGLE, Round::Zero), u64::from(f32::MAX.to_bits()));
        assert_eq!(mul(large, 2.0, SINGLE, Round::Up), u64::from(f32::INFINITY.to_bits()));
        assert_eq!(mul(-large, 2.0, SINGLE, Round::Up), u64::from((-f32::MAX).to_bits()));
        let tiny = f64::from(f32::from_bits(1));
        assert_eq!(mul(tiny, 0.25, SINGLE, Round::Up), 1);
        assert_eq!(mul(tiny, 0.25, SINGLE, Round::Down), 0);
        assert_eq!(mul(-tiny, 0.25, SINGLE, Round::Down), 0x8000_0001);
    }

    #[test]
    fn exact_cancellation_is_minus_zero_only_downwards() {
        assert_eq!(add(1.5, -1.5, DOUBLE, Round::Nearest), 0);
        assert_eq!(add(1.5, -1.5, DOUBLE, Round::Down), 1 << 63);
        assert_eq!(add(0.0, -0.0, SINGLE, Round::Down), 1 << 31);
        assert_eq!(add(-0.0, -0.0, SINGLE, Round::Nearest), 1 << 31);
    }

    #[test]
    fn integers_and_halves() {
        assert_eq!(Exact::from_int(16_777_217).round(SINGLE, Round::Nearest), 0x4b80_0000);
        assert_eq!(Exact::from_int(16_777_217).round(SINGLE, Round::Up), 0x4b80_0001);
        assert_eq!(Exact::from_int(-3).round(HALF, Round::Nearest), 0xc200);
        assert_eq!(Exact::from_f64(65_520.0).round(HALF, Round::Nearest), 0x7c00);
        assert_eq!(Exact::from_f64(65_520.0).round(HALF, Round::Zero), 0x7bff);
        assert_eq!(Exact::from_f64(2f64.powi(-25)).round(HALF, Round::Nearest), 0);
        assert_eq!(Exact::from_f64(2f64.powi(-25)).round(HALF, Round::Up), 1);
    }
}
