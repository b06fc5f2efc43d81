//! The approximate functions, computed in double precision and rounded once: well within the error the ISA
//! documents, and the same bits on every machine because the mathematics is in Rust.

use crate::ptx::ir::FloatUnary;

/// `div.approx.f32`: divisors above 2^126 give zero (NaN for an infinite dividend), as documented.
#[inline(always)]
pub(super) fn div(a: f32, b: f32) -> f32 {
    const LARGEST_DIVISOR: f32 = 8.507_059e37; // 2^126
    let magnitude = b.abs();
    if magnitude > LARGEST_DIVISOR && magnitude < f32::INFINITY {
        if a.is_nan() || a.is_infinite() {
            return f32::NAN;
        }
        return if a.is_sign_negative() == b.is_sign_negative() { 0.0 } else { -0.0 };
    }
    a / b
}

/// An approximate function of a single.
pub(super) fn single(f: FloatUnary, a: f32) -> f32 {
    let x = f64::from(a);
    match f {
        FloatUnary::RcpApprox => 1.0 / a,
        FloatUnary::SqrtApprox => a.sqrt(),
        FloatUnary::RsqrtApprox => reciprocal_root(x) as f32,
        FloatUnary::SinApprox => libm::sin(x) as f32,
        FloatUnary::CosApprox => libm::cos(x) as f32,
        FloatUnary::Lg2Approx => libm::log2(x) as f32,
        FloatUnary::Ex2Approx => libm::exp2(x) as f32,
        FloatUnary::TanhApprox => libm::tanh(x) as f32,
        // The exact functions are rounded by `float`, never here.
        FloatUnary::Neg | FloatUnary::Abs | FloatUnary::Rcp | FloatUnary::Sqrt => a,
    }
}

/// An approximate function of a double: `rcp.approx.ftz.f64` and `rsqrt.approx(.ftz).f64`.
pub(super) fn double(f: FloatUnary, ftz: bool, a: f64) -> f64 {
    let flush = |x: f64| {
        if ftz && x.is_subnormal() {
            0f64.copysign(x)
        } else {
            x
        }
    };
    let a = flush(a);
    flush(if f == FloatUnary::RsqrtApprox { reciprocal_root(a) } else { 1.0 / a })
}

/// The reciprocal root keeps the sign of zero: rsqrt(-0) is minus infinity.
fn reciprocal_root(x: f64) -> f64 {
    1.0 / x.sqrt()
}
