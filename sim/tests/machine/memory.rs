//! The LD/ST unit and the caches: conflicts, coalescing, merging and back-pressure, derived by hand.

use super::harness::{ring, Bench, Ran};
use lanewise_sim::machine::sm::hooks::Silent;
use lanewise_sim::machine::{Limits, Machine};

/// Issue of the body's first instruction to that of its second, which needs the result.
fn wait(ran: &Ran) -> u64 {
    ran.last(1) - ran.last(0)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 {
        a
    } else {
        gcd(b, a % b)
    }
}

#[test]
fn a_stride_takes_one_cycle_for_each_word_of_its_worst_bank() {
    for stride in 1..=32 {
        // Lanes n and m meet in a bank if (n - m) * stride is a multiple of 32: gcd(stride, 32) words a bank.
        // Operands 2, the words one after the other, the last one 26 cycles later.
        let cycles = 2 + (gcd(stride, 32) - 1) + 26;
        let ran = Bench::new("ld.shared.u32 %r2, [%r1];\nadd.s32 %r3, %r2, 1;")
            .module(".shared .align 4 .b8 words[4096];")
            .setup(&format!("mov.u32 %r4, words;\nmad.lo.s32 %r1, %id, {}, %r4;", 4 * stride))
            .run(3);
        assert_eq!(wait(&ran), cycles, "stride {stride}");
    }
}

#[test]
fn a_load_takes_one_cycle_for_each_line() {
    // Lanes `step` bytes apart touch `step * 32 / 128` lines; all are in the L1 after the first iteration.
    for (step, lines) in [(0, 1), (4, 1), (8, 2), (16, 4), (64, 16), (128, 32)] {
        let ran = Bench::new("ld.global.u32 %r2, [%rd1];\nadd.s32 %r3, %r2, 1;")
            .setup(&format!("mad.wide.u32 %rd1, %id, {step}, %base;"))
            .run(3);
        assert_eq!(wait(&ran), 2 + (lines - 1) + 26, "lanes {step} bytes apart");
    }
}

#[test]
fn a_constant_that_all_lanes_read_is_broadcast() {
    // Operands 2 (1 without a register to read), hit 8; lines have 64 bytes, one a cycle.
    let constants = ".const .align 4 .b8 table[4096];";
    let load = "ld.const.u32 %r2, [%r1];\nadd.s32 %r3, %r2, 1;";
    for (step, lines) in [(0, 1), (4, 2), (64, 32)] {
        let ran = Bench::new(load)
            .module(constants)
            .setup(&format!("mov.u32 %r4, table;\nmad.lo.s32 %r1, %id, {step}, %r4;"))
            .run(3);
        assert_eq!(wait(&ran), 2 + (lines - 1) + 8, "lanes {step} bytes apart");
    }
}

#[test]
fn loads_of_one_line_share_a_miss() {
    let load = |warps: u32, merges: u32| {
        Bench::new("ld.global.u32 %r2, [%base];")
            .block(32 * warps)
            .set(&format!("l1_data.merges={merges}"))
            .run(1)
            .timing
            .all_sms
            .l1_data
    };
    let eight = load(8, 8);
    assert_eq!((eight.accesses, eight.misses, eight.merged), (8, 1, 7));
    assert_eq!(eight.blocked_cycles, 0);
    // The register carries one and merges no more: the others wait for the line and find it.
    let alone = load(8, 1);
    assert_eq!((alone.misses, alone.merged, alone.hits), (1, 0, 7));
    // They wait at the head of the queue until the line comes, more than a trip to the L2.
    assert!(alone.blocked_cycles > 200, "{alone:?}");
}

#[test]
fn lines_beyond_the_miss_registers_wait() {
    let misses = |mshrs: u32| {
        let ran = Bench::new("ld.global.u32 %r2, [%rd1];")
            .setup("mad.wide.u32 %rd1, %id, 128, %base;")
            .set(&format!("l1_data.mshrs={mshrs}"))
            .run(1);
        (ran.timing.cycles, ran.timing.all_sms.l1_data.blocked_cycles)
    };
    let (many, few) = (misses(32), misses(1));
    // With one register, 32 lines come one after the other, each more than a trip to the L2.
    assert!(few.0 > many.0 + 31 * 200, "{few:?} {many:?}");
    assert!(few.1 > 31 * 200, "{few:?}");
}

#[test]
fn a_full_store_queue_waits_for_an_acknowledgement() {
    // One store of 4 bytes at a time: 12 bytes take a cycle of the port out and 48 to cross, the slice its hit,
    // the 8 bytes of the acknowledgement a cycle of the port back and 48 to cross. In the cycle in which it
    // comes the next store goes.
    let config = super::harness::machine(&[]);
    let trip = (1 + 48) + config.l2.hit_cycles + (1 + 48);
    let stores = ["st.global.u32 [%base], %r1;"; 8].join("\n");
    let bench = Bench::new(&stores).block(1);
    assert_eq!(bench.clone().set("sm.store_queue=1").cycles_per_iteration(), 8 * trip);
    // A queue of 32 hides all of it but what the LD/ST queue and the loop cost.
    assert!(bench.cycles_per_iteration() < trip);
}

#[test]
fn reductions_count_as_stores() {
    let config = super::harness::machine(&[]);
    let trip = (1 + 48) + config.l2.hit_cycles + (3 + 48);
    let reds = (0..4).map(|n| format!("red.global.add.u32 [%base+{}], %r1;", 8 * n));
    let bench = Bench::new(&reds.collect::<Vec<_>>().join("\n")).block(1);
    let cycles = |bench: &Bench| bench.run(120).timing.cycles - bench.run(20).timing.cycles;
    // Bytes with an unfinished atomic make the next one wait for the end of a quantum, so not to the cycle.
    let (one, many) = (cycles(&bench.clone().set("sm.store_queue=1")), cycles(&bench));
    assert!(one >= 100 * 4 * trip, "{one}");
    assert!(many < 100 * 2 * trip, "{many}");
}

#[test]
fn a_fence_waits_for_every_store() {
    let trip = 2 * 48 + super::harness::machine(&[]).l2.hit_cycles;
    let with = Bench::new("st.global.u32 [%base], %r1;\nmembar.gl;").block(1);
    let without = Bench::new("st.global.u32 [%base], %r1;\nmov.u32 %r2, 1;").block(1);
    assert!(with.cycles_per_iteration() >= trip);
    assert!(without.cycles_per_iteration() < trip);
}

#[test]
fn an_open_row_is_faster_than_another_of_the_same_bank() {
    // A chase in one partition. Partitions take turns every 256 bytes, so lines 6 * 256 bytes apart stay in the
    // first; it sees every second line there as its own (the other half of each piece is not touched). A row
    // holds 16 of its lines: 8 pieces.
    let piece = 6 * 256;
    let hop = |stride: usize, count: usize| {
        let ran = Bench::new(&["ld.global.u64 %rd1, [%rd1];"; 8].join("\n"))
            .setup("mov.u64 %rd1, %base;")
            .buffer(ring(count, stride))
            // Nothing is found in a cache of one line.
            .set("l2.sets=1")
            .set("l2.ways=1")
            .set("l1_data.sets=1")
            .set("l1_data.ways=1")
            .run(16);
        (ran.last(7) - ran.last(1)) as f64 / 6.0
    };
    // Sixteen lines of one row.
    let near = hop(piece, 8);
    // Another row of the same bank each time: after 16 rows the bank comes round, permuted by the next four bits
    // of the row, so 16 * 16 rows on.
    let far = hop(piece * 8 * 16 * 16, 8);
    // An open row takes t_cl and the burst; another must first be closed and opened: t_rp + t_rcd, 24 clocks of
    // 924 MHz, 18.2 cycles of 700 MHz. Arrivals wait for edges of the L2 clock, a cycle either way.
    let extra = far - near;
    assert!((extra - 24.0 * 700.0 / 924.0).abs() <= 1.5, "{near} {far}");
}

/// Lines that DRAM reads when a warp stores an element of so many bits every four bytes.
fn lines_read(store: &str) -> u64 {
    let setup = "mul.wide.u32 %rd2, %id, 4;\nadd.s64 %rd1, %base, %rd2;";
    Bench::new(store).setup(setup).run(1).timing.dram.reads
}

#[test]
fn a_line_whose_every_word_is_touched_is_whole_only_if_every_byte_is() {
    let words = lines_read("st.global.u32 [%rd1], 1;");
    assert_eq!(lines_read("st.global.u8 [%rd1], 1;"), words + 1);
}

#[test]
fn shared_atomics_on_one_word_take_turns() {
    let cycles = |address: &str| {
        // The last lane's value comes back last; the next atomic waits for it.
        let body = "atom.shared.add.u32 %r2, [%r1], %r2;";
        let setup = format!("mov.u32 %r2, 1;\nmov.u32 %r1, shared_words;\n{address}");
        Bench::new(body)
            .module(".shared .align 4 .b8 shared_words[128];")
            .setup(&setup)
            .cycles_per_iteration()
    };
    let apart = cycles("mad.lo.u32 %r1, %id, 4, %r1;");
    // One access a lane instead of one for all.
    assert_eq!(cycles("mov.u32 %r3, 0;"), apart + 31);
}

#[test]
fn global_atomics_on_one_word_take_turns() {
    let cycles = |address: &str| {
        let body = "red.global.add.u32 [%rd1], 1;";
        Bench::new(body).setup(address).block(1024).run(50).timing.cycles
    };
    let apart = cycles("mul.wide.u32 %rd2, %id, 4;\nadd.s64 %rd1, %base, %rd2;");
    let together = cycles("mov.u64 %rd1, %base;");
    // 50 times 32 warps of 32 turns in the one slice, which has nothing else to do.
    assert!(together >= 50 * 32 * 32, "{together}");
    // Apart, the SM's port is what limits: 128 bytes of operands take five of its cycles.
    assert!(apart < together / 3, "{apart} {together}");
}

#[test]
fn a_double_in_local_memory_lies_in_two_rows() {
    let accesses = |load: &str| {
        let setup =
            ".local .align 16 .b8 %spot[64];\nmov.u64 %rd1, %spot;\ncvta.local.u64 %rd1, %rd1;\n\
                     cvta.to.local.u64 %rd2, %rd1;";
        Bench::new(load).setup(setup).run(10).timing.all_sms.l1_data.accesses
    };
    let one = accesses("ld.local.u32 %r1, [%rd2];");
    assert_eq!(accesses("ld.local.u64 %rd3, [%rd2];"), 2 * one);
    assert_eq!(accesses("ld.local.v4.u32 {%r1, %r2, %r3, %r4}, [%rd2];"), 4 * one);
}

#[test]
fn kernels_do_not_share_their_instructions_lines() {
    let bench = Bench::new("mov.u32 %r1, 1;");
    let limits = Limits::default();
    let mut machine = Machine::new(&bench.machine(), limits, 1, |_| Silent, |_| Silent).unwrap();
    let mut lines = |registers| {
        bench.clone().registers(registers).run_on(&mut machine, 1).unwrap();
        machine.record().kernels.iter().map(|k| k.dram.reads).sum::<u64>()
    };
    // Code of its own for each way in which a kernel is decoded; the L2 keeps what is there.
    let (first, again, other) = (lines(20), lines(20), lines(21));
    assert_eq!(again, first, "the same code is found in the L2");
    assert!(other > again);
}
