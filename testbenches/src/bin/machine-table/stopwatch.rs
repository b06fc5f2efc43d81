//! Runs a job and times its timed launches by the clock on the wall; checks and preparations do not count.

use lanewise_sim::exec::{Counts, GlobalMemory, Launch};
use lanewise_sim::job::{Engine, Job, Order, RunOptions, Stop};
use lanewise_sim::machine::TimingRecord;
use std::time::{Duration, Instant};

/// How long the timed launches took, and what they measured.
pub struct Measured {
    pub spent: Duration,
    pub timing: TimingRecord,
}

/// Runs a job on a machine; a job that fails is an error.
pub fn timed(job: &Job, machine: impl Engine) -> Result<Measured, String> {
    let mut engine = Stopwatch { machine, spent: Duration::ZERO };
    let outcome = job.run_on(&mut engine, &RunOptions::default()).map_err(|e| e.to_string())?;
    if let Some(failure) = outcome.failures.first() {
        return Err(failure.to_string());
    }
    let timing = engine.timing().ok_or("the machine measured nothing")?;
    Ok(Measured { spent: engine.spent, timing })
}

struct Stopwatch<E> {
    machine: E,
    spent: Duration,
}

impl<E: Engine> Engine for Stopwatch<E> {
    fn launch(
        &mut self,
        launch: Launch,
        memory: &mut GlobalMemory,
        order: &Order,
    ) -> Result<Counts, Stop> {
        let start = Instant::now();
        let counts = self.machine.launch(launch, memory, order);
        if order.timed {
            self.spent += start.elapsed();
        }
        counts
    }

    fn timing(&self) -> Option<TimingRecord> {
        self.machine.timing()
    }
}
