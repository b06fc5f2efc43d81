//! Logic, shifts, bit fields, permutation.

use super::harness::{check, check_code};

const ONES32: u64 = 0xffff_ffff;

#[test]
fn logic_of_every_width() {
    check("and.b32", "b32", &["b32"; 2], &[&[0xff00, 0x0ff0, 0x0f00]]);
    check("or.b64", "b64", &["b64"; 2], &[&[1 << 63, 1, (1 << 63) + 1]]);
    check("xor.b16", "b16", &["b16"; 2], &[&[0xffff, 0x00ff, 0xff00]]);
    check("not.b32", "b32", &["b32"], &[&[0, ONES32]]);
    check("not.b16", "b16", &["b16"], &[&[0x00ff, 0xff00]]);
    check("not.b64", "b64", &["b64"], &[&[1, u64::MAX - 1]]);
    check("cnot.b32", "b32", &["b32"], &[&[0, 1], &[7, 0]]);
}

#[test]
fn predicate_logic() {
    let two = ["pred"; 2];
    check("and.pred", "pred", &two, &[&[1, 1, 1], &[1, 0, 0]]);
    check("or.pred", "pred", &two, &[&[0, 0, 0], &[1, 0, 1]]);
    check("xor.pred", "pred", &two, &[&[1, 1, 0], &[1, 0, 1]]);
    check("not.pred", "pred", &["pred"], &[&[1, 0], &[0, 1]]);
    check("mov.pred", "pred", &["pred"], &[&[1, 1], &[0, 0]]);
    check_code("mov.pred %d, 1;", "pred", &["pred"], &[&[0, 1]]);
    check_code("and.pred %d, %a, !%b;", "pred", &two, &[&[1, 0, 1], &[1, 1, 0]]);
}

#[test]
fn shifts_clamp_at_the_width() {
    let b32 = ["b32"; 2];
    check("shl.b32", "b32", &b32, &[&[1, 31, 1 << 31], &[1, 32, 0], &[1, ONES32, 0]]);
    check("shr.u32", "b32", &b32, &[&[ONES32, 31, 1], &[ONES32, 32, 0]]);
    check("shr.s32", "b32", &b32, &[&[1 << 31, 31, ONES32], &[1 << 31, 200, ONES32], &[8, 40, 0]]);
    let mixed = ["b64", "b32"];
    check("shl.b64", "b64", &mixed, &[&[1, 63, 1 << 63], &[1, 64, 0]]);
    check("shr.u64", "b64", &mixed, &[&[1 << 63, 63, 1], &[1 << 63, 64, 0]]);
    check("shr.s64", "b64", &mixed, &[&[1 << 63, 64, u64::MAX]]);
    let half = ["b16", "b32"];
    check("shl.b16", "b16", &half, &[&[1, 15, 0x8000], &[1, 16, 0]]);
    check("shr.s16", "b16", &half, &[&[0x8000, 20, 0xffff]]);
    check("shr.u16", "b16", &half, &[&[0x8000, 15, 1], &[0x8000, 16, 0]]);
}

#[test]
fn funnel_shifts() {
    let b32 = ["b32"; 3];
    let (low, high) = (0x89ab_cdef, 0x0123_4567);
    check("shf.l.wrap.b32", "b32", &b32, &[&[low, high, 8, 0x2345_6789], &[low, high, 32, high]]);
    check(
        "shf.r.wrap.b32",
        "b32",
        &b32,
        &[&[low, high, 8, 0x6789_abcd], &[low, high, 33, 0xc4d5_e6f7]],
    );
    check("shf.l.clamp.b32", "b32", &b32, &[&[low, high, 40, low], &[low, high, 0, high]]);
    check("shf.r.clamp.b32", "b32", &b32, &[&[low, high, 40, high]]);
}

#[test]
fn counting_and_finding_bits() {
    check("popc.b32", "b32", &["b32"], &[&[0xf0f0, 8], &[ONES32, 32]]);
    check("popc.b64", "b32", &["b64"], &[&[u64::MAX, 64]]);
    check("clz.b32", "b32", &["b32"], &[&[0, 32], &[1, 31], &[1 << 31, 0]]);
    check("clz.b64", "b32", &["b64"], &[&[0, 64], &[1, 63]]);
    check("brev.b32", "b32", &["b32"], &[&[1, 1 << 31], &[0x0000_00f0, 0x0f00_0000]]);
    check("brev.b64", "b64", &["b64"], &[&[1, 1 << 63]]);
    check("bfind.u32", "b32", &["b32"], &[&[0, ONES32], &[1, 0], &[ONES32, 31]]);
    check("bfind.s32", "b32", &["b32"], &[&[ONES32, ONES32], &[ONES32 - 1, 0], &[0x7000, 14]]);
    check("bfind.shiftamt.u32", "b32", &["b32"], &[&[0, ONES32], &[1, 31]]);
    check("bfind.u64", "b32", &["b64"], &[&[1 << 40, 40]]);
    check("bfind.s64", "b32", &["b64"], &[&[u64::MAX, ONES32], &[u64::MAX << 8, 7]]);
    check("bfind.shiftamt.s64", "b32", &["b64"], &[&[1, 63]]);
}

#[test]
fn bit_fields() {
    let b32 = ["b32"; 3];
    check(
        "bfe.u32",
        "b32",
        &b32,
        &[&[0xabcd_1234, 8, 8, 0x12], &[ONES32, 28, 8, 15], &[9, 0, 0, 0]],
    );
    check("bfe.s32", "b32", &b32, &[&[0x0000_8000, 8, 8, 0xffff_ff80], &[0x7f00, 8, 8, 0x7f]]);
    check("bfe.s32", "b32", &b32, &[&[1 << 31, 40, 4, ONES32], &[1 << 31, 28, 16, 0xffff_fff8]]);
    let wide = ["b64", "b32", "b32"];
    check("bfe.u64", "b64", &wide, &[&[u64::MAX, 60, 8, 15], &[u64::MAX, 0, 64, u64::MAX]]);
    check("bfe.s64", "b64", &wide, &[&[0x80, 4, 4, u64::MAX - 7]]);
    let four = ["b32"; 4];
    check("bfi.b32", "b32", &four, &[&[0xf, 0, 8, 4, 0xf00], &[0xff, ONES32, 28, 8, ONES32]]);
    check(
        "bfi.b32",
        "b32",
        &four,
        &[&[0, ONES32, 4, 8, 0xffff_f00f], &[0, 7, 0, 0, 7], &[0, 7, 40, 3, 7]],
    );
    check(
        "bfi.b64",
        "b64",
        &["b64", "b64", "b32", "b32"],
        &[&[0x3, 0, 62, 2, 3 << 62], &[9, 5, 0, 64, 9]],
    );
}

#[test]
fn prmt_picks_bytes() {
    let b32 = ["b32"; 3];
    let (a, b) = (0x3322_1100, 0x7766_5544);
    check("prmt.b32", "b32", &b32, &[&[a, b, 0x7531, 0x7755_3311], &[a, b, 0x0123, 0x0011_2233]]);
    // The high selector bit copies the sign of the byte.
    check("prmt.b32", "b32", &b32, &[&[0x8000_7f80, 0, 0x0b98, 0x80ff_00ff]]);
    check("prmt.b32.f4e", "b32", &b32, &[&[a, b, 1, 0x4433_2211], &[a, b, 4, a]]);
    check("prmt.b32.b4e", "b32", &b32, &[&[a, b, 1, 0x6677_0011]]);
    check("prmt.b32.rc8", "b32", &b32, &[&[a, b, 2, 0x2222_2222]]);
    check("prmt.b32.ecl", "b32", &b32, &[&[a, b, 2, 0x3322_2222]]);
    check("prmt.b32.ecr", "b32", &b32, &[&[a, b, 1, 0x1111_1100]]);
    check("prmt.b32.rc16", "b32", &b32, &[&[a, b, 1, 0x3322_3322], &[a, b, 2, 0x1100_1100]]);
}

#[test]
fn lop3_is_its_table() {
    let (a, b, c) = (0xf0, 0xcc, 0xaa);
    for table in [0x00u64, 0x80, 0x96, 0xe8, 0xca, 0x1e, 0xff] {
        // With these operands the low byte of the result is the table itself.
        let high = if table & 1 != 0 { 0xffff_ff00 } else { 0 };
        let code = format!("lop3.b32 %d, %a, %b, %c, {table};");
        check_code(&code, "b32", &["b32"; 3], &[&[a, b, c, high | table]]);
    }
}
