//! `cosim run`: one job, with timing unless told otherwise.

use crate::attach::{Attach, Attachment};
use crate::output::{print_functional, print_mechanisms, print_timing, write_series, write_trace};
use crate::Verdict;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use lanewise_files::Draft;
use lanewise_sim::job::{
    Ended, Engine, Functional, Job, JobError, LoadOptions, Outcome, RunOptions,
};
use lanewise_sim::machine::config::MachineConfig;
use lanewise_sim::machine::sm::hooks::{Hooks, Silent};
use lanewise_sim::machine::uncore::hooks::SliceHooks;
use lanewise_sim::machine::{Between, Limits, Machine, Watch};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Runs a job file and checks what it expects.
#[derive(Args)]
#[command(after_help = "Examples:
  cosim run kernels/matmul/matmul.toml
  cosim run kernels/bfs/bfs.toml --sms 1 --set sm.scheduler=gto --out records/bfs-gto
  cosim run kernels/bfs/bfs.toml --size tiny --attach lanes,gating,folding --units lockstep
  cosim run kernels/nw/nw.toml --max-cycles 20000 --trace nw.json   (open in ui.perfetto.dev)
  cosim run kernels/lbm/lbm.toml --size study --attach crisp,dvfs --set dvfs.predictor=crisp-plus --out records/lbm-dvfs

Exit codes: 0 every expectation holds; 1 one does not, or a kernel faults while units other than models are
attached; 2 bad input; 3 two back ends of a block differ; 4 stopped early by a limit or Ctrl-C.")]
pub struct Run {
    /// The job file.
    job: PathBuf,
    /// Executes without timing: results and instruction counts only.
    #[arg(long, conflicts_with_all = ["config", "set", "sms", "max_cycles", "threads", "series", "trace", "attach", "units", "unit", "verilog", "record", "wave", "wave_blocks", "wave_cycles"])]
    functional: bool,
    /// Which of the job's sizes to run.
    #[arg(long, value_name = "NAME")]
    size: Option<String>,
    /// Writes record.json, record.csv, the job's outputs and, with crisp or dvfs attached, energy.csv and dvfs.csv into this
    /// directory.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Stops after this many warp instructions.
    #[arg(long, value_name = "N", default_value_t = RunOptions::default().max_instructions)]
    max_instructions: u64,
    /// Seed of random buffers, instead of the job's own.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The machine: gtx480, thesis, or a file (docs/machine.md describes every key).
    #[arg(long, value_name = "NAME|FILE", default_value = "gtx480")]
    config: String,
    /// Overrides a value of the machine; may be given several times.
    #[arg(long, value_name = "SECTION.KEY=VALUE")]
    set: Vec<String>,
    /// Streaming multiprocessors; short for --set gpu.sms=N.
    #[arg(long, value_name = "N")]
    sms: Option<usize>,
    /// Stops after this many core cycles and reports what was measured.
    #[arg(long, value_name = "N")]
    max_cycles: Option<u64>,
    /// Threads to simulate with; the results are the same for any number.
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    threads: NonZeroUsize,
    /// Writes series.csv into the --out directory: activity in steps of this many core cycles.
    #[arg(long, value_name = "CYCLES", requires = "out", conflicts_with_all = ["attach", "units", "unit", "verilog", "record", "wave"])]
    series: Option<NonZeroU64>,
    /// Writes a pipeline trace that Perfetto opens: warps and units over time.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["attach", "units", "unit", "verilog", "record", "wave"])]
    trace: Option<PathBuf>,
    #[command(flatten)]
    attach: Attach,
}

/// Runs the job.
pub fn execute(run: &Run) -> Result<Verdict, String> {
    let options = LoadOptions { size: run.size.clone(), seed: run.seed };
    let job = Job::load(&run.job, &options).map_err(|e| e.to_string())?;
    // Known before the run rather than after it.
    let record = run.out.as_ref().map(|directory| directory.join("record.json"));
    record.iter().chain(&run.trace).try_for_each(|file| Draft::new(file).map(drop))?;
    let started = Instant::now();
    let outcome = if run.functional {
        go(run, &job, &mut Functional)?
    } else {
        let mut config = machine(run)?;
        run.attach.apply(&mut config)?;
        let config = Arc::new(config);
        let watched = run.series.is_some() || run.trace.is_some();
        match (config.mechanisms.attach.is_empty(), watched) {
            (false, true) => return Err(NOT_BOTH.into()),
            (false, false) => match attached(run, &job, &config)? {
                Ok(outcome) => outcome,
                Err(verdict) => return Ok(verdict),
            },
            (true, true) => watch(run, &job, &config)?,
            (true, false) => go(run, &job, &mut build(run, &config, |_| Silent)?)?,
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    match &outcome.record.timing {
        Some(timing) => print_timing(timing),
        None => print_functional(&outcome.record),
    }
    say!("{} warp instructions in {seconds:.3} s", outcome.record.warp_instructions);
    for failure in &outcome.failures {
        eprintln!("{}: {failure}", run.job.display());
    }
    let size = job.size().map_or(String::new(), |size| format!(" ({size})"));
    let (verdict, word) = match outcome.record.ended {
        Ended::Complete if outcome.passed() => (Verdict::Pass, "pass"),
        Ended::Complete => (Verdict::Fail, "FAIL"),
        Ended::MaxCycles => (Verdict::Stopped, "stopped at --max-cycles, nothing was checked"),
        Ended::Interrupted => (Verdict::Stopped, "interrupted, nothing was checked"),
    };
    say!("{word}: {}{size}", run.job.display());
    Ok(verdict)
}

/// Why a watched machine has nothing attached.
const NOT_BOTH: &str = "--series and --trace watch a machine without mechanisms; the machine's description attaches some: \
                        add `--set mechanisms.attach=`";

/// Runs the job with mechanisms attached: its outcome, or a verdict that outweighs it.
fn attached(
    run: &Run,
    job: &Job,
    config: &Arc<MachineConfig>,
) -> Result<Result<Outcome, Verdict>, String> {
    let bench = Attachment::new(&run.attach, config, run.out.as_deref())?;
    let mut machine = bench.machine(config, limits(run)?, run.threads.get())?;
    let ran = execute_on(run, job, &mut machine);
    let mut kept = ran.as_ref().map_or(Ok(()), |outcome| keep(run, job, outcome));
    if ran.is_ok() {
        print_mechanisms(&mut machine);
        kept = kept.and(bench.clock(&machine, run.out.as_deref()));
    }
    let (differ, listened) = bench.finish();
    let written = kept.and(listened);
    match ran {
        ran if differ => {
            let (ran, written) = (ran.err().map(|e| e.to_string()), written.err());
            ran.iter().chain(&written).for_each(|message| eprintln!("cosim: {message}"));
            Ok(Err(Verdict::Mismatch))
        }
        // The kernel is right with models: it goes wrong because of what replaces them.
        Err(error @ JobError::Fault(_)) if bench.is_beyond_models() => {
            eprintln!("cosim: {error}");
            written.map(|()| Err(Verdict::Fail))
        }
        ran => {
            let outcome = ran.map_err(|e| e.to_string())?;
            written.map(|()| Ok(outcome))
        }
    }
}

/// Runs the job on a machine without mechanisms and writes down what it did over time.
fn watch(run: &Run, job: &Job, config: &Arc<MachineConfig>) -> Result<Outcome, String> {
    let (series, trace) = (run.series.map(NonZeroU64::get), run.trace.is_some());
    let mut machine = build(run, config, move |sm| Watch::new(sm, series, trace))?;
    let outcome = go(run, job, &mut machine)?;
    if let (Some(interval), Some(directory)) = (series, &run.out) {
        write_series(&machine, interval, directory)?;
    }
    if let Some(file) = &run.trace {
        write_trace(&machine, job, file)?;
    }
    Ok(outcome)
}

fn go(run: &Run, job: &Job, engine: &mut dyn Engine) -> Result<Outcome, String> {
    let outcome = execute_on(run, job, engine).map_err(|e| e.to_string())?;
    keep(run, job, &outcome)?;
    Ok(outcome)
}

fn execute_on(run: &Run, job: &Job, engine: &mut dyn Engine) -> Result<Outcome, JobError> {
    job.run_on(engine, &RunOptions { max_instructions: run.max_instructions })
}

/// Writes what the job did, if somebody wants it.
fn keep(run: &Run, job: &Job, outcome: &Outcome) -> Result<(), String> {
    let Some(directory) = &run.out else { return Ok(()) };
    job.write(outcome, directory)
}

fn machine(run: &Run) -> Result<MachineConfig, String> {
    let mut set = run.set.clone();
    set.extend(run.sms.map(|sms| format!("gpu.sms={sms}")));
    MachineConfig::read(&run.config, &set).map_err(|e| e.to_string())
}

fn build<H: Hooks + 'static>(
    run: &Run,
    config: &Arc<MachineConfig>,
    hooks: impl Fn(usize) -> H + Send + 'static,
) -> Result<Machine<H, Silent>, String> {
    let machine = Machine::new(config, limits(run)?, run.threads.get(), hooks, |_| Silent);
    Ok(machine.map_err(|e| e.to_string())?.between(progress()))
}

fn limits(run: &Run) -> Result<Limits, String> {
    Ok(Limits { max_cycles: run.max_cycles, interrupt: interrupt()? })
}

/// A flag that Ctrl-C sets; a second Ctrl-C does not wait for the run to notice.
pub fn interrupt() -> Result<Arc<AtomicBool>, String> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = flag.clone();
    ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .map_err(|e| format!("cannot listen for Ctrl-C: {e}"))?;
    Ok(flag)
}

/// Shows, on a terminal, how many blocks of the running kernel have ended.
pub fn progress<H: Hooks, S: SliceHooks>() -> Box<Between<H, S>> {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} blocks, {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(0).with_style(style);
    let mut shown = Instant::now();
    Box::new(move |gpu| {
        if shown.elapsed() < Duration::from_millis(100) {
            return;
        }
        shown = Instant::now();
        let (done, all) = gpu.progress();
        bar.set_length(all);
        bar.set_position(done);
        bar.set_message(format!("cycle {}", gpu.sms[0].cycle()));
    })
}
