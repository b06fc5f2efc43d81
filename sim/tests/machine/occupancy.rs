//! How many blocks an SM holds, and what keeps a further one out.

use super::harness::Bench;

#[test]
fn each_limit_holds() {
    let bench = |threads: u32| Bench::new("add.s32 %r1, %r1, 1;").grid(64).block(threads);
    let shared = |bytes: u32| {
        let words = format!(".shared .align 4 .b8 words[{bytes}];");
        bench(32).module(&words).setup("mov.u32 %r1, words;")
    };
    for (bench, blocks, limit) in [
        // 1536 threads: 3 blocks of 512; a block of 33 threads takes two of 48 warps, so blocks run out first.
        (bench(512), 3, "threads"),
        (bench(33), 8, "blocks"),
        (bench(224).set("sm.blocks=99"), 6, "threads"),
        (bench(32), 8, "blocks"),
        // 32768 registers, 8 warps of 32 * 40: 3.2 blocks.
        (bench(256).registers(40), 3, "registers"),
        // 32 * 41 = 1312 are given in pieces of 64: 1344. Of 1312, 24 warps would fit; of 1344 only 24.
        (bench(32).registers(41).set("sm.blocks=99"), 24, "registers"),
        // 32 * 33 = 1056 become 1088 in pieces of 64 (30 warps), and 1280 in pieces of 256 (25 warps).
        (bench(32).registers(33).set("sm.blocks=99"), 30, "registers"),
        (bench(32).registers(33).set("sm.blocks=99").set("sm.register_unit=256"), 25, "registers"),
        // 48 KB of shared memory.
        (shared(12 * 1024), 4, "shared memory"),
        (shared(12 * 1024 + 4), 3, "shared memory"),
    ] {
        let timing = bench.run(1).timing;
        assert_eq!((timing.blocks_per_sm, timing.occupancy_limit), (blocks, limit));
        assert_eq!(timing.all_sms.counts.blocks, 64, "every block ran");
    }
}

#[test]
fn an_sm_never_holds_more_blocks_than_fit() {
    // Blocks that are resident together show in the warp slots they use.
    let ran = Bench::new("add.s32 %r1, %r1, 1;").grid(16).block(64).registers(128).run(20);
    // 64 threads of 128 registers: 8192 a block, four of them.
    assert_eq!(ran.timing.blocks_per_sm, 4);
    let most = ran.issues.iter().map(|i| i.candidate.warp).max();
    assert_eq!(most, Some(4 * 2 - 1));
}

#[test]
fn registers_are_counted_by_liveness_unless_the_job_says_so() {
    let bench = Bench::new("add.s32 %r1, %r1, 1;");
    let counted = bench.run(1).timing.registers_per_thread;
    assert!((2..10).contains(&counted), "{counted}");
    assert_eq!(bench.registers(21).run(1).timing.registers_per_thread, 21);
}
