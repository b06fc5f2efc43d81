//! Measures how fast the machine simulates every kernel and writes its tables of `docs/performance.md`.

use clap::Parser;
use lanewise_sim::exec::{Counts, GlobalMemory, Launch};
use lanewise_sim::job::{Engine, Job, Order, RunOptions, Stop};
use lanewise_sim::machine::config::MachineConfig;
use lanewise_sim::machine::sm::hooks::Silent;
use lanewise_sim::machine::{Limits, Machine, TimingRecord};
use lanewise_studies::Kernel;
use lanewise_testbenches::page;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Measures warp instructions, thread instructions and cycles a second of every shipped kernel.
///
/// Exit codes: 0 written, 2 a kernel or the page could not be read, run or written.
#[derive(Parser)]
struct Options {
    /// Where the page is.
    #[arg(long, value_name = "FILE", default_value_os_t = page::performance())]
    out: PathBuf,
    /// The size of the table of all kernels.
    #[arg(long, value_name = "NAME", default_value = "default")]
    size: String,
    /// Runs of each; the fastest counts.
    #[arg(long, value_name = "N", default_value_t = 3)]
    tries: u32,
}

fn main() -> ExitCode {
    let options = Options::parse();
    match table(&options).and_then(|table| page::rewrite(&options.out, "machine", &table)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("machine-table: {message}");
            ExitCode::from(2)
        }
    }
}

/// A machine whose timed launches are timed by the clock on the wall too.
struct Stopwatch {
    machine: Machine<Silent, Silent>,
    spent: Duration,
}

impl Engine for Stopwatch {
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

/// What the fastest of several runs came to, in millions a second.
struct Rates {
    warp_instructions: f64,
    thread_instructions: f64,
    cycles: f64,
}

/// Runs a job on machines of so many SMs and threads. They take turns, so that what slows the computer down for a
/// while slows them all.
fn measure(job: &Job, machines: &[(usize, usize)], tries: u32) -> Result<Vec<Rates>, String> {
    let mut best = vec![None; machines.len()];
    for _ in 0..tries.max(1) {
        for (&(sms, threads), best) in machines.iter().zip(&mut best) {
            let (spent, timing) = once(job, sms, threads)?;
            if best.as_ref().is_none_or(|(least, _)| spent < *least) {
                *best = Some((spent, timing));
            }
        }
    }
    Ok(best.iter().flatten().map(|(spent, timing)| Rates::new(*spent, timing)).collect())
}

/// One run: how long its timed launches took, and what they measured.
fn once(job: &Job, sms: usize, threads: usize) -> Result<(Duration, TimingRecord), String> {
    let set = [format!("gpu.sms={sms}")];
    let config = Arc::new(MachineConfig::read("gtx480", &set).map_err(|e| e.to_string())?);
    let machine = Machine::new(&config, Limits::default(), threads, |_| Silent, |_| Silent)
        .map_err(|e| e.to_string())?;
    let mut engine = Stopwatch { machine, spent: Duration::ZERO };
    let outcome = job.run_on(&mut engine, &RunOptions::default()).map_err(|e| e.to_string())?;
    if let Some(failure) = outcome.failures.first() {
        return Err(failure.to_string());
    }
    let timing = engine.timing().ok_or("the machine measured nothing")?;
    Ok((engine.spent, timing))
}

impl Rates {
    fn new(spent: Duration, timing: &TimingRecord) -> Self {
        let rate = |count: u64| count as f64 / spent.as_secs_f64() * 1e-6;
        Rates {
            warp_instructions: rate(timing.kernels.iter().map(|k| k.warp_instructions).sum()),
            thread_instructions: rate(timing.kernels.iter().map(|k| k.thread_instructions).sum()),
            cycles: rate(timing.cycles),
        }
    }
}

fn table(options: &Options) -> Result<String, String> {
    // Writing to a string cannot fail.
    let mut out = String::from(
        "| kernel | size | SMs | threads | M warp instructions/s | M thread instructions/s | M cycles/s |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let mut rows = |kernel: &Kernel, size: &str, machines: &[(usize, usize)]| {
        let job = kernel.job(size).map_err(|e| e.to_string())?;
        let rates = measure(&job, machines, options.tries)?;
        for ((sms, threads), rates) in machines.iter().zip(rates) {
            let _ = writeln!(
                out,
                "| {} | {size} | {sms} | {threads} | {:.2} | {:.1} | {:.3} |",
                kernel.name, rates.warp_instructions, rates.thread_instructions, rates.cycles
            );
        }
        Ok::<(), String>(())
    };
    let kernels = Kernel::shipped().map_err(|e| e.to_string())?;
    for kernel in kernels.iter().filter(|k| ["bfs", "matmul"].contains(&k.name.as_str())) {
        rows(kernel, "study", &[(1, 1), (15, 1), (15, 2)])?;
    }
    for kernel in &kernels {
        rows(kernel, &options.size, &[(15, 1)])?;
    }
    Ok(out)
}
