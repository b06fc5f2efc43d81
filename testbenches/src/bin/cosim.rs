//! `cosim`: runs jobs. Exit code 0 when every expectation holds, 1 when one fails, 2 for bad input.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, Parser, Subcommand};
use lanewise_sim::job::{Job, LoadOptions, RunOptions};

/// GPU kernels on a machine whose mechanisms can be read, run, proved and measured.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs a job file and checks what it expects (docs/jobs.md describes the format).
    Run(Run),
}

#[derive(Args)]
struct Run {
    /// The job file.
    job: PathBuf,
    /// Executes without timing.
    #[arg(long)]
    functional: bool,
    /// Which of the job's sizes to run.
    #[arg(long, value_name = "NAME")]
    size: Option<String>,
    /// Writes record.json and the job's outputs into this directory.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Stops after this many warp instructions.
    #[arg(long, value_name = "N", default_value_t = RunOptions::default().max_instructions)]
    max_instructions: u64,
    /// Seed of random buffers, instead of the job's own.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// Something the user must change.
const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    let Command::Run(run) = Cli::parse().command;
    match execute(&run) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("cosim: {message}");
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// Runs the job; `false` when an expectation failed.
fn execute(run: &Run) -> Result<bool, String> {
    if !run.functional {
        return Err("timing arrives with the machine model; until then give --functional".into());
    }
    let options = LoadOptions { size: run.size.clone(), seed: run.seed };
    let job = Job::load(&run.job, &options).map_err(|e| e.to_string())?;
    let started = Instant::now();
    let options = RunOptions { max_instructions: run.max_instructions };
    let outcome = job.run(&options).map_err(|e| e.to_string())?;
    let seconds = started.elapsed().as_secs_f64();
    if let Some(directory) = &run.out {
        job.write(&outcome, directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    }
    for kernel in &outcome.record.kernels {
        println!(
            "{}: {} launches, {} threads, {} warp instructions, {} thread instructions",
            kernel.kernel,
            kernel.launches,
            kernel.threads,
            kernel.warp_instructions,
            kernel.thread_instructions
        );
    }
    let executed = outcome.record.warp_instructions;
    println!("{executed} warp instructions in {seconds:.3} s");
    for failure in &outcome.failures {
        eprintln!("{}: {failure}", run.job.display());
    }
    let size = job.size().map_or(String::new(), |size| format!(" ({size})"));
    let verdict = if outcome.passed() { "pass" } else { "FAIL" };
    println!("{verdict}: {}{size}", run.job.display());
    Ok(outcome.passed())
}
