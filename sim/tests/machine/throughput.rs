//! How many instructions an SM takes in a time, derived by hand.

use super::harness::{Bench, Ran};
use lanewise_sim::machine::sm::decode::Unit;
use lanewise_sim::machine::sm::Stall;

/// Additions that do not depend on each other.
fn independent(count: usize, instruction: &str) -> String {
    let lines = (0..count).map(|n| instruction.replace('#', &(n % 24 + 2).to_string()));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn one_warp_issues_one_independent_add_a_cycle_if_its_buffer_is_deep() {
    // A warp belongs to one scheduler, which issues once a cycle.
    let bench = Bench::new(&independent(64, "add.s32 %r#, %r1, 1;"))
        .set("sm.instruction_buffer=16")
        .set("sm.instruction_bytes=1");
    let ran = bench.run(4);
    assert_eq!(ran.last(60) - ran.last(20), 40);
}

#[test]
fn two_buffered_instructions_carry_three_issues_in_four_cycles() {
    // A fetch takes two cycles and fills the buffer. Cycle 0: both entries full, the first issues and one is
    // fetched. 1: the second issues. 2: the fetched one arrives and issues; the buffer is empty and two are
    // fetched. 3: nothing. 4: as 0. (One byte an instruction: the kernel is one line, so no fetch ends early.)
    let bench = Bench::new(&independent(64, "add.s32 %r#, %r1, 1;")).set("sm.instruction_bytes=1");
    let ran = bench.run(4);
    assert_eq!(ran.last(62) - ran.last(20), 42 / 3 * 4);
}

fn issue_rate(ran: &Ran) -> f64 {
    let stalls = &ran.timing.all_sms.scheduler_cycles;
    2.0 * stalls.of(Stall::Issued) as f64 / stalls.total() as f64
}

#[test]
fn many_warps_fill_both_schedulers() {
    // Two schedulers, two SPs, 24 warps each to hide six cycles of latency: nearly two instructions a cycle.
    let many = Bench::new(&independent(96, "add.s32 %r#, %r1, 1;"))
        .grid(2)
        .block(768)
        .set("sm.scheduler=lrr");
    let wide = issue_rate(&many.clone().set("sm.fetch_width=2").run(40));
    assert!(wide > 1.9, "{wide}");
    // One fetch a cycle brings the two instructions of a buffer, which is enough if empty ones come first.
    let narrow = issue_rate(&many.run(40));
    assert!(narrow > 1.8 && narrow <= wide, "{narrow}");
}

/// Distances between starts on each unit in the last iteration.
fn distances(ran: &Ran, count: u32, same: impl Fn(Unit) -> bool) -> Vec<u64> {
    let issues: Vec<_> = (0..count)
        .map(|k| ran.issues_of(0, k).next_back().expect("it has issued"))
        .filter(|i| same(i.candidate.unit))
        .collect();
    (0..2)
        .flat_map(|sp| {
            let starts: Vec<u64> =
                issues.iter().filter(|i| i.candidate.sp == sp).map(|i| i.start).collect();
            starts.windows(2).map(|w| w[1] - w[0]).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn divisions_start_every_eight_cycles_on_each_sp() {
    // The warp could issue faster; a short latency keeps it from waiting for the last iteration's registers.
    let ran = Bench::new(&independent(24, "div.s32 %r#, %r1, 3;"))
        .set("latency.int.div.latency=10")
        .run(3);
    assert_eq!(distances(&ran, 24, |unit| unit != Unit::Sfu), [8; 22]);
}

#[test]
fn special_functions_start_every_eight_cycles() {
    let lines = (2..10).map(|n| format!("sin.approx.f32 %f{n}, %f1;"));
    let ran = Bench::new(&lines.collect::<Vec<_>>().join("\n")).run(3);
    assert_eq!(distances(&ran, 8, |unit| unit == Unit::Sfu), [8; 7]);
}

#[test]
fn an_instruction_without_a_collector_waits() {
    // One collector: it is held from issue until the unit takes the operands, two cycles later.
    let bench = Bench::new(&independent(32, "add.s32 %r#, %r1, 1;"))
        .set("sm.instruction_buffer=16")
        .set("sm.instruction_bytes=1")
        .set("sm.sp_collectors=1");
    let ran = bench.run(3);
    assert_eq!(ran.last(30) - ran.last(10), 20 * 2);
}

#[test]
fn no_warp_passes_a_barrier_before_the_last_has_arrived() {
    let body = "mul.lo.s32 %r2, %id, 3;\nbar.sync 0;\nadd.s32 %r3, %r2, 1;";
    let ran = Bench::new(body).block(1024).run(5);
    for iteration in 0..5 {
        let when = |warp: usize, k: u32| {
            ran.issues_of(warp, k).nth(iteration).expect("every warp gets here").cycle
        };
        let last = (0..32).map(|w| when(w, 1)).max().unwrap_or(0);
        let first = (0..32).map(|w| when(w, 2)).min().unwrap_or(0);
        // The one that arrived last needs no more than its next instruction; the others are ready at once.
        assert_eq!(first, last + 1, "iteration {iteration}");
    }
}
