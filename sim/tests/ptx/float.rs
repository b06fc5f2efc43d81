//! Floating-point arithmetic: rounding modes, subnormals, saturation, NaN, approximations.

use super::harness::{check, d, eval, s};

const B32: [&str; 2] = ["b32", "b32"];
const B64: [&str; 2] = ["b64", "b64"];
const NAN: u64 = 0x7fff_ffff;
const TINY: u64 = 1;

#[test]
fn add_sub_mul_round_to_nearest() {
    check(
        "add.f32",
        "b32",
        &B32,
        &[&[s(1.5), s(2.25), s(3.75)], &[s(1.0), s(5.960_464_5e-8), s(1.0)]],
    );
    check("sub.f32", "b32", &B32, &[&[s(1.0), s(3.0), s(-2.0)]]);
    check("mul.f32", "b32", &B32, &[&[s(0.1), s(0.1), s(0.1 * 0.1)], &[TINY, s(2.0), 2]]);
    check("add.f64", "b64", &B64, &[&[d(0.1), d(0.2), d(0.1 + 0.2)]]);
    check("sub.f64", "b64", &B64, &[&[d(0.3), d(0.1), d(0.3 - 0.1)]]);
    check("mul.rn.f64", "b64", &B64, &[&[d(0.1), d(0.1), d(0.1 * 0.1)]]);
}

#[test]
fn directed_rounding_brackets_the_exact_result() {
    // 1 + 2^-25 lies between 1 and the next single.
    let small = s(2f32.powi(-25));
    let next = s(1.0) + 1;
    check(
        "add.rz.f32",
        "b32",
        &B32,
        &[&[s(1.0), small, s(1.0)], &[s(-1.0), small | 1 << 31, s(-1.0)]],
    );
    check(
        "add.rp.f32",
        "b32",
        &B32,
        &[&[s(1.0), small, next], &[s(-1.0), small | 1 << 31, s(-1.0)]],
    );
    check(
        "add.rm.f32",
        "b32",
        &B32,
        &[&[s(1.0), small, s(1.0)], &[s(-1.0), small | 1 << 31, next | 1 << 31]],
    );
    check("sub.rm.f32", "b32", &B32, &[&[s(1.0), s(1.0), s(-0.0)], &[s(1.0), small, s(1.0) - 1]]);
    // 1/3 = 0x3eaaaaab to nearest, 0x3eaaaaaa below.
    check("div.rn.f32", "b32", &B32, &[&[s(1.0), s(3.0), 0x3eaa_aaab]]);
    check("div.rz.f32", "b32", &B32, &[&[s(1.0), s(3.0), 0x3eaa_aaaa]]);
    check("div.rm.f32", "b32", &B32, &[&[s(-1.0), s(3.0), 0xbeaa_aaab]]);
    check("div.rp.f32", "b32", &B32, &[&[s(-1.0), s(3.0), 0xbeaa_aaaa]]);
    check(
        "mul.rp.f32",
        "b32",
        &B32,
        &[&[s(f32::MAX), s(2.0), s(f32::INFINITY)], &[TINY, s(0.25), TINY]],
    );
    check("mul.rz.f32", "b32", &B32, &[&[s(f32::MAX), s(2.0), s(f32::MAX)], &[TINY, s(0.25), 0]]);
    check("add.rz.f64", "b64", &B64, &[&[d(1.0), d(2f64.powi(-54)), d(1.0)]]);
    check("add.rp.f64", "b64", &B64, &[&[d(1.0), d(2f64.powi(-60)), d(1.0) + 1]]);
    check("mul.rm.f64", "b64", &B64, &[&[d(f64::MAX), d(2.0), d(f64::MAX)]]);
    check("div.rz.f64", "b64", &B64, &[&[d(1.0), d(3.0), 0x3fd5_5555_5555_5555]]);
    check("div.rp.f64", "b64", &B64, &[&[d(1.0), d(3.0), 0x3fd5_5555_5555_5556]]);
    check("rcp.rm.f32", "b32", &["b32"], &[&[s(3.0), 0x3eaa_aaaa]]);
    check("rcp.rp.f64", "b64", &["b64"], &[&[d(3.0), 0x3fd5_5555_5555_5556]]);
    check("sqrt.rn.f32", "b32", &["b32"], &[&[s(2.0), 0x3fb5_04f3]]);
    check("sqrt.rp.f32", "b32", &["b32"], &[&[s(2.0), 0x3fb5_04f4]]);
    check(
        "sqrt.rz.f32",
        "b32",
        &["b32"],
        &[&[s(2.0), 0x3fb5_04f3], &[s(-0.0), s(-0.0)], &[s(-1.0), NAN]],
    );
    check("sqrt.rn.f64", "b64", &["b64"], &[&[d(2.0), 0x3ff6_a09e_667f_3bcd]]);
    check("sqrt.rm.f64", "b64", &["b64"], &[&[d(2.0), 0x3ff6_a09e_667f_3bcc]]);
}

#[test]
fn fma_rounds_once() {
    let b32 = ["b32"; 3];
    // (1 + 2^-12)^2 - (1 + 2^-11) is exactly 2^-24, which two roundings would lose.
    let (a, c) = (s(1.0 + 2f32.powi(-12)), s(-(1.0 + 2f32.powi(-11))));
    check("fma.rn.f32", "b32", &b32, &[&[a, a, c, s(2f32.powi(-24))]]);
    check("mad.rn.f32", "b32", &b32, &[&[a, a, c, s(2f32.powi(-24))]]);
    check("fma.rz.f32", "b32", &b32, &[&[s(1.0), s(1.0), s(2f32.powi(-30)), s(1.0)]]);
    check("fma.rp.f32", "b32", &b32, &[&[s(1.0), s(1.0), s(2f32.powi(-30)), s(1.0) + 1]]);
    check("fma.rm.f64", "b64", &["b64"; 3], &[&[d(-1.0), d(1.0), d(-2f64.powi(-70)), d(-1.0) + 1]]);
    check("fma.rn.f64", "b64", &["b64"; 3], &[&[d(3.0), d(4.0), d(5.0), d(17.0)]]);
    check("mad.rz.f64", "b64", &["b64"; 3], &[&[d(3.0), d(4.0), d(5.0), d(17.0)]]);
}

#[test]
fn ftz_flushes_inputs_and_results_and_keeps_the_sign() {
    check("add.ftz.f32", "b32", &B32, &[&[TINY, TINY, 0], &[TINY | 1 << 31, 1 << 31, 1 << 31]]);
    check("add.f32", "b32", &B32, &[&[TINY, TINY, 2]]);
    check("mul.ftz.f32", "b32", &B32, &[&[s(1e-30), s(1e-10), 0], &[s(-1e-30), s(1e-10), 1 << 31]]);
    check("neg.ftz.f32", "b32", &["b32"], &[&[TINY, 1 << 31]]);
    check("abs.ftz.f32", "b32", &["b32"], &[&[TINY | 1 << 31, 0], &[s(-2.0), s(2.0)]]);
    check("min.ftz.f32", "b32", &B32, &[&[TINY, s(1.0), 0]]);
    check("fma.rn.ftz.f32", "b32", &["b32"; 3], &[&[TINY, s(1.0), TINY, 0]]);
    check("add.rp.ftz.f32", "b32", &B32, &[&[TINY, TINY, 0]]);
    check("sqrt.rn.ftz.f32", "b32", &["b32"], &[&[TINY, 0]]);
}

#[test]
fn sat_clamps_to_the_unit_interval() {
    let rows: [&[u64]; 4] = [
        &[s(0.75), s(0.5), s(1.0)],
        &[s(-1.0), s(0.5), 0],
        &[NAN, s(1.0), 0],
        &[s(0.25), s(0.5), s(0.75)],
    ];
    check("add.sat.f32", "b32", &B32, &rows);
    check("mul.sat.f32", "b32", &B32, &[&[s(4.0), s(4.0), s(1.0)], &[s(-0.0), s(1.0), 0]]);
    check("fma.rn.sat.f32", "b32", &["b32"; 3], &[&[s(1.0), s(1.0), s(1.0), s(1.0)]]);
    check("sub.rz.sat.f32", "b32", &B32, &[&[s(1.0), s(0.5), s(0.5)]]);
}

#[test]
fn nan_is_canonical_and_min_max_avoid_it() {
    let inf = s(f32::INFINITY);
    check("sub.f32", "b32", &B32, &[&[inf, inf, NAN], &[0xffc0_0001, s(1.0), NAN]]);
    check("mul.f32", "b32", &B32, &[&[inf, 0, NAN]]);
    let rows: [&[u64]; 5] = [
        &[NAN, s(1.0), s(1.0)],
        &[s(1.0), NAN, s(1.0)],
        &[NAN, 0x7f80_0001, NAN],
        &[s(0.0), s(-0.0), s(-0.0)],
        &[s(-1.0), s(2.0), s(-1.0)],
    ];
    check("min.f32", "b32", &B32, &rows);
    check("max.f32", "b32", &B32, &[&[NAN, s(1.0), s(1.0)], &[s(-0.0), s(0.0), s(0.0)]]);
    check("min.NaN.f32", "b32", &B32, &[&[NAN, s(1.0), NAN], &[s(2.0), s(1.0), s(1.0)]]);
    check("max.NaN.f32", "b32", &B32, &[&[s(1.0), NAN, NAN], &[s(2.0), s(1.0), s(2.0)]]);
    check("min.f64", "b64", &B64, &[&[d(f64::NAN), d(1.0), d(1.0)], &[d(0.0), d(-0.0), d(-0.0)]]);
    check("max.f64", "b64", &B64, &[&[d(1.0), d(f64::NAN), d(1.0)], &[d(3.0), d(4.0), d(4.0)]]);
}

#[test]
fn neg_abs_copysign() {
    check("neg.f32", "b32", &["b32"], &[&[s(1.0), s(-1.0)], &[0, 1 << 31]]);
    check("neg.f64", "b64", &["b64"], &[&[d(-2.5), d(2.5)]]);
    check("abs.f64", "b64", &["b64"], &[&[d(-2.5), d(2.5)]]);
    check("copysign.f32", "b32", &B32, &[&[s(-1.0), s(5.0), s(-5.0)], &[s(1.0), s(-5.0), s(5.0)]]);
    check("copysign.f64", "b64", &B64, &[&[d(-0.0), d(3.0), d(-3.0)]]);
}

#[test]
fn division_special_cases() {
    let inf = s(f32::INFINITY);
    check(
        "div.rn.f32",
        "b32",
        &B32,
        &[&[s(1.0), 0, inf], &[0, 0, NAN], &[s(-1.0), 0, s(f32::NEG_INFINITY)]],
    );
    check("div.full.f32", "b32", &B32, &[&[s(6.0), s(3.0), s(2.0)]]);
    check(
        "div.approx.f32",
        "b32",
        &B32,
        &[&[s(6.0), s(3.0), s(2.0)], &[s(1.0), s(3e38), 0], &[inf, s(3e38), NAN]],
    );
    check("div.rn.f64", "b64", &B64, &[&[d(1.0), d(0.0), d(f64::INFINITY)]]);
}

/// Runs an approximate function and compares it with the true one.
#[track_caller]
fn approximates(opcode: &str, f: impl Fn(f64) -> f64, inputs: &[f32], error: impl Fn(f64) -> f64) {
    let rows: Vec<Vec<u64>> = inputs.iter().map(|x| vec![s(*x)]).collect();
    let got = eval(&format!("{opcode} %d, %a;"), "b32", &["b32"], &rows);
    for (x, got) in inputs.iter().zip(got) {
        let (got, want) = (f64::from(f32::from_bits(got as u32)), f(f64::from(*x)));
        assert!((got - want).abs() <= error(want), "{opcode}({x}) = {got}, want {want}");
    }
}

#[test]
fn approximations_are_within_their_documented_error() {
    let inputs = [0.1f32, 0.5, 1.0, 1.5, 2.0, 3.0, 3.1, 7.25, 100.0];
    let ulp = |n: f64| move |want: f64| n * want.abs() * 2f64.powi(-23);
    approximates("rcp.approx.f32", |x| 1.0 / x, &inputs, ulp(1.0));
    approximates("rcp.approx.ftz.f32", |x| 1.0 / x, &inputs, ulp(1.0));
    approximates("sqrt.approx.f32", f64::sqrt, &inputs, ulp(1.0));
    approximates("rsqrt.approx.f32", |x| 1.0 / x.sqrt(), &inputs, ulp(2.0));
    approximates("sin.approx.f32", f64::sin, &inputs[..7], |_| 2f64.powi(-20));
    approximates("cos.approx.f32", f64::cos, &inputs[..7], |_| 2f64.powi(-20));
    approximates("lg2.approx.f32", f64::log2, &inputs, |want| 2f64.powi(-22) * (1.0 + want.abs()));
    approximates("ex2.approx.f32", f64::exp2, &inputs, ulp(2.0));
    approximates("ex2.approx.ftz.f32", f64::exp2, &[-1.0, -20.5], ulp(2.0));
    approximates("tanh.approx.f32", f64::tanh, &inputs, ulp(32.0));
}

#[test]
fn approximations_at_the_edges() {
    let one = ["b32"];
    let (inf, minus) = (s(f32::INFINITY), s(f32::NEG_INFINITY));
    check("rcp.approx.f32", "b32", &one, &[&[0, inf], &[1 << 31, minus], &[inf, 0]]);
    check("rcp.approx.ftz.f32", "b32", &one, &[&[TINY, inf]]);
    check("rsqrt.approx.f32", "b32", &one, &[&[0, inf], &[1 << 31, minus], &[s(-1.0), NAN]]);
    check("lg2.approx.f32", "b32", &one, &[&[0, minus], &[s(-1.0), NAN], &[s(8.0), s(3.0)]]);
    check("ex2.approx.f32", "b32", &one, &[&[minus, 0], &[inf, inf], &[s(3.0), s(8.0)]]);
    check("sin.approx.f32", "b32", &one, &[&[inf, NAN], &[0, 0]]);
    check("cos.approx.f32", "b32", &one, &[&[inf, NAN], &[0, s(1.0)]]);
    check("rsqrt.approx.f64", "b64", &["b64"], &[&[d(4.0), d(0.5)]]);
    check("rcp.approx.ftz.f64", "b64", &["b64"], &[&[d(4.0), d(0.25)], &[1, d(f64::INFINITY)]]);
    check("rcp.rn.f32", "b32", &one, &[&[s(4.0), s(0.25)], &[0, inf]]);
    check("rcp.rn.f64", "b64", &["b64"], &[&[d(4.0), d(0.25)]]);
}
