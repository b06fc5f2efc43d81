//! One kernel on a machine with its arrays set in one way.

use crate::{Kernel, Lab, Point, StudyError, Units};
use lanewise_sim::attach::array_counts;
use lanewise_sim::attach::caches::AllCounts;
use lanewise_sim::machine::config::MachineConfig;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// See the module's text.
#[derive(Serialize)]
pub struct CachePoint {
    /// The kernel.
    pub kernel: Kernel,
    /// Its size.
    pub size: &'static str,
    /// The whole machine.
    pub machine: MachineConfig,
    /// For the progress bar.
    #[serde(skip)]
    pub label: String,
}

/// What is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Core cycles of all launches.
    pub cycles: u64,
    /// What happened at the arrays.
    pub counts: AllCounts,
}

impl Measured {
    /// Cycles more than a reference, in percent.
    pub fn slow_down(&self, reference: &Measured) -> f64 {
        (self.cycles as f64 / reference.cycles.max(1) as f64 - 1.0) * 100.0
    }
}

impl Point for CachePoint {
    type Outcome = Measured;

    fn label(&self) -> String {
        self.label.clone()
    }

    fn measure<U: Units>(&self, lab: &Lab<U>) -> Result<Measured, StudyError> {
        let mut machine = lab.attached(&Arc::new(self.machine.clone()), None)?;
        lab.run_kernel(&self.kernel, self.size, &mut machine)?;
        let cycles = machine.record().cycles;
        // A job without a timed launch never makes a machine.
        let counts = machine.gpu().map_or_else(AllCounts::default, array_counts);
        Ok(Measured { cycles, counts })
    }
}
