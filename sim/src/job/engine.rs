//! What executes the launches of a job: the functional executor, or a machine with timing.

use crate::exec::{self, Counts, Fault, GlobalMemory, Launch};
use crate::machine::sm::scheduler::UnknownScheduler;
use crate::machine::TimingRecord;

/// How to run one launch.
#[derive(Debug, Clone, Copy)]
pub struct Order {
    /// Registers a thread takes, if the job says so.
    pub registers: Option<u32>,
    /// Whether the launch belongs to what is measured.
    pub timed: bool,
    /// Warp instructions after which a launch counts as stuck.
    pub max_instructions: u64,
}

/// Why a launch did not come to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// The kernel did something wrong.
    Fault(Box<Fault>),
    /// This machine cannot run it.
    Unfit(String),
    /// The cycle limit was reached when so much was executed.
    MaxCycles(Counts),
    /// The user asked to stop when so much was executed.
    Interrupted(Counts),
}

impl From<Box<Fault>> for Stop {
    fn from(fault: Box<Fault>) -> Self {
        Stop::Fault(fault)
    }
}

impl From<UnknownScheduler> for Stop {
    fn from(error: UnknownScheduler) -> Self {
        Stop::Unfit(error.to_string())
    }
}

/// See the module's text.
pub trait Engine {
    /// Runs a launch to its end; what it wrote is in `memory` then.
    fn launch(
        &mut self,
        launch: Launch,
        memory: &mut GlobalMemory,
        order: &Order,
    ) -> Result<Counts, Stop>;

    /// What was measured, where there is timing.
    fn timing(&self) -> Option<TimingRecord> {
        None
    }
}

/// Executes without timing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Functional;

impl Engine for Functional {
    fn launch(
        &mut self,
        launch: Launch,
        memory: &mut GlobalMemory,
        order: &Order,
    ) -> Result<Counts, Stop> {
        Ok(exec::run(&launch, memory, order.max_instructions)?)
    }
}
