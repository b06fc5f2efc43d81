//! Measures how fast the machine simulates every kernel and writes its tables of `docs/performance.md`.

mod cosimulation;
mod stopwatch;

use clap::Parser;
use lanewise_sim::job::Job;
use lanewise_sim::machine::config::MachineConfig;
use lanewise_sim::machine::sm::hooks::Silent;
use lanewise_sim::machine::{Limits, Machine};
use lanewise_studies::Kernel;
use lanewise_testbenches::page;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use stopwatch::{timed, Measured};

/// Measures warp instructions, thread instructions and cycles a second of every shipped kernel, the memory that this
/// takes, and what co-simulation costs (which needs Verilator).
///
/// Each table is written as soon as it is complete. Exit codes: 0 written, 2 a kernel or the page could not be read,
/// run or written, or there is no Verilator.
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
    match tables(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("machine-table: {message}");
            ExitCode::from(2)
        }
    }
}

fn tables(options: &Options) -> Result<(), String> {
    page::rewrite(&options.out, "machine", &table(options)?)?;
    let table = cosimulation::table(&options.size, options.tries).map_err(|e| {
        format!("the table of the machine is written, that of co-simulation is not: {e}")
    })?;
    page::rewrite(&options.out, "cosimulation", &table)
}

/// The most memory that this process ever had, in MB; none where the system does not tell.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024.0 * 1e-6)
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
    let mut best: Vec<Option<Measured>> = machines.iter().map(|_| None).collect();
    for _ in 0..tries.max(1) {
        for (&(sms, threads), best) in machines.iter().zip(&mut best) {
            let measured = once(job, sms, threads)?;
            if best.as_ref().is_none_or(|best: &Measured| measured.spent < best.spent) {
                *best = Some(measured);
            }
        }
    }
    Ok(best.iter().flatten().map(Rates::new).collect())
}

/// One run.
fn once(job: &Job, sms: usize, threads: usize) -> Result<Measured, String> {
    let set = [format!("gpu.sms={sms}")];
    let config = Arc::new(MachineConfig::read("gtx480", &set).map_err(|e| e.to_string())?);
    let machine = Machine::new(&config, Limits::default(), threads, |_| Silent, |_| Silent);
    timed(job, machine.map_err(|e| e.to_string())?)
}

impl Rates {
    fn new(Measured { spent, timing }: &Measured) -> Self {
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
    if let Some(peak) = peak_memory() {
        let _ = writeln!(out, "\nAll of this took at most {peak:.0} MB of memory at any time.");
    }
    Ok(out)
}
