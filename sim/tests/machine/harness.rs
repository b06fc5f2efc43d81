//! Runs jobs on machines.

use lanewise_sim::job::{Job, LoadOptions, Outcome, RunOptions};
use lanewise_sim::machine::config::MachineConfig;
use lanewise_sim::machine::sm::hooks::Silent;
use lanewise_sim::machine::{Limits, Machine};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The GTX480 with some values changed.
pub fn machine(set: &[&str]) -> Arc<MachineConfig> {
    let set: Vec<String> = set.iter().map(ToString::to_string).collect();
    Arc::new(MachineConfig::read("gtx480", &set).unwrap_or_else(|e| panic!("{e}")))
}

/// The folder of a kernel and those of all.
pub fn kernels() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels");
    let mut found: Vec<PathBuf> = std::fs::read_dir(root)
        .unwrap_or_else(|e| panic!("kernels: {e}"))
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

/// A shipped job at a size.
pub fn job(name: &str, size: Option<&str>) -> Job {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels");
    let path = root.join(name).join(format!("{name}.toml"));
    let options = LoadOptions { size: size.map(Into::into), seed: None };
    Job::load(&path, &options).unwrap_or_else(|e| panic!("{e}"))
}

/// Runs a job on a machine that nobody watches.
pub fn run(job: &Job, config: &Arc<MachineConfig>, threads: usize) -> Outcome {
    let mut machine =
        Machine::new(config, Limits::default(), threads, |_| Silent, |_| Silent).unwrap();
    job.run_on(&mut machine, &RunOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}
