//! Which points the study measures, and where their outcomes are.

use super::point::{CachePoint, Measured};
use super::repeats::{self, Repeated};
use super::savings::Run;
use super::setting::{reference, Setting, Variant};
use crate::{Kernel, Lab, StudyError, Units};
use lanewise_sim::machine::config::MachineConfig;

/// The machine of the study.
pub const MACHINE: &str = "thesis";

/// Every setting that is measured.
pub fn settings(quick: bool) -> Vec<Setting> {
    let at = |region, wake_up, variant| Setting { region, wake_up, variant };
    let mut settings = vec![];
    if quick {
        settings.extend(Variant::ALL.map(|variant| at(1, 1, variant)));
        settings.push(at(32, 1, Variant::Plain));
        return settings;
    }
    for variant in [Variant::Plain, Variant::LookAhead, Variant::Instruction, Variant::Filter] {
        for wake_up in [1, 2] {
            settings.extend([1, 2, 4, 8, 16, 32].map(|region| at(region, wake_up, variant)));
        }
    }
    settings.extend([1, 2].map(|wake_up| at(1, wake_up, Variant::Bank)));
    settings
}

/// A setting with its machine and what every kernel measured on it.
pub struct Column {
    /// None for the machine without drowsy regions.
    pub setting: Option<Setting>,
    /// The machine.
    pub machine: MachineConfig,
    /// In the order of the kernels.
    measured: Vec<Measured>,
}

impl Column {
    /// The run of a kernel.
    pub fn run(&self, kernel: usize) -> Run<'_> {
        Run { machine: &self.machine, measured: &self.measured[kernel] }
    }
}

/// Everything that was measured.
pub struct Results {
    /// The kernels.
    pub kernels: Vec<Kernel>,
    /// Whether it is the short study.
    pub quick: bool,
    /// Their size.
    pub size: &'static str,
    /// The machine without drowsy regions.
    pub reference: Column,
    /// The settings.
    pub columns: Vec<Column>,
    /// Slow-downs on several machines; none in the short study.
    pub repeated: Vec<Repeated>,
}

impl Results {
    /// Measures every kernel on every machine.
    pub fn measure<U: Units>(lab: &Lab<U>) -> Result<Results, StudyError> {
        let kernels = lab.options.kernels.clone();
        let size = if lab.options.quick { "odd" } else { "default" };
        let mut columns = vec![(None, lab.machine(MACHINE, &reference())?)];
        for setting in settings(lab.options.quick) {
            columns.push((Some(setting), lab.machine(MACHINE, &setting.overrides())?));
        }
        let points: Vec<CachePoint> = columns
            .iter()
            .flat_map(|(setting, machine)| {
                kernels.iter().map(move |kernel| CachePoint {
                    kernel: kernel.clone(),
                    size,
                    machine: machine.clone(),
                    label: match setting {
                        None => kernel.name.clone(),
                        Some(s) => format!("{} G={} W={}", kernel.name, s.region, s.wake_up),
                    },
                })
            })
            .collect();
        let mut measured = lab.measure(&points)?.into_iter();
        let mut columns = columns.into_iter().map(|(setting, machine)| {
            let measured = measured.by_ref().take(kernels.len()).collect();
            Column { setting, machine, measured }
        });
        let Some(reference) = columns.next() else {
            return Err(StudyError::Input("there is nothing to measure".into()));
        };
        let columns = columns.collect();
        let quick = lab.options.quick;
        let repeated = if quick { vec![] } else { repeats::measure(lab, size)? };
        Ok(Results { kernels, quick, size, reference, columns, repeated })
    }

    /// The column of a setting, if it was measured.
    pub fn column(&self, region: u8, wake_up: u8, variant: Variant) -> Option<&Column> {
        let wanted = Some(Setting { region, wake_up, variant });
        self.columns.iter().find(|column| column.setting == wanted)
    }

    /// The column that the bars are about: one block a region, one cycle to wake up.
    pub fn main(&self) -> &Column {
        self.column(1, 1, Variant::Plain).unwrap_or(&self.reference)
    }

    /// Numbers of the kernels.
    pub fn all(&self) -> std::ops::Range<usize> {
        0..self.kernels.len()
    }

    /// The slow-down of a setting on several machines, if it was repeated.
    pub fn repeated(&self, region: u8, variant: Variant) -> Option<&Repeated> {
        let wanted = Setting { region, wake_up: 1, variant };
        self.repeated.iter().find(|repeated| repeated.setting == wanted)
    }

    /// Mean slow-down of a column, in percent.
    pub fn slow_down(&self, column: &Column) -> f64 {
        let each = |k| column.run(k).slow_down(&self.reference.run(k));
        crate::report::mean(self.all().map(each))
    }
}
