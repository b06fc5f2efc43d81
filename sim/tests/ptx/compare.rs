//! Comparison and selection, NaN included.

use super::harness::{check, check_code, d, s};

const B32: [&str; 2] = ["b32", "b32"];
const ONES32: u64 = 0xffff_ffff;

#[test]
fn integer_relations_respect_sign_and_width() {
    check("setp.lt.s32", "pred", &B32, &[&[ONES32, 0, 1], &[0, 0, 0]]);
    check("setp.lt.u32", "pred", &B32, &[&[ONES32, 0, 0], &[0, 1, 1]]);
    check("setp.lo.u32", "pred", &B32, &[&[0, 1, 1]]);
    check("setp.ls.u32", "pred", &B32, &[&[1, 1, 1], &[2, 1, 0]]);
    check("setp.hi.u32", "pred", &B32, &[&[2, 1, 1], &[1, 1, 0]]);
    check("setp.hs.u32", "pred", &B32, &[&[1, 1, 1], &[0, 1, 0]]);
    check("setp.eq.b32", "pred", &B32, &[&[7, 7, 1], &[7, 8, 0]]);
    check("setp.ne.s64", "pred", &["b64"; 2], &[&[1 << 40, 0, 1]]);
    check("setp.ge.s64", "pred", &["b64"; 2], &[&[u64::MAX, 0, 0]]);
    check("setp.gt.u64", "pred", &["b64"; 2], &[&[u64::MAX, 0, 1]]);
    check("setp.le.s16", "pred", &["b16"; 2], &[&[0x8000, 0, 1], &[1, 0, 0]]);
    check("setp.gt.u16", "pred", &["b16"; 2], &[&[0x8000, 0, 1]]);
}

#[test]
fn float_relations_and_nan() {
    let nan = s(f32::NAN);
    let (one, two) = (s(1.0), s(2.0));
    let rows = |lt, eq, gt, un| {
        [[one, two, lt], [one, one, eq], [two, one, gt], [nan, one, un], [one, nan, un]]
    };
    let table = [
        ("eq", [0, 1, 0, 0]),
        ("ne", [1, 0, 1, 0]),
        ("lt", [1, 0, 0, 0]),
        ("le", [1, 1, 0, 0]),
        ("gt", [0, 0, 1, 0]),
        ("ge", [0, 1, 1, 0]),
        ("equ", [0, 1, 0, 1]),
        ("neu", [1, 0, 1, 1]),
        ("ltu", [1, 0, 0, 1]),
        ("leu", [1, 1, 0, 1]),
        ("gtu", [0, 0, 1, 1]),
        ("geu", [0, 1, 1, 1]),
        ("num", [1, 1, 1, 0]),
        ("nan", [0, 0, 0, 1]),
    ];
    for (relation, [lt, eq, gt, un]) in table {
        let rows = rows(lt, eq, gt, un);
        let rows: Vec<&[u64]> = rows.iter().map(|r| &r[..]).collect();
        check(&format!("setp.{relation}.f32"), "pred", &B32, &rows);
    }
    check("setp.lt.f64", "pred", &["b64"; 2], &[&[d(-1.0), d(1.0), 1], &[d(f64::NAN), d(1.0), 0]]);
    check("setp.eq.f32", "pred", &B32, &[&[s(0.0), s(-0.0), 1]]);
    check("setp.eq.ftz.f32", "pred", &B32, &[&[1, s(0.0), 1]]);
    check("setp.eq.f32", "pred", &B32, &[&[1, s(0.0), 0]]);
}

#[test]
fn combined_and_paired_predicates() {
    let sources = ["b32", "b32", "pred"];
    check("setp.lt.and.s32", "pred", &sources, &[&[1, 2, 1, 1], &[1, 2, 0, 0], &[2, 1, 1, 0]]);
    check("setp.lt.or.s32", "pred", &sources, &[&[2, 1, 0, 0], &[2, 1, 1, 1]]);
    check("setp.lt.xor.s32", "pred", &sources, &[&[1, 2, 1, 0], &[2, 1, 1, 1]]);
    let negated = "setp.lt.and.s32 %d, %a, %b, !%c;";
    check_code(negated, "pred", &sources, &[&[1, 2, 0, 1], &[1, 2, 1, 0]]);
    let second = "setp.lt.and.s32 %unused|%d, %a, %b, %c;";
    check_code(second, "pred", &sources, &[&[1, 2, 1, 0], &[2, 1, 1, 1], &[2, 1, 0, 0]]);
}

#[test]
fn set_writes_values() {
    check("set.lt.u32.s32", "b32", &B32, &[&[1, 2, ONES32], &[2, 1, 0]]);
    check("set.gt.s32.f32", "b32", &B32, &[&[s(2.0), s(1.0), ONES32]]);
    check("set.le.f32.u32", "b32", &B32, &[&[1, 1, s(1.0)], &[2, 1, 0]]);
    let code = "set.eq.and.u32.u32 %d, %a, %b, %c;";
    check_code(code, "b32", &["b32", "b32", "pred"], &[&[1, 1, 1, ONES32], &[1, 1, 0, 0]]);
}

#[test]
fn selp_and_slct() {
    let sources = ["b32", "b32", "pred"];
    check("selp.b32", "b32", &sources, &[&[1, 2, 1, 1], &[1, 2, 0, 2]]);
    check("selp.f64", "b64", &["b64", "b64", "pred"], &[&[1, 2, 0, 2]]);
    check("selp.s16", "b16", &["b16", "b16", "pred"], &[&[1, 2, 1, 1]]);
    let b32 = ["b32"; 3];
    check("slct.u32.s32", "b32", &b32, &[&[1, 2, 0, 1], &[1, 2, ONES32, 2]]);
    let nan = s(f32::NAN);
    check(
        "slct.f32.f32",
        "b32",
        &b32,
        &[&[1, 2, s(-0.0), 1], &[1, 2, nan, 2], &[1, 2, s(-1.0), 2]],
    );
    check("slct.b32.f32", "b32", &b32, &[&[1, 2, 0x8000_0001, 2]]);
    check("slct.ftz.b32.f32", "b32", &b32, &[&[1, 2, 0x8000_0001, 1]]);
    check("slct.u64.s32", "b64", &["b64", "b64", "b32"], &[&[5, 6, ONES32, 6]]);
}

#[test]
fn testp_classifies() {
    let one = ["b32"];
    let (inf, nan, sub) = (s(f32::INFINITY), s(f32::NAN), 1);
    check("testp.finite.f32", "pred", &one, &[&[s(1.0), 1], &[inf, 0], &[nan, 0], &[sub, 1]]);
    check("testp.infinite.f32", "pred", &one, &[&[inf, 1], &[s(f32::NEG_INFINITY), 1], &[nan, 0]]);
    check("testp.number.f32", "pred", &one, &[&[inf, 1], &[nan, 0]]);
    check("testp.notanumber.f32", "pred", &one, &[&[nan, 1], &[sub, 0]]);
    check("testp.normal.f32", "pred", &one, &[&[s(1.0), 1], &[sub, 0], &[0, 0]]);
    check("testp.subnormal.f32", "pred", &one, &[&[sub, 1], &[0, 0]]);
    check("testp.subnormal.f64", "pred", &["b64"], &[&[1, 1], &[d(1.0), 0]]);
}
