//! The bars of timed runs, with slack for a busy machine.

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

/// Million warp instructions a second with one thread, all timing on.
fn rate(name: &str, sms: usize) -> f64 {
    let job = job(name, "default");
    let config = machine(&[&format!("gpu.sms={sms}")]);
    let rate = |_| {
        let machine = Machine::new(&config, Limits::default(), 1, |_| Silent, |_| Silent).unwrap();
        let mut engine = Stopwatch { machine, spent: Duration::ZERO, executed: 0 };
        job.run_on(&mut engine, &RunOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        engine.executed as f64 / engine.spent.as_secs_f64() * 1e-6
    };
    let rate = (0..TRIES).map(rate).fold(0.0, f64::max);
    println!("{name} on {sms} SMs: {rate:.2} M warp instructions/s");
    rate
}

#[test]
fn matrix_multiply_and_breadth_first_search_are_fast() {
    // The bars are 1.0 and 0.4 on a quiet core; a tenth of them still means something when every core is taken
    // by others.
    for sms in [1, 15] {
        assert!(rate("matmul", sms) > 0.1);
        assert!(rate("bfs", sms) > 0.04);
    }
}

#[test]
fn cycles_in_which_nothing_happens_are_skipped() {
    let outcome = run(&job("chase", "odd"), &machine(&["gpu.sms=1"]), 1);
    let timing = outcome.record.timing.expect("a machine leaves timing");
    let counts = &timing.kernels[0].sms[0].counts;
    assert!(counts.skipped_cycles * 2 > counts.cycles, "{counts:?}");
}
