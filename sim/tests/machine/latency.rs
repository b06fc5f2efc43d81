//! How long a warp waits for one result, derived by hand and exact.
//!
//! An instruction that issues in cycle `t` reads its registers in `t + 1` and enters its unit in `t + 2`; its
//! result is there `latency` cycles later, and an instruction that needs it issues in that very cycle. So one
//! step of a dependent chain takes [`OPERANDS`] + latency.

use super::harness::{ring, Bench};

/// Issue to unit: a cycle to read the registers and one to hand them over.
const OPERANDS: u64 = 2;

/// Distance of one instruction of a dependent chain to the next.
fn step(instruction: &str, set: &[&str]) -> u64 {
    let body = [instruction; 4].join("\n");
    let setup = "mov.u32 %r1, 7;\nmov.u32 %r2, 3;\nmov.u32 %r3, 1;\nmov.f32 %f1, 0f3F800000;\n\
                 mov.f32 %f2, 0f3F800000;\nmov.f64 %fd1, 0d3FF0000000000000;\n\
                 mov.f64 %fd2, 0d3FF0000000000000;";
    let bench = set.iter().fold(Bench::new(&body).setup(setup), |bench, item| bench.set(item));
    let ran = bench.run(3);
    let distance = ran.last(1) - ran.last(0);
    assert_eq!(ran.last(2) - ran.last(1), distance, "{instruction}");
    assert_eq!(ran.last(3) - ran.last(2), distance, "{instruction}");
    distance
}

/// One instruction of each class and the key of its latency.
const CLASSES: [(&str, &str); 16] = [
    ("add.s32 %r1, %r1, %r2;", "latency.int.add.latency"),
    ("max.s32 %r1, %r1, %r2;", "latency.int.max.latency"),
    ("mul.lo.s32 %r1, %r1, %r2;", "latency.int.mul.latency"),
    ("mad.lo.s32 %r1, %r1, %r2, %r3;", "latency.int.mad.latency"),
    ("div.s32 %r1, %r1, %r2;", "latency.int.div.latency"),
    ("add.f32 %f1, %f1, %f2;", "latency.f32.add.latency"),
    ("max.f32 %f1, %f1, %f2;", "latency.f32.max.latency"),
    ("mul.f32 %f1, %f1, %f2;", "latency.f32.mul.latency"),
    ("fma.rn.f32 %f1, %f1, %f2, %f2;", "latency.f32.mad.latency"),
    ("div.rn.f32 %f1, %f1, %f2;", "latency.f32.div.latency"),
    ("add.f64 %fd1, %fd1, %fd2;", "latency.f64.add.latency"),
    ("max.f64 %fd1, %fd1, %fd2;", "latency.f64.max.latency"),
    ("mul.f64 %fd1, %fd1, %fd2;", "latency.f64.mul.latency"),
    ("fma.rn.f64 %fd1, %fd1, %fd2, %fd2;", "latency.f64.mad.latency"),
    ("div.rn.f64 %fd1, %fd1, %fd2;", "latency.f64.div.latency"),
    ("sin.approx.f32 %f1, %f1;", "latency.sfu.latency"),
];

#[test]
fn a_dependent_chain_takes_operands_and_latency() {
    for (instruction, key) in CLASSES {
        for latency in [20, 57] {
            // No interval may be longer than the latency, or it would count instead.
            let set = [format!("{key}={latency}"), format!("{}=1", interval_of(key))];
            let distance = step(instruction, &[&set[0], &set[1]]);
            assert_eq!(distance, OPERANDS + latency, "{instruction} with {key}={latency}");
        }
    }
}

/// `latency.int.add.latency` to `latency.int.add.interval`.
fn interval_of(key: &str) -> String {
    let (class, _) = key.rsplit_once('.').expect("a key has parts");
    format!("{class}.interval")
}

#[test]
fn dependent_adds_of_the_gtx480_are_six_cycles_apart() {
    // 2 for the operands, 4 for the pipeline.
    assert_eq!(step("add.s32 %r1, %r1, %r2;", &[]), 6);
    // 2 for the operands, 20 for the unit.
    assert_eq!(step("sin.approx.f32 %f1, %f1;", &[]), 22);
}

#[test]
fn operands_of_one_register_bank_are_read_one_after_the_other() {
    // With a single bank, each further register operand costs a cycle: one for an add, two for a mad.
    assert_eq!(step("add.s32 %r1, %r1, %r2;", &["sm.register_banks=1"]), 6 + 1);
    assert_eq!(step("mad.lo.s32 %r1, %r1, %r2, %r3;", &["sm.register_banks=1"]), 2 + 5 + 2);
    // The same register twice is read once, and an immediate is not read at all.
    assert_eq!(step("add.s32 %r1, %r1, %r1;", &["sm.register_banks=1"]), 6);
    assert_eq!(step("add.s32 %r1, %r1, 5;", &["sm.register_banks=1"]), 6);
    // A 64-bit register is a pair: two reads of one bank.
    assert_eq!(step("mul.f64 %fd1, %fd1, %fd1;", &["sm.register_banks=1"]), 2 + 8 + 1);
    let conflicts = |banks: &str| {
        // The second waits for the first, so that the bank is idle when the loop's instructions come.
        let body = "add.s32 %r1, %r1, %r2;\nadd.s32 %r3, %r1, 0;";
        Bench::new(body).set(banks).run(100).timing.all_sms.counts.register_bank_conflicts
    };
    // One operand of each of 100 adds waits; the other instructions read one register each.
    assert_eq!(conflicts("sm.register_banks=1"), 100);
    assert_eq!(conflicts("sm.register_banks=16"), 0);
}

#[test]
fn a_taken_branch_costs_its_resolution_and_a_fetch() {
    // Three instructions of the loop follow each other: the addition that counts, the comparison six cycles
    // later, the branch six cycles after that. Nothing is fetched for `branch_cycles`; then a hit of the
    // instruction cache and the decoder take `hit_cycles + decode_cycles - 1` cycles to a valid buffer.
    for (branch, decode) in [(4, 2), (9, 2), (4, 7)] {
        let bench = Bench::new("mov.u32 %r1, 1;")
            .set(&format!("sm.branch_cycles={branch}"))
            .set(&format!("sm.decode_cycles={decode}"))
            .set("sm.instruction_buffer=16");
        // From the body's only instruction to the addition behind it: one cycle.
        let cycles = 1 + 6 + 6 + branch + (1 + decode - 1);
        assert_eq!(bench.cycles_per_iteration(), cycles, "branch {branch}, decode {decode}");
    }
}

/// Cycles from one load of a pointer chase to the next, in a ring of `count` pointers.
fn hop(count: usize, stride: usize, set: &[&str]) -> u64 {
    let chase = "ld.global.u64 %rd1, [%rd1];";
    let bench = Bench::new(&[chase; 8].join("\n"))
        .setup("mov.u64 %rd1, %base;")
        .buffer(ring(count, stride));
    let bench = set.iter().fold(bench, |bench, item| bench.set(item));
    // Twice around to warm the caches, then as often again.
    let around = (count / 8) as u32;
    let cycles = bench.run(4 * around).timing.cycles - bench.run(2 * around).timing.cycles;
    // Seven of eight hops are pure; the eighth has the loop in between. Look at one that is.
    let ran = bench.run(4 * around);
    let pure: Vec<u64> = (0..7).map(|k| ran.last(k + 1) - ran.last(k)).collect();
    assert!(cycles >= u64::from(2 * around) * 7 * pure.iter().min().copied().unwrap_or(0));
    pure.iter().sum::<u64>() / 7
}

#[test]
fn a_hop_in_the_l1_takes_operands_and_hit() {
    // 2 for the operands, 26 for the hit.
    assert_eq!(hop(16, 128, &[]), 2 + 26);
    assert_eq!(hop(16, 128, &["l1_data.hit_cycles=1"]), 2 + 1);
}

#[test]
fn a_hop_in_the_l2_crosses_the_interconnect_twice() {
    // 512 lines: four times the L1, a twelfth of the L2. Operands 2; the request's 8 bytes take a cycle of the
    // 32-byte port and 48 to cross; the slice takes `hit_cycles` (all domains run at 700 MHz, so cycles add up); the
    // answer's 136 bytes take 3 cycles of the 64-byte port and 48 to cross; one cycle to wake the warp.
    let cycles = |hit: u64| 2 + (1 + 48) + hit + (3 + 48) + 1;
    let config = super::harness::machine(&[]);
    assert_eq!(hop(512, 128, &[]), cycles(config.l2.hit_cycles));
    assert_eq!(hop(512, 128, &["l2.hit_cycles=1"]), cycles(1));
    let real = cycles(config.l2.hit_cycles) as f64;
    assert!((real / 240.0 - 1.0).abs() < 0.1, "measured on the real part: about 240, here {real}");
}

#[test]
fn a_hop_to_dram_takes_what_the_real_part_takes() {
    // 16 K lines, twice the whole L2; neighbours share rows, so most accesses find theirs open. To the L2 and back as
    // for a hit, but `fill_cycles` there, and a column access and its burst in DRAM before it: 12 and 4 of its clocks.
    // Two edges of clocks that do not divide each other lie on the way, which cost up to a cycle each.
    let config = super::harness::machine(&[]);
    let cycles = hop(16_384, 128, &[]) as f64;
    let dram = (config.dram.t_cl + config.dram.burst_cycles()) as f64 * 700.0 / 924.0;
    let derived = (2 + (1 + 48) + config.l2.fill_cycles + (3 + 48) + 1) as f64 + dram;
    assert!((derived..=derived + 2.0).contains(&cycles), "derived {derived}, here {cycles}");
    assert!(
        (cycles / 460.0 - 1.0).abs() < 0.1,
        "measured on the real part: about 460, here {cycles}"
    );
}
