//! How sure a slow-down is: the same settings on [machines that hardly differ](crate::spread).

use super::plan::MACHINE;
use super::point::CachePoint;
use super::setting::{reference, Setting, Variant};
use crate::spread::{neighbours, Spread};
use crate::{Lab, StudyError, Units};

/// Cycles that the interconnect of each machine is slower than the study's.
const OFFSETS: [i64; 8] = [-4, -3, -2, -1, 0, 1, 2, 3];

/// The settings that are repeated: those the thesis names, and what helps them.
const REPEATED: [Setting; 4] = [
    Setting { region: 1, wake_up: 1, variant: Variant::Plain },
    Setting { region: 1, wake_up: 1, variant: Variant::LookAhead },
    Setting { region: 1, wake_up: 1, variant: Variant::Bank },
    Setting { region: 32, wake_up: 1, variant: Variant::Plain },
];

/// Slow-downs of a setting in percent.
pub struct Repeated {
    /// The setting.
    pub setting: Setting,
    /// Of every kernel on every machine.
    pub slow_downs: Spread,
}

/// Measures the kernels of a study on every machine.
pub fn measure<U: Units>(lab: &Lab<U>, size: &'static str) -> Result<Vec<Repeated>, StudyError> {
    let kernels = &lab.options.kernels;
    let mut points = vec![];
    for cycles in neighbours(&lab.machine(MACHINE, &[])?, &OFFSETS) {
        let settings = REPEATED.iter().map(|setting| setting.overrides());
        for mut set in std::iter::once(reference()).chain(settings) {
            set.push(format!("interconnect.latency_cycles={cycles}"));
            let machine = lab.machine(MACHINE, &set)?;
            points.extend(kernels.iter().map(|kernel| CachePoint {
                kernel: kernel.clone(),
                size,
                machine: machine.clone(),
                label: format!("{} at a distance of {cycles} cycles", kernel.name),
            }));
        }
    }
    let measured = lab.measure(&points)?;
    let columns: Vec<_> = measured.chunks(kernels.len().max(1)).collect();
    let of = |n: usize| {
        let machines = columns.chunks(1 + REPEATED.len()).map(|machine| {
            let pairs = machine[1 + n].iter().zip(machine[0]);
            pairs.map(|(with, without)| with.slow_down(without)).collect()
        });
        Repeated { setting: REPEATED[n], slow_downs: Spread::new(machines.collect()) }
    };
    Ok((0..REPEATED.len()).map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use lanewise_sim::attach::Models;
    use std::sync::Arc;

    #[test]
    fn every_setting_is_held_against_the_reference_of_its_own_machine() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let options = Options::quick(&["transpose", "vecadd"], 2, folder.path());
        let options = options.expect("the kernels are shipped");
        let lab = Lab { options: &options, units: &Models, study: "caches" };
        let repeated = measure(&lab, "odd").expect("they run");
        let farthest = OFFSETS.len() - 1;
        let cycles = |mut set: Vec<String>, kernel: usize| {
            let latency = lab.machine(MACHINE, &[]).expect("shipped").interconnect.latency_cycles;
            set.push(format!("interconnect.latency_cycles={}", latency + 3));
            let machine = Arc::new(lab.machine(MACHINE, &set).expect("a machine"));
            let mut machine = lab.attached(&machine, None).expect("a machine");
            let kernel = &lab.options.kernels[kernel];
            lab.run_kernel(kernel, "odd", &mut machine).expect("it runs");
            machine.record().cycles as f64
        };
        for one in &repeated {
            assert_eq!(one.slow_downs.machines().len(), 8);
            for kernel in 0..2 {
                let more = cycles(one.setting.overrides(), kernel) / cycles(reference(), kernel);
                let slow_down = (more - 1.0) * 100.0;
                assert_eq!(
                    one.slow_downs.machines()[farthest][kernel],
                    slow_down,
                    "{:?}",
                    one.setting
                );
            }
        }
        let differ = |n: usize| repeated[0].slow_downs != repeated[n].slow_downs;
        assert!((1..repeated.len()).all(differ), "a mix-up would be seen");
    }
}
