//! Loads, stores, spaces, vectors and atomics.

use super::harness::{check_code, load, run_on, words, HEADER};

#[test]
fn loads_extend_and_stores_truncate() {
    let code =
        |ld: &str| format!("{{ .reg .b64 %q; st.global.b64 [%base], %a; {ld} %d, [%base]; }}");
    let rows = |want| [0x8182_8384_f5f6_f7f8u64, want];
    let table = [
        ("ld.global.s8", "b32", 0xffff_fff8),
        ("ld.global.u8", "b32", 0xf8),
        ("ld.global.s16", "b32", 0xffff_f7f8),
        ("ld.global.u16", "b32", 0xf7f8),
        ("ld.global.s32", "b64", 0xffff_ffff_f5f6_f7f8),
        ("ld.global.u32", "b64", 0xf5f6_f7f8),
        ("ld.global.s8", "b64", 0xffff_ffff_ffff_fff8),
        ("ld.global.b64", "b64", 0x8182_8384_f5f6_f7f8),
        ("ld.volatile.global.u16", "b64", 0xf7f8),
        ("ld.global.nc.u8", "b64", 0xf8),
        ("ld.global.s16", "b64", 0xffff_ffff_ffff_f7f8),
    ];
    for (ld, result, want) in table {
        check_code(&code(ld), result, &["b64"], &[&rows(want)]);
    }
    let store = "st.global.u8 [%base], %a; ld.global.u32 %d, [%base];";
    check_code(store, "b32", &["b32"], &[&[0xffff_fffe, 0xffff_fffe]]);
    let store =
        "{ .reg .b32 %z; mov.u32 %z, 0; st.global.u32 [%base], %z; st.global.u16 [%base+2], %a;
                 ld.global.u32 %d, [%base]; }";
    check_code(store, "b32", &["b32"], &[&[0x1234_5678, 0x5678_0000]]);
    let wide = "{ st.global.u32 [%base], %a; ld.global.u32 %d, [%base]; }";
    check_code(wide, "b32", &["b64"], &[&[0x1_0000_0007, 7]]);
}

#[test]
fn vectors_and_vector_registers() {
    let out = words(
        ".reg .v4 .b32 %v;
         ld.global.v4.u32 %v, [%base];
         add.u32 %r1, %v.x, %v.w;
         st.global.v2.u32 [%base+16], {%r1, %v.y};
         ld.global.v2.u32 {%r2, _}, [%base+16];
         st.global.u32 [%base+24], %r2;",
        1,
        &[1, 2, 3, 40, 0, 0, 0],
    );
    assert_eq!(out, [1, 2, 3, 40, 41, 2, 41]);
    let out = words(
        ".reg .b16 %b<4>; ld.global.v4.u8 {%b0, %b1, %b2, %b3}, [%base];
         st.global.v2.u16 [%base+4], {%b3, %b0};",
        1,
        &[0x0403_0201, 0],
    );
    assert_eq!(out[1], 0x0001_0004);
}

#[test]
fn shared_memory_is_per_block_and_local_per_thread() {
    let text = format!(
        "{HEADER}.shared .align 4 .b8 tile[256];
         .visible .entry k(.param .u64 p) {{
           .reg .b32 %r<8>; .reg .b64 %rd<8>; .local .align 4 .b8 mine[8];
           mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;
           shl.b32 %r3, %r1, 2; mov.u32 %r4, tile; add.u32 %r4, %r4, %r3;
           ld.shared.u32 %r5, [%r4];
           add.u32 %r5, %r5, %r1; st.shared.u32 [%r4], %r5;
           st.local.u32 [mine+4], %r1;
           bar.sync 0;
           xor.b32 %r3, %r3, 4; mov.u32 %r4, tile; add.u32 %r4, %r4, %r3;
           ld.shared.u32 %r5, [%r4]; ld.local.u32 %r6, [mine+4];
           mad.lo.u32 %r5, %r5, 100, %r6;
           ld.param.u64 %rd1, [p]; mad.lo.u32 %r7, %r2, 64, %r1;
           mad.wide.u32 %rd1, %r7, 4, %rd1; st.global.u32 [%rd1], %r5; ret; }}"
    );
    let out = run_on(&load(&text), 2, 64, &[0; 512]).unwrap();
    let words: Vec<u32> =
        out.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
    for (i, word) in words.iter().enumerate() {
        let thread = i as u32 % 64;
        assert_eq!(*word, (thread ^ 1) * 100 + thread);
    }
}

#[test]
fn constants_globals_and_pointers_between_them() {
    let text = format!(
        "{HEADER}.const .align 4 .u32 table[4] = {{10, 20, 0x1E, -1}};
         .global .align 4 .f32 scale = 0f40000000;
         .global .align 8 .u64 pointers[2] = {{generic(table)+4, scale}};
         .global .align 1 .b8 bytes[8] = {{0xFF(scale), 0xFF00(scale), 1, 2}};
         .global .align 4 .b32 matrix[2][2] = {{{{1, 2}}, {{3, 4}}}};
         .visible .entry k(.param .u64 p) {{
           .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<4>;
           ld.param.u64 %rd1, [p];
           ld.const.u32 %r1, [table+8]; st.global.u32 [%rd1], %r1;
           ld.global.u64 %rd2, [pointers]; ld.u32 %r2, [%rd2]; st.global.u32 [%rd1+4], %r2;
           ld.global.u64 %rd3, [pointers+8]; ld.global.f32 %f1, [%rd3]; st.global.f32 [%rd1+8], %f1;
           ld.global.u8 %r3, [bytes+1]; shr.u64 %rd4, %rd3, 8; cvt.u32.u64 %r4, %rd4;
           and.b32 %r4, %r4, 255; sub.u32 %r3, %r3, %r4; st.global.u32 [%rd1+12], %r3;
           ld.global.u32 %r5, [matrix+12]; st.global.u32 [%rd1+16], %r5;
           mov.u64 %rd5, table; ld.const.s32 %r6, [%rd5+12]; st.global.s32 [%rd1+20], %r6; ret; }}"
    );
    let out = run_on(&load(&text), 1, 1, &[0; 24]).unwrap();
    let words: Vec<u32> =
        out.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
    assert_eq!(words, [30, 20, 2f32.to_bits(), 0, 4, u32::MAX]);
}

#[test]
fn parameters_by_address_and_struct_parameters() {
    let text = format!(
        "{HEADER}.visible .entry k(.param .u64 p, .param .align 8 .b8 pair[16]) {{
           .reg .b32 %r<4>; .reg .b64 %rd<4>;
           ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [pair+4];
           mov.b64 %rd2, pair; ld.param.u32 %r2, [%rd2+8];
           cvta.param.u64 %rd3, %rd2; ld.u32 %r3, [%rd3+12];
           st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], %r2; st.global.u32 [%rd1+8], %r3; ret; }}"
    );
    let module = load(&text);
    let mut memory = lanewise_sim::exec::GlobalMemory::new(&[]);
    let at = memory.allocate("out", 12);
    let mut launch = lanewise_sim::exec::Launch::new(&module, "k", [1, 1, 1], [1, 1, 1]).unwrap();
    launch.set_param(0, &at.to_le_bytes()).unwrap();
    let pair: Vec<u8> = [1u32, 2, 3, 4].iter().flat_map(|v| v.to_le_bytes()).collect();
    launch.set_param(1, &pair).unwrap();
    assert!(launch.set_param(1, &pair[1..]).unwrap_err().to_string().contains("has 16 bytes"));
    lanewise_sim::exec::run(&launch, &mut memory, 100).unwrap();
    assert_eq!(memory.slice(at, 12).unwrap(), [2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]);
}

/// Every thread applies the atomic to one word; returns the word and the sum of the old values.
fn atomic(op: &str, operand: &str, start: u32) -> (u32, u32) {
    let code = format!(
        "{operand} atom.global.{op} %r2, [%base], %r1;
         red.global.add.u32 [%base+4], %r2;"
    );
    let out = words(&code, 40, &[start, 0]);
    (out[0], out[1])
}

#[test]
fn atomics_on_integers() {
    assert_eq!(atomic("add.u32", "mov.u32 %r1, 2;", 5).0, 85);
    assert_eq!(atomic("add.u32", "mov.u32 %r1, 1;", 0), (40, (0..40).sum()));
    assert_eq!(atomic("min.s32", "neg.s32 %r1, %t;", 5).0, -39i32 as u32);
    assert_eq!(atomic("min.u32", "neg.s32 %r1, %t;", 5).0, 0);
    assert_eq!(atomic("max.s32", "mov.u32 %r1, %t;", u32::MAX).0, 39);
    assert_eq!(atomic("max.u32", "mov.u32 %r1, %t;", u32::MAX).0, u32::MAX);
    assert_eq!(atomic("and.b32", "mov.u32 %r1, 12;", 6).0, 4);
    assert_eq!(atomic("or.b32", "mov.u32 %r1, %t;", 64).0, 127);
    assert_eq!(atomic("xor.b32", "mov.u32 %r1, 1;", 8).0, 8);
    assert_eq!(atomic("exch.b32", "mov.u32 %r1, %t;", 7).0, 39);
    assert_eq!(atomic("inc.u32", "mov.u32 %r1, 6;", 0).0, 40 % 7);
    assert_eq!(atomic("dec.u32", "mov.u32 %r1, 6;", 0).0, 7 - 40 % 7);
}

#[test]
fn atomics_of_other_types_spaces_and_forms() {
    let cas = words("atom.global.cas.b32 %r1, [%base], %t, 100;", 3, &[1, 0]);
    assert_eq!(cas[0], 100);
    let wide = words(
        "mov.u64 %rd1, 0x100000000; atom.global.add.u64 %rd2, [%base], %rd1;
         red.relaxed.gpu.global.max.s64 [%base+8], -1; atom.add.u32 _, [%base+16], 1;",
        8,
        &[0, 0, 0, 0x8000_0000, 0, 0],
    );
    assert_eq!(wide, [0, 8, u32::MAX, u32::MAX, 8, 0]);
    let float = words(
        "mov.f32 %f1, 0f3F000000; red.global.add.f32 [%base], %f1;
         .reg .f64 %g; mov.f64 %g, 0d3FD0000000000000; red.global.add.f64 [%base+8], %g;",
        4,
        &[0, 0, 0, 0],
    );
    assert_eq!(float[0], 2f32.to_bits());
    assert_eq!((u64::from(float[3]) << 32) + u64::from(float[2]), 1f64.to_bits());
    // Global f32 atomics flush subnormals, shared ones do not.
    let flush = words(
        ".shared .align 4 .b32 v; mov.f32 %f1, 0f00000001; st.shared.f32 [v], %f1;
         red.shared.add.f32 [v], %f1; ld.shared.u32 %r1, [v]; st.global.u32 [%base], %r1;
         red.global.add.f32 [%base+4], %f1;",
        1,
        &[0, 1],
    );
    assert_eq!(flush, [2, 0]);
    let shared = words(
        ".shared .align 4 .b32 v; atom.shared.add.u32 %r1, [v], %t; membar.gl; fence.acq_rel.gpu;
         bar.sync 0; ld.shared.u32 %r2, [v]; st.global.u32 [%at], %r2;",
        64,
        &[0; 64],
    );
    assert_eq!(shared, [2016; 64]);
}

#[test]
fn colliding_stores_leave_the_highest_lane() {
    assert_eq!(words("st.global.u32 [%base], %t;", 32, &[99]), [31]);
}

#[test]
fn generic_addresses_may_mix_spaces_in_one_warp() {
    let out = words(
        ".shared .align 4 .b32 v; .local .align 4 .b32 l; mov.u64 %rd1, v; cvta.shared.u64 %rd1, %rd1;
         mov.u64 %rd2, l; cvta.local.u64 %rd2, %rd2;
         mov.u32 %r1, 7; st.shared.u32 [v], %r1; st.local.u32 [l], %t;
         and.b32 %r2, %t, 3; setp.eq.u32 %p1, %r2, 0; setp.eq.u32 %p2, %r2, 1;
         selp.b64 %rd3, %rd1, %at, %p1; selp.b64 %rd3, %rd2, %rd3, %p2;
         ld.u32 %r3, [%rd3]; st.global.u32 [%at], %r3;",
        32,
        &[50; 32],
    );
    for (i, value) in out.iter().enumerate() {
        let want = match i & 3 {
            0 => 7,
            1 => i as u32,
            _ => 50,
        };
        assert_eq!(*value, want, "lane {i}");
    }
}
