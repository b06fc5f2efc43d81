//! `cosim`: runs jobs on a machine whose mechanisms can be read, run, proved and measured.

/// Prints a line. Whoever has closed the pipe wants no more of them, which is no reason to stop: files are written all
/// the same, and the exit code says how it ended.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($text)*);
    }};
}

mod attach;
mod clock;
mod output;
mod run;
mod study;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// GPU kernels on a machine whose mechanisms can be read, run, proved and measured.
///
/// Exit codes: 0 every expectation holds; 1 one does not, or a kernel faults while units other than models are
/// attached; 2 bad input; 3 two back ends of a block differ; 4 stopped early by a limit or Ctrl-C.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs a job file and checks what it expects (docs/jobs.md describes the format).
    Run(Box<run::Run>),
    /// Measures a mechanism over many kernels and machines and reports it beside its paper.
    Study(study::Study),
}

/// How a command ended, if it was given what it needs.
enum Verdict {
    Pass,
    Fail,
    Mismatch,
    Stopped,
}

/// Something the user must change.
const BAD_INPUT: u8 = 2;
/// Two back ends of a block differ.
const MISMATCH: u8 = 3;
/// A limit or Ctrl-C came before the end.
const STOPPED: u8 = 4;

fn main() -> ExitCode {
    let verdict = match Cli::parse().command {
        Command::Run(run) => run::execute(&run),
        Command::Study(study) => study::execute(&study),
    };
    match verdict {
        Ok(Verdict::Pass) => ExitCode::SUCCESS,
        Ok(Verdict::Fail) => ExitCode::FAILURE,
        Ok(Verdict::Mismatch) => ExitCode::from(MISMATCH),
        Ok(Verdict::Stopped) => ExitCode::from(STOPPED),
        Err(message) => {
            eprintln!("cosim: {message}");
            ExitCode::from(BAD_INPUT)
        }
    }
}
