//! Floating-point arithmetic as IEEE 754 and the PTX ISA say: one rounding, `.ftz`, `.sat`, canonical NaN.

use super::{approx, wide};
use crate::exec::exact::{self, DOUBLE, SINGLE};
use crate::exec::regs::Lanes;
use crate::ptx::ir::{FloatBinary, FloatMode, FloatType, FloatUnary, Reg, Round};

/// A NaN as every f32 operation returns it, whatever the processor made of it.
#[inline(always)]
pub(crate) fn canonical32(x: f32) -> f32 {
    if x.is_nan() {
        f32::from_bits(0x7fff_ffff)
    } else {
        x
    }
}

/// A subnormal becomes zero with its sign.
#[inline(always)]
pub(crate) fn flush(x: f32) -> f32 {
    let bits = x.to_bits();
    f32::from_bits(if bits & 0x7f80_0000 == 0 { bits & 0x8000_0000 } else { bits })
}

#[inline(always)]
fn enter<const FTZ: bool>(x: f32) -> f32 {
    if FTZ {
        flush(x)
    } else {
        x
    }
}

#[inline(always)]
fn leave<const FTZ: bool, const SAT: bool>(x: f32) -> f32 {
    if SAT {
        return saturate(x);
    }
    enter::<FTZ>(canonical32(x))
}

/// Clamped to [0, 1]; NaN and everything below is plus zero.
#[inline(always)]
pub(crate) fn saturate(x: f32) -> f32 {
    if x > 0.0 {
        if x < 1.0 {
            x
        } else {
            1.0
        }
    } else {
        0.0
    }
}

/// A NaN as every f64 operation returns it here; the ISA leaves the payload open.
#[inline(always)]
pub(crate) fn canonical(x: f64) -> f64 {
    if x.is_nan() {
        f64::from_bits(0x7ff8_0000_0000_0000)
    } else {
        x
    }
}

/// Picks the compile-time form of `.ftz` and `.sat`.
macro_rules! with_mode {
    ($mode:expr, $f:ident($($arg:expr),*)) => {
        match ($mode.ftz, $mode.sat) {
            (false, false) => $f::<false, false>($($arg),*),
            (true, false) => $f::<true, false>($($arg),*),
            (false, true) => $f::<false, true>($($arg),*),
            (true, true) => $f::<true, true>($($arg),*),
        }
    };
}

wide! {
    /// `d = a * b + c`, rounded once
    pub(super) fn fma(l: &mut Lanes, ty: FloatType, mode: FloatMode, d: Reg, abc: [Reg; 3]) {
        if mode.round != Round::Nearest {
            return fma_directed(l, ty, mode, d, abc);
        }
        match ty {
            FloatType::F32 => with_mode!(mode, fma32(l, d, abc)),
            FloatType::F64 => {
                l.map3(d, abc, |a: f64, b: f64, c: f64| canonical(a.mul_add(b, c)))
            }
        }
    }
}

#[inline(always)]
fn fma32<const FTZ: bool, const SAT: bool>(l: &mut Lanes, d: Reg, abc: [Reg; 3]) {
    l.map3(d, abc, |a: f32, b: f32, c: f32| {
        leave::<FTZ, SAT>(enter::<FTZ>(a).mul_add(enter::<FTZ>(b), enter::<FTZ>(c)))
    });
}

#[inline(never)]
fn fma_directed(l: &mut Lanes, ty: FloatType, mode: FloatMode, d: Reg, [a, b, c]: [Reg; 3]) {
    match ty {
        FloatType::F32 => l.each(d, |l, i| {
            let [a, b, c] = [a, b, c].map(|r| f64::from(input(mode, l.get(r, i))));
            output(mode, exact::fma(a, b, c, SINGLE, mode.round))
        }),
        FloatType::F64 => l.each(d, |l, i| {
            let bits = exact::fma(l.get(a, i), l.get(b, i), l.get(c, i), DOUBLE, mode.round);
            canonical(f64::from_bits(bits))
        }),
    }
}

/// An f32 operand under a run-time mode.
fn input(mode: FloatMode, x: f32) -> f32 {
    if mode.ftz {
        flush(x)
    } else {
        x
    }
}

/// An f32 result under a run-time mode.
fn output(mode: FloatMode, bits: u64) -> f32 {
    let x = f32::from_bits(bits as u32);
    with_mode!(mode, leave(x))
}

wide! {
    /// `d = f(a, b)`
    pub(super) fn binary(
        l: &mut Lanes,
        f: FloatBinary,
        ty: FloatType,
        mode: FloatMode,
        d: Reg,
        a: Reg,
        b: Reg,
    ) {
        if mode.round != Round::Nearest {
            return binary_directed(l, f, ty, mode, d, a, b);
        }
        match ty {
            FloatType::F32 => with_mode!(mode, binary32(l, f, d, a, b)),
            FloatType::F64 => binary64(l, f, d, a, b),
        }
    }
}

#[inline(always)]
fn binary32<const FTZ: bool, const SAT: bool>(
    l: &mut Lanes,
    f: FloatBinary,
    d: Reg,
    a: Reg,
    b: Reg,
) {
    macro_rules! lanes {
        (|$a:ident, $b:ident| $value:expr) => {
            l.map2(d, a, b, |a: f32, b: f32| {
                let ($a, $b) = (enter::<FTZ>(a), enter::<FTZ>(b));
                leave::<FTZ, SAT>($value)
            })
        };
    }
    match f {
        FloatBinary::Add => lanes!(|a, b| a + b),
        FloatBinary::Sub => lanes!(|a, b| a - b),
        FloatBinary::Mul => lanes!(|a, b| a * b),
        FloatBinary::Div | FloatBinary::DivFull => lanes!(|a, b| a / b),
        FloatBinary::DivApprox => lanes!(|a, b| approx::div(a, b)),
        FloatBinary::Min => lanes!(|a, b| pick(a, b, a < b || a == b && a.is_sign_negative())),
        FloatBinary::Max => lanes!(|a, b| pick(a, b, a > b || a == b && a.is_sign_positive())),
        FloatBinary::MinNan => lanes!(|a, b| if a.is_nan() || b.is_nan() {
            f32::NAN
        } else {
            pick(a, b, a < b || a == b && a.is_sign_negative())
        }),
        FloatBinary::MaxNan => lanes!(|a, b| if a.is_nan() || b.is_nan() {
            f32::NAN
        } else {
            pick(a, b, a > b || a == b && a.is_sign_positive())
        }),
        FloatBinary::Copysign => l.map2(d, a, b, |a: f32, b: f32| b.copysign(a)),
    }
}

/// The number when one is NaN, else the chosen one.
#[inline(always)]
fn pick(a: f32, b: f32, first: bool) -> f32 {
    if b.is_nan() || first {
        a
    } else {
        b
    }
}

#[inline(always)]
fn pick64(a: f64, b: f64, first: bool) -> f64 {
    if b.is_nan() || first {
        a
    } else {
        b
    }
}

#[inline(always)]
fn binary64(l: &mut Lanes, f: FloatBinary, d: Reg, a: Reg, b: Reg) {
    macro_rules! lanes {
        (|$a:ident, $b:ident| $value:expr) => {
            l.map2(d, a, b, |$a: f64, $b: f64| canonical($value))
        };
    }
    match f {
        FloatBinary::Add => lanes!(|a, b| a + b),
        FloatBinary::Sub => lanes!(|a, b| a - b),
        FloatBinary::Mul => lanes!(|a, b| a * b),
        FloatBinary::Div | FloatBinary::DivFull | FloatBinary::DivApprox => lanes!(|a, b| a / b),
        FloatBinary::Min | FloatBinary::MinNan => {
            lanes!(|a, b| pick64(a, b, a < b || a == b && a.is_sign_negative()))
        }
        FloatBinary::Max | FloatBinary::MaxNan => {
            lanes!(|a, b| pick64(a, b, a > b || a == b && a.is_sign_positive()))
        }
        FloatBinary::Copysign => l.map2(d, a, b, |a: f64, b: f64| b.copysign(a)),
    }
}

#[inline(never)]
fn binary_directed(
    l: &mut Lanes,
    f: FloatBinary,
    ty: FloatType,
    mode: FloatMode,
    d: Reg,
    a: Reg,
    b: Reg,
) {
    let operation = |a: f64, b: f64, format| match f {
        FloatBinary::Add => exact::add(a, b, format, mode.round),
        FloatBinary::Sub => exact::add(a, -b, format, mode.round),
        FloatBinary::Mul => exact::mul(a, b, format, mode.round),
        // Only these four can say how to round.
        _ => exact::div(a, b, format, mode.round),
    };
    match ty {
        FloatType::F32 => l.each(d, |l, i| {
            let [a, b] = [a, b].map(|r| f64::from(input(mode, l.get(r, i))));
            output(mode, operation(a, b, SINGLE))
        }),
        FloatType::F64 => {
            l.each(d, |l, i| canonical(f64::from_bits(operation(l.get(a, i), l.get(b, i), DOUBLE))))
        }
    }
}

wide! {
    /// `d = f(a)`
    pub(super) fn unary(
        l: &mut Lanes,
        f: FloatUnary,
        ty: FloatType,
        mode: FloatMode,
        d: Reg,
        a: Reg,
    ) {
        match (f, ty) {
            (FloatUnary::Neg, FloatType::F32) => l.map1(d, a, |a: f32| -input(mode, a)),
            (FloatUnary::Abs, FloatType::F32) => l.map1(d, a, |a: f32| input(mode, a).abs()),
            (FloatUnary::Neg, FloatType::F64) => l.map1(d, a, |a: f64| -a),
            (FloatUnary::Abs, FloatType::F64) => l.map1(d, a, f64::abs),
            (FloatUnary::Rcp | FloatUnary::Sqrt, _) => root_or_reciprocal(l, f, ty, mode, d, a),
            (_, FloatType::F32) => l.each(d, |l, i| {
                output(mode, approx::single(f, input(mode, l.get(a, i))).to_bits().into())
            }),
            (_, FloatType::F64) => {
                l.each(d, |l, i| canonical(approx::double(f, mode.ftz, l.get(a, i))))
            }
        }
    }
}

#[inline(never)]
fn root_or_reciprocal(
    l: &mut Lanes,
    f: FloatUnary,
    ty: FloatType,
    mode: FloatMode,
    d: Reg,
    a: Reg,
) {
    let operation = |a: f64, format| match f {
        FloatUnary::Sqrt => exact::sqrt(a, format, mode.round),
        _ => exact::div(1.0, a, format, mode.round),
    };
    let root = f == FloatUnary::Sqrt;
    match (ty, mode.round) {
        (FloatType::F32, Round::Nearest) => l.each(d, |l, i| {
            let a = input(mode, l.get(a, i));
            output(mode, if root { a.sqrt() } else { 1.0 / a }.to_bits().into())
        }),
        (FloatType::F64, Round::Nearest) => l.each(d, |l, i| {
            let a: f64 = l.get(a, i);
            canonical(if root { a.sqrt() } else { 1.0 / a })
        }),
        (FloatType::F32, _) => {
            l.each(d, |l, i| output(mode, operation(f64::from(input(mode, l.get(a, i))), SINGLE)))
        }
        (FloatType::F64, _) => {
            l.each(d, |l, i| canonical(f64::from_bits(operation(l.get(a, i), DOUBLE))))
        }
    }
}
