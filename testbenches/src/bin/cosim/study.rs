//! `cosim study`: a mechanism over many kernels and machines, beside its paper.

use crate::run::interrupt;
use crate::Verdict;
use clap::{Args, ValueEnum};
use lanewise_studies::{caches, crisp, origami, Kernel, Lab, Options, StudyError};
use lanewise_testbenches::cosim::{BackEnd, Bench, Choice};
use lanewise_testbenches::lockstep::Alarm;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

/// Measures a mechanism over many kernels and machines and reports it beside its paper.
#[derive(Args)]
#[command(after_help = "Examples:
  cosim study origami --quick
  cosim study caches --kernels bfs,nw,my/kernel.toml --out results
  cosim study crisp --quick --units lockstep --kernels chase

Ctrl-C stops; the same command goes on with the points that are not done yet.")]
pub struct Study {
    /// Which study.
    study: Which,
    /// Shipped kernels by name, or job files; all shipped kernels if none is given.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    kernels: Vec<String>,
    /// A short study: fewer and smaller points.
    #[arg(long)]
    quick: bool,
    /// Where the page and, in a directory of the study's name, records, plots and finished points go.
    #[arg(long, value_name = "DIR", default_value = "results")]
    out: PathBuf,
    /// The machine (name or file) instead of the study's own.
    #[arg(long, value_name = "NAME|FILE")]
    config: Option<String>,
    /// Overrides a value of the machine; may be given several times.
    #[arg(long, value_name = "SECTION.KEY=VALUE")]
    set: Vec<String>,
    /// Points to run side by side; one a core if not given. The results are the same for any number.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Back end of every unit: model, rtl, verilated, lockstep or lockstep-all.
    #[arg(long, value_name = "BACK_END", default_value = "model")]
    units: BackEnd,
}

/// The studies there are.
#[derive(Clone, Copy, ValueEnum)]
enum Which {
    /// Warp folding, lane shifting and lane power gating.
    Origami,
    /// Drowsy regions and divided word lines.
    Caches,
    /// DVFS counters, predictors and the controller.
    Crisp,
}

/// Runs the study and writes its report.
pub fn execute(study: &Study) -> Result<Verdict, String> {
    let started = Instant::now();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let options = Options {
        kernels: Kernel::named(&study.kernels).map_err(|e| e.to_string())?,
        quick: study.quick,
        config: study.config.clone(),
        set: study.set.clone(),
        out: study.out.clone(),
        threads: study.threads.map_or(cores, usize::from),
        interrupt: interrupt()?,
    };
    let choice =
        Choice { all: study.units, mismatch_waves: study.out.clone(), ..Choice::default() };
    let bench = Bench::new(choice, &Alarm::default(), None, vec![])?;
    let lab = |study| Lab { options: &options, units: &bench, study };
    let report = match study.study {
        Which::Origami => origami::run(&lab("origami")),
        Which::Caches => caches::run(&lab("caches")),
        Which::Crisp => crisp::run(&lab("crisp")),
    };
    let report = match report {
        Ok(report) => report,
        Err(StudyError::Input(message)) => return Err(message),
        Err(error) => {
            eprintln!("cosim: {error}");
            return Ok(match error {
                StudyError::Wrong { .. } => Verdict::Fail,
                StudyError::Mismatch(_) => Verdict::Mismatch,
                _ => Verdict::Stopped,
            });
        }
    };
    report.write(&study.out).map_err(|e| e.to_string())?;
    say!("{}", report.summary().trim_end());
    for what in report.unexplained() {
        eprintln!("cosim: far from the paper and not explained: {what}");
    }
    let page = study.out.join(report.name()).with_extension("md");
    say!("{} ({:.0} s)", page.display(), started.elapsed().as_secs_f64());
    Ok(Verdict::Pass)
}
