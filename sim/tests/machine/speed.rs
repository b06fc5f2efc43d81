//! The bars of timed runs, with slack for a busy machine.

use super::harness::{job, machine, run};
use std::time::{Duration, Instant};

/// Warp instructions a second with one thread, all timing on: the best of some tries.
fn rate(name: &str, sms: usize) -> f64 {
    let job = job(name, "default");
    let config = machine(&[&format!("gpu.sms={sms}")]);
    let mut best = Duration::MAX;
    let mut executed = 0;
    for _ in 0..3 {
        let start = Instant::now();
        let outcome = run(&job, &config, 1);
        best = best.min(start.elapsed());
        let timing = outcome.record.timing.expect("a machine leaves timing");
        executed = timing.kernels.iter().map(|k| k.warp_instructions).sum();
    }
    let rate = executed as f64 / best.as_secs_f64() * 1e-6;
    println!("{name} on {sms} SMs: {executed} warp instructions at {rate:.2} M/s");
    rate
}

#[test]
fn matrix_multiply_and_breadth_first_search_are_fast() {
    // The bars are 1.0 and 0.4 M/s on a quiet core, checks not counted; a fifth of it still means something
    // when every core is taken by others.
    for sms in [1, 15] {
        assert!(rate("matmul", sms) > 0.2);
        assert!(rate("bfs", sms) > 0.08);
    }
}

#[test]
fn cycles_in_which_nothing_happens_are_skipped() {
    let outcome = run(&job("chase", "odd"), &machine(&["gpu.sms=1"]), 1);
    let timing = outcome.record.timing.expect("a machine leaves timing");
    let counts = &timing.kernels[0].sms[0].counts;
    assert!(counts.skipped_cycles * 2 > counts.cycles, "{counts:?}");
}
