//! The cache study on small kernels: counts recounted, bars held, the same for any number of threads.

use lanewise_sim::attach::array_counts;
use lanewise_sim::attach::caches::BUCKETS;
use lanewise_sim::attach::Models;
use lanewise_sim::machine::config::ArrayKind;
use lanewise_sim::machine::sm::hooks::{CacheAccess, Held, Hooks, SharedAccess, Touch};
use lanewise_sim::machine::sm::l1::CacheKind;
use lanewise_sim::machine::uncore::hooks::{SliceAccess, SliceHooks};
use lanewise_sim::machine::{Limits, Machine};
use lanewise_studies::caches::{self, Results, Variant};
use lanewise_studies::{Lab, Options};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

fn options(kernels: &[&str], out: &Path, threads: usize) -> Options {
    Options { threads, ..Options::quick(kernels, 2, out).unwrap() }
}

/// Writes down what a machine shows: of each array, requests with their threads, and accesses.
#[derive(Default)]
struct Recorder {
    requests: Vec<(ArrayKind, u32)>,
    /// Kind, block and cycle.
    accesses: Vec<(ArrayKind, usize, u64)>,
}

impl Hooks for Recorder {
    fn hold(&mut self, access: &CacheAccess) -> Held {
        let kind = match access.cache {
            CacheKind::Data => ArrayKind::L1Data,
            CacheKind::Constant => ArrayKind::L1Constant,
            CacheKind::Texture => ArrayKind::L1Texture,
            CacheKind::Instruction => ArrayKind::L1Instruction,
        };
        if access.touch != Touch::Refill {
            self.requests.push((kind, access.active.count()));
        }
        if access.touch.reaches_array() {
            self.accesses.push((kind, access.block, access.cycle));
        }
        Held::default()
    }

    fn hold_shared(&mut self, access: &SharedAccess) -> Held {
        self.requests.push((ArrayKind::Shared, access.active.count()));
        for row in access.rows {
            self.accesses.push((ArrayKind::Shared, row.line as usize, access.cycle));
        }
        Held::default()
    }
}

impl SliceHooks for Recorder {
    fn hold(&mut self, access: &SliceAccess) -> Held {
        if !access.whole {
            self.requests.push((ArrayKind::L2, access.active.count()));
        }
        self.accesses.push((ArrayKind::L2, access.block, access.cycle));
        Held::default()
    }
}

/// The bucket of a value, found by looking.
fn bucket(value: u64) -> usize {
    (0..BUCKETS).rev().find(|n| *n == 0 || value >= 1 << (n - 1)).unwrap_or(0)
}

#[test]
fn histograms_and_utilisation_are_what_a_recount_finds() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(&["bfs", "mummer", "nw"], folder.path(), 1);
    let lab = Lab { options: &options, units: &Models, study: "caches" };
    let config = Arc::new(lab.machine(caches::MACHINE, &caches::reference()).unwrap());
    for kernel in &options.kernels {
        let mut counted = lab.attached(&config, None).unwrap();
        lab.run_kernel(kernel, "tiny33", &mut counted).unwrap();
        let counts = array_counts(counted.gpu().unwrap());

        let recorder = |_| Recorder::default();
        let mut machine = Machine::new(&config, Limits::default(), 1, recorder, recorder).unwrap();
        lab.run_kernel(kernel, "tiny33", &mut machine).unwrap();
        assert_eq!(machine.record().cycles, counted.record().cycles, "word lines cost no time");
        let gpu = machine.gpu().unwrap();
        let sms = gpu.sms.iter().map(|sm| &sm.hooks);
        let recorders: Vec<&Recorder> =
            sms.chain(gpu.partitions.iter().map(|slice| &slice.hooks)).collect();
        for kind in ArrayKind::ALL {
            let case = format!("{} {}", kernel.name, kind.name());
            let threads: Vec<u32> = recorders
                .iter()
                .flat_map(|r| r.requests.iter().filter(|r| r.0 == kind).map(|r| r.1))
                .collect();
            assert_eq!(counts[kind].requests, threads.len() as u64, "{case}");
            assert_eq!(
                counts[kind].active_threads,
                u64::from(threads.iter().sum::<u32>()),
                "{case}"
            );
            let (mut by_accesses, mut by_interval) = ([0u64; BUCKETS], [0u64; BUCKETS]);
            let (mut touched, mut cycles) = (0, 0);
            for recorder in &recorders {
                let mut blocks: HashMap<usize, Vec<u64>> = HashMap::new();
                for (_, block, cycle) in recorder.accesses.iter().filter(|a| a.0 == kind) {
                    blocks.entry(*block).or_default().push(*cycle);
                }
                touched += blocks.len() as u64;
                for times in blocks.values() {
                    by_accesses[bucket(times.len() as u64)] += 1;
                    for pair in times.windows(2) {
                        by_interval[bucket(pair[1] - pair[0])] += 1;
                        cycles += pair[1] - pair[0];
                    }
                }
            }
            by_accesses[0] = counts[kind].blocks - touched;
            assert_eq!(counts[kind].by_accesses, by_accesses, "{case}");
            assert_eq!(counts[kind].by_interval, by_interval, "{case}");
            assert_eq!(counts[kind].interval_cycles, cycles, "{case}");
        }
    }
}

#[test]
fn one_block_awake_saves_what_the_thesis_says() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(&["bfs", "nw"], folder.path(), 2);
    let lab = Lab { options: &options, units: &Models, study: "caches" };
    let results = Results::measure(&lab).unwrap();
    let at = |variant| results.column(1, 1, variant).unwrap();
    for k in results.all() {
        let reference = results.reference.run(k);
        let saved = |variant, kind| at(variant).run(k).saved(&reference, kind).leakage;
        for (kind, least) in [
            (ArrayKind::L1Data, 92.0),
            (ArrayKind::L2, 92.0),
            (ArrayKind::L1Constant, 94.0),
            (ArrayKind::L1Texture, 98.0),
            (ArrayKind::Shared, 94.0),
        ] {
            assert!(saved(Variant::Plain, kind) > least, "{k} {}", kind.name());
            let plain = at(Variant::Plain).run(k).saved_by_supply(&reference, kind);
            assert!(plain[0] > plain[1] && plain[1] > plain[2], "a lower supply saves more");
            assert_eq!(plain[2], saved(Variant::Plain, kind), "400 mV is the default");
        }
        // The instruction cache sleeps only where it is asked to, and costs time then.
        assert!(saved(Variant::Plain, ArrayKind::L1Instruction) <= 0.5);
        assert!(saved(Variant::Instruction, ArrayKind::L1Instruction) > 80.0);
        // The filter leaks, and keeps reads away from the array.
        assert!(
            saved(Variant::Filter, ArrayKind::L1Data) < saved(Variant::Plain, ArrayKind::L1Data)
        );
        let data = at(Variant::Filter).run(k).measured.counts[ArrayKind::L1Data];
        assert_eq!(data.reads + data.filter_hits, data.filter_looks);
        assert!(data.filter_hits > 0, "{k}");
    }
}

#[test]
fn the_report_is_the_same_for_any_number_of_threads() {
    let written: Vec<_> = [1, 2]
        .map(|threads| {
            let folder = tempfile::tempdir().unwrap();
            let options = options(&["bfs", "vecadd"], folder.path(), threads);
            let lab = Lab { options: &options, units: &Models, study: "caches" };
            let report = caches::run(&lab).unwrap();
            assert!(report.unexplained().is_empty(), "{:?}", report.unexplained());
            report.write(folder.path()).unwrap();
            let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
            ["caches.md", "caches/record.csv", "caches/record.json"].map(read)
        })
        .into();
    assert_eq!(written[0], written[1]);
    assert!(written[0][0].contains("**Warning**: wrong accesses by kernel"), "{}", written[0][0]);
}
