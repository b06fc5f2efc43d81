//! Branches, loops, calls, exits and barriers.

use super::harness::{load, run_on, words, HEADER};

#[test]
fn divergent_branches_reconverge() {
    // activemask tells how many lanes run together in each place.
    let out = words(
        "setp.lt.u32 %p1, %t, 10;
         @%p1 bra LOW;
         activemask.b32 %r1; bra.uni JOIN;
         LOW: activemask.b32 %r1;
         JOIN: activemask.b32 %r2; xor.b32 %r1, %r1, %r2; st.global.u32 [%at], %r1;",
        32,
        &[0; 32],
    );
    for (i, value) in out.iter().enumerate() {
        let own = if i < 10 { 0x3ff } else { !0x3ff };
        assert_eq!(*value, !own, "lane {i}");
    }
}

#[test]
fn nested_branches_and_loops_with_different_trip_counts() {
    let out = words(
        "mov.u32 %r1, 0; mov.u32 %r2, 0;
         LOOP: setp.ge.u32 %p1, %r1, %t; @%p1 bra DONE;
         and.b32 %r3, %r1, 1; setp.eq.u32 %p2, %r3, 0; @!%p2 bra ODD;
         add.u32 %r2, %r2, 2; bra NEXT;
         ODD: setp.gt.u32 %p3, %r1, 8; @%p3 add.u32 %r2, %r2, 100; @!%p3 add.u32 %r2, %r2, 1;
         NEXT: add.u32 %r1, %r1, 1; bra LOOP;
         DONE: activemask.b32 %r4; mad.lo.u32 %r2, %r4, 0, %r2;
         setp.ne.u32 %p4, %r4, -1; @%p4 mov.u32 %r2, 9999; st.global.u32 [%at], %r2;",
        32,
        &[0; 32],
    );
    for (i, value) in out.iter().enumerate() {
        let want: u32 = (0..i as u32)
            .map(|n| match n {
                n if n % 2 == 0 => 2,
                n if n > 8 => 100,
                _ => 1,
            })
            .sum();
        assert_eq!(*value, want, "lane {i}");
    }
}

#[test]
fn predicated_exit_and_ret_leave_the_others() {
    let out = words(
        "setp.lt.u32 %p1, %t, 5; @%p1 exit;
         setp.gt.u32 %p2, %t, 20; @%p2 ret;
         activemask.b32 %r1; popc.b32 %r1, %r1; st.global.u32 [%at], %r1;",
        32,
        &[0; 32],
    );
    for (i, value) in out.iter().enumerate() {
        assert_eq!(*value, if (5..=20).contains(&i) { 16 } else { 0 }, "lane {i}");
    }
}

#[test]
fn barriers_do_not_wait_for_exited_warps() {
    let out = words(
        ".shared .align 4 .b32 sum;
         setp.ge.u32 %p1, %t, 64; @%p1 exit;
         atom.shared.add.u32 %r1, [sum], 1;
         bar.sync 0;
         ld.shared.u32 %r2, [sum]; st.global.u32 [%at], %r2;",
        100,
        &[0; 100],
    );
    assert_eq!(out[..64], [64; 64]);
    assert_eq!(out[64..], [0; 36]);
}

#[test]
fn named_barriers_counts_and_arrive() {
    // Warp 1 produces and only arrives; warp 0 waits for both.
    let out = words(
        ".shared .align 4 .b32 v;
         setp.ge.u32 %p1, %t, 32; @%p1 bra PRODUCE;
         bar.sync 1, 64; ld.shared.u32 %r1, [v]; st.global.u32 [%at], %r1; bra END;
         PRODUCE: mov.u32 %r2, 42; st.shared.u32 [v], %r2; bar.arrive 1, 64;
         END: barrier.sync.aligned 2;",
        64,
        &[0; 32],
    );
    assert_eq!(out, [42; 32]);
}

#[test]
fn barrier_reductions() {
    let out = words(
        "setp.lt.u32 %p1, %t, 40; setp.lt.u32 %p2, %t, 1000;
         bar.red.popc.u32 %r1, 0, %p1;
         bar.red.and.pred %p3, 0, %p2; bar.red.or.pred %p4, 0, !%p2; bar.red.and.pred %p5, 0, %p1;
         selp.u32 %r2, 100, 0, %p3; selp.u32 %r3, 1000, 0, %p4; selp.u32 %r4, 10000, 0, %p5;
         add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; add.u32 %r1, %r1, %r4;
         st.global.u32 [%at], %r1;",
        70,
        &[0; 70],
    );
    assert_eq!(out, [140; 70]);
}

#[test]
fn many_barriers_in_a_loop() {
    // Each round every thread reads its neighbour's value of the round before.
    let out = words(
        ".shared .align 4 .b8 v[512];
         mov.u32 %r9, v; mad.lo.u32 %r1, %t, 4, %r9; st.shared.u32 [%r1], %t;
         add.u32 %r2, %t, 1; rem.u32 %r2, %r2, 96; mad.lo.u32 %r2, %r2, 4, %r9;
         mov.u32 %r3, 0; bar.sync 0;
         L: ld.shared.u32 %r4, [%r2]; bar.sync 0; st.shared.u32 [%r1], %r4; bar.sync 0;
         add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 10; @%p1 bra L;
         st.global.u32 [%at], %r4;",
        96,
        &[0; 96],
    );
    for (i, value) in out.iter().enumerate() {
        assert_eq!(*value, (i as u32 + 10) % 96);
    }
}

#[test]
fn calls_are_inlined_with_every_way_of_passing() {
    let text = format!(
        "{HEADER}.func (.param .b32 out) square(.param .b32 x);
         .func (.param .b32 out) square(.param .b32 x) {{
           .reg .b32 %r<3>; .reg .pred %p1;
           ld.param.b32 %r1, [x]; setp.gt.u32 %p1, %r1, 5; @%p1 bra BIG;
           mul.lo.u32 %r2, %r1, %r1; st.param.b32 [out], %r2; ret;
           BIG: mov.u32 %r2, 1000; st.param.b32 [out+0], %r2; ret; }}
         .func (.reg .b32 o) twice(.reg .b32 x) {{ add.u32 o, x, x; ret; }}
         .func (.param .b32 out) nested(.param .align 4 .b8 pair[8]) {{
           .reg .b32 %r<5>; ld.param.b32 %r1, [pair]; ld.param.b32 %r2, [pair+4]; add.u32 %r1, %r1, %r2;
           {{ .param .b32 a; .param .b32 r; st.param.b32 [a], %r1; call.uni (r), square, (a);
              ld.param.b32 %r3, [r]; }}
           st.param.b32 [out], %r3; ret; }}
         .visible .entry k(.param .u64 p) {{
           .reg .b32 %r<9>; .reg .b64 %rd1; .reg .pred %p1;
           mov.u32 %r1, %tid.x;
           {{ .param .align 4 .b8 a[8]; .param .b32 r; st.param.b32 [a], %r1; st.param.b32 [a+4], 1;
              call (r), nested, (a); ld.param.b32 %r2, [r]; }}
           call.uni (%r3), twice, (%r2);
           setp.eq.u32 %p1, %r1, 3; @%p1 call (%r3), twice, (%r3);
           ld.param.u64 %rd1, [p]; mad.wide.u32 %rd1, %r1, 4, %rd1; st.global.u32 [%rd1], %r3; ret; }}"
    );
    let out = run_on(&load(&text), 1, 8, &[0; 32]).unwrap();
    let words: Vec<u32> =
        out.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
    assert_eq!(words, [2, 8, 18, 64, 50, 2000, 2000, 2000]);
}

#[test]
fn call_parameters_become_registers_unless_their_address_is_taken() {
    let text = |callee: &str| {
        format!(
            "{HEADER}.func (.param .b32 out) f(.param .align 4 .b8 pair[8]) {{
               .reg .b32 %r<5>; .reg .b64 %rd1; {callee} add.u32 %r1, %r1, %r2; st.param.b32 [out], %r1; ret; }}
             .visible .entry k(.param .u64 p) {{
               .reg .b32 %r<4>; .reg .b64 %rd1; mov.u32 %r1, %tid.x; mov.u32 %r2, -200;
               {{ .param .align 4 .b8 a[8]; .param .b32 r; st.param.v2.b32 [a], {{%r1, %r2}};
                  call (r), f, (a); ld.param.b32 %r3, [r]; }}
               ld.param.u64 %rd1, [p]; mad.wide.u32 %rd1, %r1, 4, %rd1; st.global.u32 [%rd1], %r3; ret; }}"
        )
    };
    let run = |callee: &str, local: u32, want: fn(u32) -> u32| {
        let module = load(&text(callee));
        assert_eq!(module.kernels[0].local_bytes, local, "{callee}");
        let out = run_on(&module, 1, 40, &[0; 160]).unwrap();
        for (i, word) in out.chunks(4).enumerate() {
            assert_eq!(word, want(i as u32).to_le_bytes(), "{callee}, thread {i}");
        }
    };
    let sum = |i: u32| i.wrapping_sub(200);
    run("ld.param.b32 %r1, [pair]; ld.param.b32 %r2, [pair+4];", 0, sum);
    run("ld.param.v2.b32 {%r1, %r2}, [pair];", 0, sum);
    run("mov.b64 %rd1, pair; ld.param.b32 %r1, [%rd1]; ld.param.b32 %r2, [%rd1+4];", 12, sum);
    // Pieces of another size than were stored, signed and unsigned.
    run("ld.param.b32 %r1, [pair]; ld.param.s8 %r2, [pair+4];", 12, |i| i + 56);
    run("ld.param.b32 %r1, [pair]; ld.param.u8 %r2, [pair+5];", 12, |i| i + 255);
}

#[test]
fn narrow_call_parameters_extend_like_loads() {
    let text = format!(
        "{HEADER}.func (.param .b32 out) f(.param .b8 x, .param .b16 y, .param .b64 z) {{
           .reg .b32 %r<5>; .reg .b64 %rd<3>; ld.param.s8 %r1, [x]; ld.param.u16 %rd1, [y]; ld.param.b64 %rd2, [z];
           cvt.u32.u64 %r2, %rd1; add.u32 %r1, %r1, %r2; cvt.u32.u64 %r2, %rd2; add.u32 %r1, %r1, %r2;
           st.param.b32 [out], %r1; ret; }}
         .visible .entry k(.param .u64 p) {{
           .reg .b32 %r<4>; .reg .b64 %rd<3>; mov.u32 %r1, 0x1ff; mov.u64 %rd2, 0x100000005;
           {{ .param .b8 a; .param .b16 b; .param .b64 c; .param .b32 r;
              st.param.b8 [a], %r1; st.param.b16 [b], %rd2; st.param.b64 [c], %rd2;
              call (r), f, (a, b, c); ld.param.b32 %r3, [r]; }}
           ld.param.u64 %rd1, [p]; st.global.u32 [%rd1], %r3; ret; }}"
    );
    let module = load(&text);
    assert_eq!(module.kernels[0].local_bytes, 0);
    assert_eq!(run_on(&module, 1, 1, &[0; 4]).unwrap(), 9u32.to_le_bytes());
}

#[test]
fn special_registers() {
    let out = words(
        "mov.u32 %r1, %ntid.x; mov.u32 %r2, %laneid; mad.lo.u32 %r1, %r1, 100, %r2;
         mov.u32 %r3, %warpid; mad.lo.u32 %r1, %r3, 10000, %r1; mov.u32 %r4, %nctaid.x;
         mad.lo.u32 %r1, %r4, 1000000, %r1; mov.u32 %r5, %lanemask_lt; popc.b32 %r5, %r5;
         sub.u32 %r5, %r5, %r2; add.u32 %r1, %r1, %r5; mov.u32 %r6, %tid.y; add.u32 %r1, %r1, %r6;
         mov.u32 %r7, %ctaid.z; add.u32 %r1, %r1, %r7; mov.u32 %r8, %clock; mov.u64 %rd1, %clock64;
         setp.lt.u32 %p1, %r8, 10; @%p1 mov.u32 %r1, 0; st.global.u32 [%at], %r1;",
        40,
        &[0; 40],
    );
    assert_eq!(out[0], 1_004_000);
    assert_eq!(out[39], 1_014_007);
}

#[test]
fn a_step_reports_what_it_did_and_state_can_be_forked() {
    use lanewise_sim::exec::{
        step, Access, AccessKind, Block, Effect, GlobalMemory, GlobalView, LaneMask, Launch,
        WarpStatus,
    };
    let text = super::harness::kernel(
        ".param .u64 p",
        ".reg .b64 %rd<3>; .reg .b32 %r1; .reg .pred %p1;
         ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 4;
         mad.wide.u32 %rd2, %r1, 4, %rd1;
         @%p1 st.global.u32 [%rd2], %r1;
         @%p1 bra END;
         END: ret;",
    );
    let module = load(&text);
    let mut memory = GlobalMemory::new(&[]);
    let at = memory.allocate("out", 128);
    let mut launch = Launch::new(&module, "k", [1, 1, 1], [20, 1, 1]).unwrap();
    launch.set_param(0, &at.to_le_bytes()).unwrap();
    let mut block = Block::new(&launch, 0);
    let mut access = Access::default();
    for _ in 0..4 {
        step(&launch, &mut GlobalView::Whole(&mut memory), &mut block, 0, &mut access).unwrap();
    }
    let (mut other_memory, mut other) = (memory.clone(), block.clone());
    let done =
        step(&launch, &mut GlobalView::Whole(&mut memory), &mut block, 0, &mut access).unwrap();
    assert_eq!((done.pc, done.active, done.executed), (4, LaneMask::first(20), LaneMask(0xf)));
    assert_eq!(done.effect, Effect::Memory);
    assert_eq!((access.kind, access.bytes, access.lanes), (AccessKind::Store, 4, LaneMask(0xf)));
    assert_eq!(access.addresses[3], at + 12);
    let branch =
        step(&launch, &mut GlobalView::Whole(&mut memory), &mut block, 0, &mut access).unwrap();
    assert_eq!(branch.effect, Effect::Branch(LaneMask(0xf)));
    let exit =
        step(&launch, &mut GlobalView::Whole(&mut memory), &mut block, 0, &mut access).unwrap();
    assert_eq!(exit.effect, Effect::Exit(LaneMask::first(20)));
    assert_eq!(block.warps()[0].status(), WarpStatus::Done);
    assert_eq!(other.warps()[0].position(), Some((4, LaneMask::first(20))));
    for _ in 0..3 {
        step(&launch, &mut GlobalView::Whole(&mut other_memory), &mut other, 0, &mut access)
            .unwrap();
    }
    assert!(other == block && other_memory == memory);
}
