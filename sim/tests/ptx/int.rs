//! Integer arithmetic: wrapping, high halves, division, saturation, carry chains.

use super::harness::{check, check_code};

const B16: [&str; 2] = ["b16", "b16"];
const B32: [&str; 2] = ["b32", "b32"];
const B64: [&str; 2] = ["b64", "b64"];
const MIN32: u64 = 0x8000_0000;
const MAX32: u64 = 0x7fff_ffff;
const ONES32: u64 = 0xffff_ffff;
const MIN64: u64 = 1 << 63;

/// 16-bit results are stored in 32-bit slots by their low half only.
#[test]
fn add_and_sub_wrap() {
    check("add.s32", "b32", &B32, &[&[MAX32, 1, MIN32], &[ONES32, 1, 0], &[5, 7, 12]]);
    check("sub.u32", "b32", &B32, &[&[0, 1, ONES32], &[MIN32, 1, MAX32]]);
    check("add.u64", "b64", &B64, &[&[u64::MAX, 2, 1], &[1 << 32, 5, (1 << 32) + 5]]);
    check("sub.s64", "b64", &B64, &[&[MIN64, 1, MIN64 - 1]]);
    check("add.u16", "b16", &B16, &[&[0xffff, 2, 1], &[7, 8, 15]]);
    check("sub.s16", "b16", &B16, &[&[0x8000, 1, 0x7fff]]);
}

#[test]
fn saturation_of_s32() {
    check("add.sat.s32", "b32", &B32, &[&[MAX32, 1, MAX32], &[MIN32, ONES32, MIN32], &[2, 3, 5]]);
    check("sub.sat.s32", "b32", &B32, &[&[MIN32, 1, MIN32], &[MAX32, ONES32, MAX32]]);
}

#[test]
fn mul_lo_hi_wide() {
    check("mul.lo.s32", "b32", &B32, &[&[0x10000, 0x10000, 0], &[ONES32, 5, ONES32 - 4]]);
    check("mul.hi.s32", "b32", &B32, &[&[ONES32, ONES32, 0], &[MIN32, 2, ONES32]]);
    check("mul.hi.u32", "b32", &B32, &[&[ONES32, ONES32, ONES32 - 1], &[MIN32, 2, 1]]);
    check("mul.lo.u64", "b64", &B64, &[&[u64::MAX, u64::MAX, 1]]);
    check("mul.hi.u64", "b64", &B64, &[&[u64::MAX, u64::MAX, u64::MAX - 1], &[1 << 63, 4, 2]]);
    check("mul.hi.s64", "b64", &B64, &[&[u64::MAX, u64::MAX, 0], &[MIN64, 2, u64::MAX]]);
    check("mul.wide.s32", "b64", &B32, &[&[ONES32, 2, u64::MAX - 1], &[MIN32, MIN32, 1 << 62]]);
    check("mul.wide.u32", "b64", &B32, &[&[ONES32, ONES32, 0xffff_fffe_0000_0001]]);
    check("mul.wide.s16", "b32", &B16, &[&[0xffff, 3, 0xffff_fffd]]);
    check("mul.wide.u16", "b32", &B16, &[&[0xffff, 0xffff, 0xfffe_0001]]);
    check("mul.lo.u16", "b16", &B16, &[&[0x100, 0x101, 0x100]]);
    check("mul.hi.s16", "b16", &B16, &[&[0x8000, 2, 0xffff]]);
    check("mul.hi.u16", "b16", &B16, &[&[0x8000, 2, 1]]);
}

#[test]
fn mad_lo_hi_wide() {
    let b32 = ["b32"; 3];
    check("mad.lo.s32", "b32", &b32, &[&[3, 4, 5, 17], &[ONES32, 1, 1, 0]]);
    check("mad.hi.u32", "b32", &b32, &[&[MIN32, 4, 1, 3]]);
    check("mad.hi.s32", "b32", &b32, &[&[MIN32, 2, 0, ONES32]]);
    check("mad.hi.sat.s32", "b32", &b32, &[&[MIN32, MIN32, MAX32, MAX32], &[2, 3, 4, 4]]);
    check("mad.wide.s32", "b64", &["b32", "b32", "b64"], &[&[ONES32, 3, 10, 7]]);
    check("mad.wide.u32", "b64", &["b32", "b32", "b64"], &[&[ONES32, 2, 4, (1 << 33) + 2]]);
    check("mad.wide.u16", "b32", &["b16", "b16", "b32"], &[&[0xffff, 2, 1, 0x1_ffff]]);
    check("mad.wide.s16", "b32", &["b16", "b16", "b32"], &[&[0xffff, 2, 1, ONES32]]);
    check("mad.lo.s64", "b64", &["b64"; 3], &[&[u64::MAX, 7, 8, 1]]);
    check("mad.hi.u64", "b64", &["b64"; 3], &[&[1 << 63, 2, 5, 6]]);
}

#[test]
fn division_truncates_and_never_traps() {
    check("div.s32", "b32", &B32, &[&[ONES32 - 6, 2, ONES32 - 2], &[MIN32, ONES32, MIN32]]);
    check("div.u32", "b32", &B32, &[&[ONES32, 10, 429_496_729], &[7, 0, ONES32]]);
    check("rem.s32", "b32", &B32, &[&[ONES32 - 6, 2, ONES32], &[MIN32, ONES32, 0], &[9, 0, 9]]);
    check("rem.u32", "b32", &B32, &[&[ONES32, 10, 5]]);
    check("div.s64", "b64", &B64, &[&[MIN64, u64::MAX, MIN64], &[100, 7, 14]]);
    check("div.u64", "b64", &B64, &[&[u64::MAX, 3, 0x5555_5555_5555_5555], &[1, 0, u64::MAX]]);
    check("rem.u64", "b64", &B64, &[&[u64::MAX, 10, 5], &[8, 0, 8]]);
    check("rem.s64", "b64", &B64, &[&[u64::MAX - 8, 5, u64::MAX - 3]]);
    check("div.s16", "b16", &B16, &[&[0x8000, 0xffff, 0x8000]]);
    check("rem.u16", "b16", &B16, &[&[0xffff, 0x100, 0xff]]);
}

#[test]
fn min_max_abs_neg_respect_sign() {
    check("min.s32", "b32", &B32, &[&[ONES32, 1, ONES32]]);
    check("min.u32", "b32", &B32, &[&[ONES32, 1, 1]]);
    check("max.s64", "b64", &B64, &[&[u64::MAX, 1, 1]]);
    check("max.u64", "b64", &B64, &[&[u64::MAX, 1, u64::MAX]]);
    check("min.s16", "b16", &B16, &[&[0x8000, 1, 0x8000]]);
    check("max.u16", "b16", &B16, &[&[0x8000, 1, 0x8000]]);
    check("abs.s32", "b32", &["b32"], &[&[ONES32, 1], &[MIN32, MIN32], &[5, 5]]);
    check("abs.s64", "b64", &["b64"], &[&[u64::MAX, 1]]);
    check("neg.s32", "b32", &["b32"], &[&[1, ONES32], &[MIN32, MIN32]]);
    check("neg.s16", "b16", &["b16"], &[&[1, 0xffff]]);
    check("neg.s64", "b64", &["b64"], &[&[MIN64, MIN64], &[2, u64::MAX - 1]]);
}

#[test]
fn sad_adds_the_absolute_difference() {
    let b32 = ["b32"; 3];
    check("sad.u32", "b32", &b32, &[&[ONES32, 1, 2, 0], &[1, ONES32, 2, 0]]);
    check("sad.s32", "b32", &b32, &[&[ONES32, 1, 10, 12]]);
    check("sad.u64", "b64", &["b64"; 3], &[&[3, 10, 1, 8]]);
    check("sad.s16", "b16", &["b16"; 3], &[&[0xffff, 1, 10, 12]]);
}

#[test]
fn carry_chains_make_wide_integers() {
    // 128-bit sum of (b:a) and (e:c), its high word.
    let add = "{ .reg .b64 %lo; add.cc.u64 %lo, %a, %c; addc.u64 %d, %b, %e; }";
    let b64 = ["b64"; 4];
    check_code(add, "b64", &b64, &[&[u64::MAX, 1, 1, 2, 4], &[1, 1, 1, 2, 3]]);
    let sub = "{ .reg .b32 %lo; sub.cc.u32 %lo, %a, %c; subc.u32 %d, %b, %e; }";
    check_code(sub, "b32", &["b32"; 4], &[&[0, 5, 1, 2, 2], &[1, 5, 1, 2, 3]]);
    // A carry that ripples through a middle word.
    let ripple =
        "{ .reg .b32 %x1; add.cc.u32 %x1, %a, %b; addc.cc.u32 %x1, %c, 0; addc.u32 %d, 0, 0; }";
    check_code(ripple, "b32", &["b32"; 3], &[&[ONES32, 1, ONES32, 1], &[ONES32, 0, ONES32, 0]]);
    let borrow =
        "{ .reg .b32 %x1; sub.cc.u32 %x1, %a, %b; subc.cc.u32 %x1, %c, 0; subc.u32 %d, 0, 0; }";
    check_code(borrow, "b32", &["b32"; 3], &[&[0, 1, 0, ONES32], &[0, 1, 1, 0]]);
    // 64-bit product by 32-bit pieces: high word of a * b + c.
    let mad = "{ .reg .b32 %lo; mad.lo.cc.u32 %lo, %a, %b, %c; madc.hi.u32 %d, %a, %b, 0; }";
    check_code(mad, "b32", &["b32"; 3], &[&[ONES32, ONES32, ONES32, ONES32], &[2, 3, 4, 0]]);
    let madc = "{ .reg .b32 %lo; add.cc.u32 %lo, %a, %a; madc.lo.cc.u32 %lo, %b, %b, %c; \
                addc.u32 %d, 0, 0; }";
    check_code(madc, "b32", &["b32"; 3], &[&[MIN32, 1, ONES32 - 1, 1], &[0, 1, ONES32 - 1, 0]]);
    let high = "{ .reg .b64 %lo; add.cc.u64 %lo, %a, %a; madc.hi.s64 %d, %b, %c, 0; }";
    check_code(high, "b64", &["b64"; 3], &[&[1 << 63, u64::MAX, 2, 0]]);
}

#[test]
fn instructions_without_cc_keep_the_carry() {
    let code = "{ .reg .b32 %x1; add.cc.u32 %x1, %a, %b; add.u32 %x1, %x1, 7; addc.u32 %d, 0, 0; }";
    check_code(code, "b32", &B32, &[&[ONES32, 1, 1], &[1, 1, 0]]);
}

#[test]
fn immediates_and_negative_constants() {
    check_code("add.s32 %d, %a, -5;", "b32", &["b32"], &[&[3, ONES32 - 1]]);
    check_code("mul.lo.s64 %d, %a, -1;", "b64", &["b64"], &[&[3, u64::MAX - 2]]);
    check_code("add.s16 %d, %a, -1;", "b16", &["b16"], &[&[0, 0xffff]]);
}
