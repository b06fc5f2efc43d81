//! Where a study runs: its options, its units, and machines with them attached.

use crate::{Kernel, StudyError};
use lanewise_sim::attach::{self, Attached, AttachedSlice, Models, UnitSource};
use lanewise_sim::job::{Engine, Outcome, RunOptions};
use lanewise_sim::machine::config::{MachineConfig, Mechanism};
use lanewise_sim::machine::sm::hooks::Hooks;
use lanewise_sim::machine::uncore::hooks::SliceHooks;
use lanewise_sim::machine::{Limits, Machine};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::Arc;

/// Units that many machines can be given at once.
pub trait Units: UnitSource + Sync {
    /// What the units are, for the report and for telling kept points apart.
    fn name(&self) -> String;

    /// What two back ends of a block differ in, once they do.
    fn mismatch(&self) -> Option<String> {
        None
    }
}

impl Units for Models {
    fn name(&self) -> String {
        "model".into()
    }
}

/// What a study was asked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The kernels.
    pub kernels: Vec<Kernel>,
    /// A short study: fewer and smaller points.
    pub quick: bool,
    /// The machine, by name or file; the study's own if none is given.
    pub config: Option<String>,
    /// Values of the machine that differ, `section.key=value`.
    pub set: Vec<String>,
    /// Where `NAME.md` and the directory `NAME` with records, plots and points go.
    pub out: PathBuf,
    /// Points that run side by side.
    pub threads: usize,
    /// Set from elsewhere to stop.
    pub interrupt: Arc<AtomicBool>,
}

impl Options {
    /// The short study of these kernels on so many SMs, into a folder.
    pub fn quick(kernels: &[&str], sms: usize, out: &Path) -> Result<Options, StudyError> {
        let names: Vec<String> = kernels.iter().map(ToString::to_string).collect();
        Ok(Options {
            kernels: Kernel::named(&names)?,
            quick: true,
            config: None,
            set: vec![format!("gpu.sms={sms}")],
            out: out.into(),
            threads: 2,
            interrupt: Arc::default(),
        })
    }
}

/// See the module's text.
pub struct Lab<'a, U> {
    /// What was asked for.
    pub options: &'a Options,
    /// What stands behind the blocks.
    pub units: &'a U,
    /// The study's name.
    pub study: &'static str,
}

impl<U: Units> Lab<'_, U> {
    /// The machine of a point: the user's, or `base` where the user names none; `set` is the point's own and
    /// goes last.
    pub fn machine(&self, base: &str, set: &[String]) -> Result<MachineConfig, StudyError> {
        let name = self.options.config.as_deref().unwrap_or(base);
        let set: Vec<String> = self.options.set.iter().chain(set).cloned().collect();
        let config =
            MachineConfig::read(name, &set).map_err(|e| StudyError::Input(e.to_string()))?;
        match config.mechanisms.attach.contains(&Mechanism::Dvfs) {
            true => Err(StudyError::Input(format!(
                "{name}: a study has controllers of its own; take dvfs out of mechanisms.attach"
            ))),
            false => Ok(config),
        }
    }

    /// Limits of one machine: `max_cycles` and Ctrl-C.
    pub fn limits(&self, max_cycles: Option<u64>) -> Limits {
        Limits { max_cycles, interrupt: self.options.interrupt.clone() }
    }

    /// A machine on one thread with everything attached that its description names.
    pub fn attached(
        &self,
        config: &Arc<MachineConfig>,
        max_cycles: Option<u64>,
    ) -> Result<Machine<Attached, AttachedSlice>, StudyError> {
        attach::machine(config, self.limits(max_cycles), 1, self.units)
            .map_err(|e| StudyError::Input(e.to_string()))
    }

    /// Runs a kernel to its end, or to the machine's limit; its results must be right.
    pub fn run_kernel<H: Hooks, S: SliceHooks>(
        &self,
        kernel: &Kernel,
        size: &str,
        machine: &mut Machine<H, S>,
    ) -> Result<Outcome, StudyError> {
        let engine: &mut dyn Engine = machine;
        let outcome = kernel
            .job(size)?
            .run_on(engine, &RunOptions::default())
            .map_err(|e| StudyError::Input(e.to_string()))?;
        match outcome.failures.first() {
            None => Ok(outcome),
            Some(failure) => Err(StudyError::Wrong {
                point: format!("{} ({size})", kernel.name),
                failure: failure.to_string(),
            }),
        }
    }
}
