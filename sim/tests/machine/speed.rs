//! The bars of timed runs: whole with `LANEWISE_FULL=1` on a quiet machine, a tenth of them on a busy one.

use super::harness::{job, machine, run};
use lanewise_sim::exec::{Counts, GlobalMemory, Launch};
use lanewise_sim::job::{Engine, Order, RunOptions, Stop};
use lanewise_sim::machine::sm::hooks::Silent;
use lanewise_sim::machine::{Limits, Machine};
use std::time::{Duration, Instant};

/// How often each is measured: others share the machine, and the quickest try shows what the code needs.
const TRIES: usize = 4;

/// Measures timed launches; checks and preparations do not count.
struct Stopwatch {
    machine: Machine<Silent, Silent>,
    spent: Duration,
    executed: u64,
}

impl Engine for Stopwatch {
    fn launch(
        &mut self,
        launch: Launch,
        memory: &mut GlobalMemory,
        order: &Order,
    ) -> Result<Counts, Stop> {
        let start = Instant::now();
        let counts = self.machine.launch(launch, memory, order)?;
        if order.timed {
            self.spent += start.elapsed();
            self.executed += counts.warp_instructions;
        }
        Ok(counts)
    }
}

/// Whether the bars are to be met, which takes a machine without other work.
fn full() -> bool {
    std::env::var_os("LANEWISE_FULL").is_some()
}

/// Million warp instructions a second, all timing on.
fn rate(name: &str, sms: usize, threads: usize) -> f64 {
    let job = job(name, "default");
    let config = machine(&[&format!("gpu.sms={sms}")]);
    let rate = |_| {
        let machine =
            Machine::new(&config, Limits::default(), threads, |_| Silent, |_| Silent).unwrap();
        let mut engine = Stopwatch { machine, spent: Duration::ZERO, executed: 0 };
        job.run_on(&mut engine, &RunOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        engine.executed as f64 / engine.spent.as_secs_f64() * 1e-6
    };
    let rate = (0..TRIES).map(rate).fold(0.0, f64::max);
    println!("{name} on {sms} SMs, {threads} threads: {rate:.2} M warp instructions/s");
    rate
}

#[test]
fn matrix_multiply_and_breadth_first_search_are_fast() {
    // A tenth of a bar still means something when every core is taken by others.
    let share = if full() { 1.0 } else { 0.1 };
    for sms in [1, 15] {
        for (name, bar) in [("matmul", 1.0), ("bfs", 0.4)] {
            let rate = rate(name, sms, 1);
            assert!(rate >= bar * share, "{name} on {sms} SMs: {rate} M warp instructions/s");
        }
    }
}

#[test]
fn two_threads_are_half_again_as_fast_as_one() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if !full() || cores < 2 {
        return;
    }
    let (one, two) = (rate("matmul", 15, 1), rate("matmul", 15, 2));
    assert!(two >= 1.5 * one, "{one} and {two} M warp instructions/s");
}

/// Not a test: [`fifteen_sms_fit_in_half_a_gigabyte`] runs it in a process of its own.
#[test]
#[ignore = "prints the memory of one run for another test"]
fn peak_memory_of_one_run() {
    let outcome = run(&job("vecadd", "study"), &machine(&["gpu.sms=15"]), 1);
    assert!(outcome.passed());
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
    println!("{}", status.lines().find(|line| line.starts_with("VmHWM:")).expect("Linux has it"));
}

#[test]
fn fifteen_sms_fit_in_half_a_gigabyte() {
    if !full() || !std::path::Path::new("/proc/self/status").exists() {
        return;
    }
    let output = std::process::Command::new(std::env::current_exe().expect("it runs"))
        .args(["speed::peak_memory_of_one_run", "--exact", "--ignored", "--nocapture"])
        .output()
        .expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find_map(|line| line.split("VmHWM:").nth(1));
    let kib = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok());
    let mb = kib.unwrap_or_else(|| panic!("{text}")) * 1024.0 * 1e-6;
    println!("vecadd on 15 SMs: {mb:.0} MB");
    assert!(mb < 500.0, "{mb} MB");
}

#[test]
fn cycles_in_which_nothing_happens_are_skipped() {
    let outcome = run(&job("chase", "odd"), &machine(&["gpu.sms=1"]), 1);
    let timing = outcome.record.timing.expect("a machine leaves timing");
    let counts = &timing.kernels[0].sms[0].counts;
    assert!(counts.skipped_cycles * 2 > counts.cycles, "{counts:?}");
}
