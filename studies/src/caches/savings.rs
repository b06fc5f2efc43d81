//! What a setting saves and costs, against the same machine without it.

use super::point::Measured;
use lanewise_sim::attach::caches::energy::{dynamic_energy, static_energy};
use lanewise_sim::machine::config::{ArrayKind, Enable, MachineConfig};
use serde::Serialize;

/// A measurement with the machine it was made on.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The machine.
    pub machine: &'a MachineConfig,
    /// What was measured.
    pub measured: &'a Measured,
}

/// Energy that one kind of array saves, in percent of the machine without drowsy regions and divided lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Saved {
    /// Static.
    pub leakage: f64,
    /// Dynamic, segments enabled by active thread.
    pub dynamic_lane: f64,
    /// Dynamic, segments enabled by touched word.
    pub dynamic_word: f64,
    /// Both, by thread.
    pub total_lane: f64,
    /// Both, by word.
    pub total_word: f64,
    /// Energy of wake-ups, in percent of the dynamic energy without drowsy regions.
    pub wake_ups: f64,
}

/// The part of `before` that `after` lacks, in percent; nothing of nothing.
fn less(after: f64, before: f64) -> f64 {
    if before == 0.0 {
        0.0
    } else {
        (1.0 - after / before) * 100.0
    }
}

impl Run<'_> {
    /// Whether the kernel uses such an array.
    pub fn uses(&self, kind: ArrayKind) -> bool {
        self.measured.counts[kind].accesses() > 0
    }

    fn leakage(&self, kind: ArrayKind) -> f64 {
        static_energy(kind, &self.measured.counts[kind], self.machine)
    }

    /// What this run saves against a reference.
    pub fn saved(&self, reference: &Run, kind: ArrayKind) -> Saved {
        let dynamic = |run: &Run, enable| {
            dynamic_energy(kind, &run.measured.counts[kind], enable, run.machine)
        };
        let (leakage, leaked) = (self.leakage(kind), reference.leakage(kind));
        let lane = dynamic(self, Some(Enable::Lane));
        let word = dynamic(self, Some(Enable::Word));
        let before = dynamic(reference, None).total();
        Saved {
            leakage: less(leakage, leaked),
            dynamic_lane: less(lane.total(), before),
            dynamic_word: less(word.total(), before),
            total_lane: less(leakage + lane.total(), leaked + before),
            total_word: less(leakage + word.total(), leaked + before),
            wake_ups: if before == 0.0 { 0.0 } else { word.wake_ups / before * 100.0 },
        }
    }

    /// Static energy saved at each supply of the thesis' table, in percent: 200, 300 and 400 mV.
    pub fn saved_by_supply(&self, reference: &Run, kind: ArrayKind) -> [f64; 3] {
        [200, 300, 400].map(|mv| {
            let mut machine = self.machine.clone();
            let caches = &mut machine.mechanisms.caches;
            let arrays = [
                &mut caches.l1_data,
                &mut caches.l2,
                &mut caches.l1_constant,
                &mut caches.l1_texture,
                &mut caches.shared,
                &mut caches.l1_instruction,
            ];
            arrays.into_iter().for_each(|array| array.drowsy_mv = mv);
            let run = Run { machine: &machine, measured: self.measured };
            less(run.leakage(kind), reference.leakage(kind))
        })
    }

    /// Cycles more than a reference, in percent.
    pub fn slow_down(&self, reference: &Run) -> f64 {
        self.measured.slow_down(reference.measured)
    }
}
