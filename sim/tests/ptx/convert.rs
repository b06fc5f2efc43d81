//! `cvt` between every kind of type, `mov` with packing, address conversion.

use super::harness::{check, check_code, d, s};

const ONES32: u64 = 0xffff_ffff;

#[test]
fn integers_extend_truncate_and_saturate() {
    check("cvt.s64.s32", "b64", &["b32"], &[&[ONES32, u64::MAX], &[5, 5]]);
    check("cvt.u64.u32", "b64", &["b32"], &[&[ONES32, ONES32]]);
    check("cvt.u32.u64", "b32", &["b64"], &[&[0x1_2345_6789, 0x2345_6789]]);
    check("cvt.s32.s16", "b32", &["b16"], &[&[0x8000, 0xffff_8000]]);
    check("cvt.u32.u16", "b32", &["b16"], &[&[0x8000, 0x8000]]);
    check("cvt.s32.s8", "b32", &["b32"], &[&[0x1ff, ONES32]]);
    check("cvt.u32.u8", "b32", &["b32"], &[&[0x1ff, 0xff]]);
    check("cvt.u16.u32", "b16", &["b32"], &[&[0x1_2345, 0x2345]]);
    // A narrow result fills a wider register by its own sign.
    check("cvt.s8.s32", "b32", &["b32"], &[&[0x80, 0xffff_ff80]]);
    check("cvt.u8.s32", "b32", &["b32"], &[&[0x180, 0x80]]);
    check("cvt.s16.s64", "b64", &["b64"], &[&[0x1_8000, 0xffff_ffff_ffff_8000]]);
    check("cvt.sat.u8.s32", "b32", &["b32"], &[&[ONES32, 0], &[300, 255], &[7, 7]]);
    check("cvt.sat.s8.s32", "b32", &["b32"], &[&[200, 127], &[0xffff_ff00, 0xffff_ff80]]);
    check("cvt.sat.s32.s64", "b32", &["b64"], &[&[1 << 40, 0x7fff_ffff]]);
    check("cvt.sat.u32.s32", "b32", &["b32"], &[&[ONES32, 0]]);
    check("cvt.sat.s32.u32", "b32", &["b32"], &[&[ONES32, 0x7fff_ffff]]);
}

#[test]
fn floats_round_to_integers_in_every_direction() {
    let one = ["b32"];
    let negative = |n: i32| u64::from(n as u32);
    check("cvt.rni.s32.f32", "b32", &one, &[&[s(2.5), 2], &[s(3.5), 4], &[s(-2.5), negative(-2)]]);
    check("cvt.rzi.s32.f32", "b32", &one, &[&[s(2.9), 2], &[s(-2.9), negative(-2)]]);
    check("cvt.rmi.s32.f32", "b32", &one, &[&[s(2.9), 2], &[s(-2.1), negative(-3)]]);
    check("cvt.rpi.s32.f32", "b32", &one, &[&[s(2.1), 3], &[s(-2.9), negative(-2)]]);
    check("cvt.rni.f32.f32", "b32", &one, &[&[s(2.5), s(2.0)], &[s(-0.4), s(-0.0)]]);
    check("cvt.rzi.f32.f32", "b32", &one, &[&[s(-2.7), s(-2.0)]]);
    check("cvt.rmi.f64.f64", "b64", &["b64"], &[&[d(-2.1), d(-3.0)]]);
    check("cvt.rpi.f64.f64", "b64", &["b64"], &[&[d(2.1), d(3.0)]]);
    check("cvt.rzi.ftz.s32.f32", "b32", &one, &[&[s(-7.5), negative(-7)]]);
    check("cvt.rpi.ftz.s32.f32", "b32", &one, &[&[1, 0]]);
    check("cvt.rpi.s32.f32", "b32", &one, &[&[1, 1]]);
}

#[test]
fn floats_clamp_to_the_integer_range_and_nan_has_a_rule() {
    let one = ["b32"];
    let nan = s(f32::NAN);
    check(
        "cvt.rzi.s32.f32",
        "b32",
        &one,
        &[&[s(3e9), 0x7fff_ffff], &[s(-3e9), 0x8000_0000], &[nan, 0]],
    );
    check("cvt.rzi.u32.f32", "b32", &one, &[&[s(-1.0), 0], &[s(1e10), ONES32], &[nan, 0]]);
    check("cvt.rzi.s8.f32", "b32", &one, &[&[s(200.0), 127], &[s(-200.0), 0xffff_ff80]]);
    check("cvt.rzi.u16.f32", "b16", &one, &[&[s(1e6), 0xffff]]);
    check("cvt.rzi.s64.f32", "b64", &one, &[&[s(f32::INFINITY), i64::MAX as u64], &[nan, 1 << 63]]);
    check("cvt.rzi.u64.f64", "b64", &["b64"], &[&[d(1e30), u64::MAX], &[d(f64::NAN), 1 << 63]]);
    check(
        "cvt.rzi.s32.f64",
        "b32",
        &["b64"],
        &[&[d(f64::NAN), 0x8000_0000], &[d(-7.9), 0xffff_fff9]],
    );
}

#[test]
fn integers_round_to_floats() {
    let one = ["b32"];
    // 2^24 + 1 lies between two singles.
    check("cvt.rn.f32.s32", "b32", &one, &[&[16_777_217, s(16_777_216.0)], &[ONES32, s(-1.0)]]);
    check("cvt.rp.f32.s32", "b32", &one, &[&[16_777_217, s(16_777_218.0)]]);
    check("cvt.rz.f32.u32", "b32", &one, &[&[ONES32, 0x4f7f_ffff]]);
    check("cvt.rn.f32.u32", "b32", &one, &[&[ONES32, 0x4f80_0000]]);
    check("cvt.rm.f32.s64", "b32", &["b64"], &[&[u64::MAX << 24 | 1, 0xcb7f_ffff]]);
    check("cvt.rn.f64.u64", "b64", &["b64"], &[&[u64::MAX, d(18_446_744_073_709_551_616.0)]]);
    check("cvt.rn.f64.s32", "b64", &one, &[&[ONES32, d(-1.0)]]);
    check("cvt.rn.f32.s16", "b32", &["b16"], &[&[0xffff, s(-1.0)]]);
    check("cvt.rn.f32.u8", "b32", &one, &[&[0x1ff, s(255.0)]]);
    check("cvt.rn.f64.u32", "b64", &one, &[&[ONES32, d(4_294_967_295.0)]]);
}

#[test]
fn floats_change_width() {
    check(
        "cvt.f64.f32",
        "b64",
        &["b32"],
        &[&[s(1.5), d(1.5)], &[1, d(f64::from(f32::from_bits(1)))]],
    );
    check("cvt.rn.f32.f64", "b32", &["b64"], &[&[d(0.1), s(0.1)], &[d(1e300), s(f32::INFINITY)]]);
    check("cvt.rz.f32.f64", "b32", &["b64"], &[&[d(1e300), s(f32::MAX)], &[d(0.1), s(0.1) - 1]]);
    check("cvt.rn.ftz.f32.f64", "b32", &["b64"], &[&[d(1e-40), 0]]);
    check(
        "cvt.sat.f32.f32",
        "b32",
        &["b32"],
        &[&[s(2.0), s(1.0)], &[s(f32::NAN), 0], &[s(0.5), s(0.5)]],
    );
    check("cvt.ftz.f32.f32", "b32", &["b32"], &[&[1 | 1 << 31, 1 << 31]]);
    check("cvt.rn.f32.f64", "b32", &["b64"], &[&[d(f64::NAN), 0x7fff_ffff]]);
}

#[test]
fn halves() {
    check(
        "cvt.f32.f16",
        "b32",
        &["b16"],
        &[&[0x3c00, s(1.0)], &[0xc000, s(-2.0)], &[1, s(2f32.powi(-24))]],
    );
    check("cvt.f32.f16", "b32", &["b16"], &[&[0x7c00, s(f32::INFINITY)], &[0x7e00, 0x7fff_ffff]]);
    check(
        "cvt.rn.f16.f32",
        "b16",
        &["b32"],
        &[&[s(1.0), 0x3c00], &[s(65_520.0), 0x7c00], &[s(1e-8), 0]],
    );
    check("cvt.rz.f16.f32", "b16", &["b32"], &[&[s(65_520.0), 0x7bff], &[s(f32::NAN), 0x7fff]]);
    check("cvt.rn.f16.s32", "b16", &["b32"], &[&[3, 0x4200]]);
    check("cvt.rzi.s32.f16", "b32", &["b16"], &[&[0x4248, 3]]);
    check("cvt.f64.f16", "b64", &["b16"], &[&[0x3555, d(0.333_251_953_125)]]);
    check("cvt.sat.f16.f16", "b16", &["b16"], &[&[0x4000, 0x3c00], &[0xc000, 0]]);
}

#[test]
fn mov_packs_and_unpacks() {
    check_code("mov.b64 %d, {%a, %b};", "b64", &["b32", "b32"], &[&[1, 2, (2 << 32) + 1]]);
    check_code("mov.b32 %d, {%a, %b};", "b32", &["b16", "b16"], &[&[0x1234, 0xabcd, 0xabcd_1234]]);
    let high = "{ .reg .b32 %lo; mov.b64 {%lo, %d}, %a; }";
    check_code(high, "b32", &["b64"], &[&[0x1234_5678_9abc_def0, 0x1234_5678]]);
    check_code("mov.b64 {%d, _}, %a;", "b32", &["b64"], &[&[0x1234_5678_9abc_def0, 0x9abc_def0]]);
    let third = "{ .reg .b16 %p0, %p1, %p3; mov.b64 {%p0, %p1, %d, %p3}, %a; }";
    check_code(third, "b16", &["b64"], &[&[0x1111_2222_3333_4444, 0x2222]]);
    let four = "{ .reg .b16 %h; mov.b32 {_, %h}, %a; mov.b64 %d, {%h, %h, %h, %h}; }";
    check_code(four, "b64", &["b32"], &[&[0xbeef_0000, 0xbeef_beef_beef_beef]]);
    check_code("mov.f32 %d, 0f3F800000;", "b32", &["b32"], &[&[0, s(1.0)]]);
    check_code("mov.f64 %d, 0dBFF0000000000000;", "b64", &["b64"], &[&[0, d(-1.0)]]);
    check_code("mov.f32 %d, 1.5;", "b32", &["b32"], &[&[0, s(1.5)]]);
    check_code("mov.u32 %d, WARP_SZ;", "b32", &["b32"], &[&[0, 32]]);
}

#[test]
fn cvta_and_isspacep() {
    let shared = "{ .shared .b32 v; .reg .b64 %g; mov.u64 %g, v; cvta.shared.u64 %g, %g;
                   isspacep.shared %d, %g; }";
    check_code(shared, "pred", &["b32"], &[&[0, 1]]);
    let global = "{ .reg .b64 %g; cvta.to.global.u64 %g, %base; isspacep.global %d, %g; }";
    check_code(global, "pred", &["b32"], &[&[0, 1]]);
    let local = "{ .local .b32 v; .reg .b64 %g; mov.u64 %g, v; cvta.local.u64 %g, %g;
                  isspacep.global %d, %g; }";
    check_code(local, "pred", &["b32"], &[&[0, 0]]);
    let round_trip = "{ .shared .b32 v; .reg .b64 %g; mov.u64 %g, v; cvta.shared.u64 %g, %g;
                       st.u32 [%g], %a; cvta.to.shared.u64 %g, %g; ld.shared.u32 %d, [%g]; }";
    check_code(round_trip, "b32", &["b32"], &[&[77, 77]]);
}
