//! Kernels that must be stopped, with everything a user needs to find the cause.

use lanewise_sim::exec::{run, Fault, FaultKind, GlobalMemory, Launch};
use lanewise_sim::ptx::Space;

use super::harness::{kernel, load, run_on};

/// Runs a body in two warps on a 256-byte buffer and returns why it was stopped.
#[track_caller]
fn stopped(body: &str) -> Box<Fault> {
    let text = kernel(
        ".param .u64 p",
        &format!(
            ".reg .b32 %t, %r<9>; .reg .b64 %base, %at, %rd<9>; .reg .pred %p<9>;
             mov.u32 %t, %tid.x; ld.param.u64 %base, [p]; mad.wide.u32 %at, %t, 4, %base;\n{body}\nret;"
        ),
    );
    run_on(&load(&text), 2, 64, &[0; 256]).expect_err("the kernel must be stopped")
}

#[test]
fn out_of_range_names_everything() {
    let fault = stopped("st.global.u32 [%at+4], %t;");
    assert_eq!(fault.kind, FaultKind::OutOfRange);
    assert_eq!((fault.kernel.as_str(), fault.pc, fault.line), ("k", 3, 8));
    assert_eq!((fault.block, fault.thread), ([0, 0, 0], Some([63, 0, 0])));
    let (address, space, bytes) = fault.address.unwrap();
    assert_eq!((address % 256, space, bytes), (0, Space::Global, 4));
    let text = fault.to_string();
    for part in [
        "t.ptx:8",
        "kernel `k`",
        "st.global.u32 [%at+4], %t;",
        "pc 3",
        "thread [63, 0, 0]",
        "past the end of `buffer`",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn every_space_has_an_end() {
    let shared = stopped(".shared .align 4 .b32 v; st.shared.u32 [v+4], %t;");
    assert!(shared.to_string().contains("shared memory of this block has 4 bytes"), "{shared}");
    let local = stopped(".local .align 4 .b32 v; ld.local.u32 %r1, [v+4];");
    assert!(local.hint.contains("local memory"), "{local}");
    assert_eq!(stopped("ld.const.u32 %r1, [0];").kind, FaultKind::OutOfRange);
    assert_eq!(stopped("ld.param.u32 %r1, [p+8];").kind, FaultKind::OutOfRange);
    let null = stopped("mov.u64 %rd1, 0; ld.u32 %r1, [%rd1];");
    assert!(null.hint.contains("null pointer"), "{null}");
    let vector = stopped("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%base+248];");
    assert_eq!(vector.kind, FaultKind::OutOfRange, "{vector}");
    let negative = stopped("red.global.add.u32 [%base+-4], 1;");
    assert!(negative.hint.contains("before `buffer`"), "{negative}");
}

#[test]
fn misaligned_and_read_only() {
    let fault = stopped("ld.global.u32 %r1, [%at+2];");
    assert_eq!(fault.kind, FaultKind::Misaligned);
    assert!(fault.hint.contains("multiple of 4"));
    assert_eq!(stopped("ld.global.v2.u32 {%r1, %r2}, [%base+4];").kind, FaultKind::Misaligned);
    let fault = stopped("mov.b64 %rd1, p; st.u32 [%rd1], %t;");
    assert_eq!(fault.kind, FaultKind::ReadOnly);
}

#[test]
fn only_active_lanes_fault() {
    let text = kernel(
        ".param .u64 p",
        ".reg .b32 %t; .reg .b64 %base, %at; .reg .pred %p1;
         mov.u32 %t, %tid.x; ld.param.u64 %base, [p]; mad.wide.u32 %at, %t, 4, %base;
         setp.lt.u32 %p1, %t, 8; @%p1 st.global.u32 [%at], %t; ret;",
    );
    assert!(run_on(&load(&text), 1, 32, &[0; 32]).is_ok());
}

#[test]
fn barriers_that_cannot_complete() {
    let fault = stopped(
        "setp.lt.u32 %p1, %t, 32; @%p1 bra A; bar.sync 1; bra E;\nA: bar.sync 2;\nE: nop_label: add.u32 %r1, %t, 1;",
    );
    assert_eq!(fault.kind, FaultKind::Deadlock);
    assert!(
        fault.hint.contains("warp 0 waits at barrier 2")
            && fault.hint.contains("warp 1 waits at barrier 1"),
        "{fault}"
    );
    assert_eq!(fault.text, "A: bar.sync 2;");
    let fault = stopped("bar.sync 0, 96;");
    assert_eq!(fault.kind, FaultKind::Deadlock);
    assert!(fault.hint.contains("2 of 3 warps"), "{fault}");
    let fault = stopped("bar.sync 16;");
    assert_eq!(fault.kind, FaultKind::BadBarrier);
    assert_eq!(stopped("bar.sync 0, 33;").kind, FaultKind::BadBarrier);
}

#[test]
fn runaways_and_traps() {
    let fault = stopped("L: bra L;");
    assert_eq!(fault.kind, FaultKind::Runaway);
    assert!(fault.hint.contains("--max-instructions"), "{fault}");
    let fault = stopped("setp.eq.u32 %p1, %t, 40; @%p1 trap;");
    assert_eq!((fault.kind, fault.thread), (FaultKind::Trap, Some([40, 0, 0])));
}

#[test]
fn unbound_textures() {
    let fault = stopped("mov.u64 %rd1, 5; tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%rd1, {%t}];");
    assert_eq!(fault.kind, FaultKind::NotATexture);
}

#[test]
fn launches_that_cannot_be_made() {
    let module = load(&kernel("", "ret;"));
    let error = |grid, block| Launch::new(&module, "k", grid, block).unwrap_err().to_string();
    assert!(Launch::new(&module, "q", [1; 3], [1; 3])
        .unwrap_err()
        .to_string()
        .contains("it has: k"));
    assert!(error([0, 1, 1], [1, 1, 1]).contains("empty"));
    assert!(error([1, 1, 1], [1025, 1, 1]).contains("1 to 1024"));
    assert!(error([1, 1, 1], [32, 32, 2]).contains("1 to 1024"));
    assert!(error([1, 1, 1], [u32::MAX, u32::MAX, u32::MAX]).contains("1 to 1024"));
    let limited = load(&format!("{}.entry k() .maxntid 16, 2 {{ ret; }}", super::harness::HEADER));
    assert!(Launch::new(&limited, "k", [1; 3], [33, 1, 1]).is_err());
    let launch = Launch::new(&limited, "k", [2, 3, 4], [4, 4, 2]).unwrap();
    let counts = run(&launch, &mut GlobalMemory::new(&[]), 100).unwrap();
    assert_eq!((counts.warp_instructions, counts.thread_instructions), (24, 24 * 32));
}
