//! The same job gives the same bytes, whoever simulates it and whoever looks on.

use super::harness::{job, machine, run, run_hooked, Bench};
use lanewise_sim::job::Outcome;
use lanewise_sim::machine::sm::decode::{SpPipe, Unit};
use lanewise_sim::machine::sm::hooks::{CacheAccess, Held, Hooks, Issue, Silent};
use lanewise_sim::machine::sm::l1::CacheKind;
use lanewise_sim::machine::{Limits, Machine, SeriesRow, Watch};
use serde_json::Value;

/// Kernels with barriers, atomics, textures, divergence and several launches.
const VARIED: [&str; 6] = ["bfs", "histogram", "matmul", "scan", "rotate", "streamcluster"];

fn json(outcome: &Outcome) -> String {
    serde_json::to_string_pretty(&outcome.record).expect("records are JSON")
}

#[test]
fn records_do_not_depend_on_the_number_of_threads() {
    for name in VARIED {
        let job = job(name, "odd");
        let config = machine(&[]);
        let first = json(&run(&job, &config, 1));
        for threads in [1, 2, 3] {
            assert!(json(&run(&job, &config, threads)) == first, "{name} with {threads} threads");
        }
    }
}

#[test]
fn looking_on_changes_nothing() {
    for name in VARIED {
        let job = job(name, "odd");
        let config = machine(&[]);
        let (watched, machine) = run_hooked(&job, &config, 1, |sm| Watch::new(sm, Some(100), true));
        assert!(json(&watched) == json(&run(&job, &config, 1)), "{name}");
        assert!(machine.gpu().expect("it has run").sms.iter().all(|sm| sm.hooks.trace().is_some()));
    }
}

/// A series, and an account of what issued by unit, which the record does not have.
#[derive(Clone)]
struct Series {
    watch: Watch,
    issued: SeriesRow,
}

impl Hooks for Series {
    fn issued(&mut self, issue: &Issue) {
        self.watch.issued(issue);
        let (lanes, row) = (u64::from(issue.executed.count()), &mut self.issued);
        let (counter, more) = match issue.candidate.unit {
            Unit::Sp(SpPipe::Int) => (&mut row.int_lane_operations, lanes),
            Unit::Sp(SpPipe::Fp) => (&mut row.fp_lane_operations, lanes),
            Unit::Sfu => (&mut row.sfu_warp_instructions, 1),
            Unit::Ldst => (&mut row.memory_warp_instructions, 1),
        };
        *counter += more;
    }

    fn hold(&mut self, access: &CacheAccess) -> Held {
        self.watch.hold(access)
    }

    fn miss(&mut self, cache: CacheKind, slot: usize, starts: bool, cycle: u64) {
        self.watch.miss(cache, slot, starts, cycle);
    }
}

#[test]
fn every_column_of_the_series_sums_to_the_record() {
    for name in VARIED {
        let hooks = |sm| Series { watch: Watch::new(sm, Some(100), false), issued: <_>::default() };
        let (outcome, machine) = run_hooked(&job(name, "odd"), &machine(&[]), 1, hooks);
        let mut expected = [0; SeriesRow::COLUMNS.len()];
        let mut sum = expected;
        let add = |sum: &mut [u64; 8], row: &SeriesRow| {
            std::iter::zip(sum, row.values()).for_each(|(sum, value)| *sum += value);
        };
        for sm in &machine.gpu().expect("it has run").sms {
            sm.hooks.watch.rows().iter().for_each(|row| add(&mut sum, row));
            add(&mut expected, &sm.hooks.issued);
        }
        for kernel in &outcome.record.timing.as_ref().expect("timing").kernels {
            let sm = &kernel.all_sms;
            let caches = [&sm.l1_data, &sm.l1_constant, &sm.l1_texture, &sm.l1_instruction];
            let recorded = SeriesRow {
                warp_instructions: kernel.warp_instructions,
                thread_instructions: kernel.thread_instructions,
                l1_data_accesses: sm.l1_data.accesses,
                l1_misses: caches.iter().map(|c| c.misses).sum(),
                ..SeriesRow::default()
            };
            add(&mut expected, &recorded);
        }
        assert_eq!(sum, expected, "{name}: {:?}", SeriesRow::COLUMNS);
    }
}

#[test]
fn the_table_says_what_the_json_says() {
    let outcome = run(&job("scan", "odd"), &machine(&["gpu.sms=3"]), 1);
    let timing = outcome.record.timing.as_ref().expect("timing");
    let csv = timing.csv();
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().expect("names");
    let json = serde_json::to_value(timing).expect("records are JSON");
    let kernels = json["kernels"].as_array().expect("kernels");
    let rows: Vec<_> = lines.collect();
    assert_eq!(rows.len(), kernels.len() * (3 + 1), "{csv}");
    for (rows, kernel) in rows.chunks(4).zip(kernels) {
        let sms = kernel["sms"].as_array().expect("sms").iter();
        for (n, (row, sm)) in rows.iter().zip(sms.chain([&kernel["all_sms"]])).enumerate() {
            assert_eq!(row.len(), names.len(), "{csv}");
            let whole = n == 3;
            let places = if whole { [kernel, sm] } else { [sm, kernel] };
            for (name, value) in names.iter().zip(row) {
                let memory_side = name.starts_with("l2_") || name.starts_with("dram_");
                let wanted = match *name {
                    "sm" if whole => "all".into(),
                    "sm" => n.to_string(),
                    _ if memory_side && !whole => String::new(),
                    _ => text(find(name, places)),
                };
                assert_eq!(*value, wanted, "{name} of SM {n}");
            }
        }
    }
    // And it leaves nothing out: every number of the JSON has its column.
    for section in ["all_sms", "l2", "dram"] {
        let prefix = if section == "all_sms" { String::new() } else { format!("{section}_") };
        leaves(&prefix, &kernels[0][section], &mut |name| {
            assert!(names.contains(&name), "{name} is no column");
        });
    }
}

/// A value by the name of its column, in the first of these that has it.
fn find<'a>(name: &str, places: [&'a Value; 2]) -> &'a Value {
    let sections = ["scheduler_cycles", "l1_data", "l1_constant", "l1_texture", "l1_instruction"];
    let sections = sections.iter().chain(&["l2", "dram"]);
    let inside = sections.filter_map(|s| Some((*s, name.strip_prefix(s)?.strip_prefix('_')?)));
    let inside: Vec<_> = inside.collect();
    let found = places.iter().find_map(|place| {
        let nested = inside.iter().find_map(|(section, key)| place.get(section)?.get(key));
        place.get(name).or(nested)
    });
    found.unwrap_or_else(|| panic!("the JSON has no {name}"))
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string().trim_end_matches(".0").into(), str::to_string)
}

/// The names of all numbers of a section, as columns.
fn leaves(prefix: &str, value: &Value, each: &mut impl FnMut(&str)) {
    for (key, value) in value.as_object().expect("a section") {
        match value {
            Value::Object(_) => leaves(&format!("{prefix}{key}_"), value, each),
            _ => each(&format!("{prefix}{key}")),
        }
    }
}

#[test]
fn the_record_holds_the_machine_as_it_was_set() {
    let set = ["gpu.sms=2", "sm.scheduler=gto", "l2.hit_cycles=77"];
    let outcome = run(&job("vecadd", "tiny33"), &machine(&set), 1);
    let json = serde_json::to_value(outcome.record.timing.as_ref()).expect("records are JSON");
    let config = &json["config"];
    assert_eq!(config["gpu"]["sms"], 2);
    assert_eq!(config["sm"]["scheduler"], "gto");
    assert_eq!(config["l2"]["hit_cycles"], 77);
    let sm = &json["kernels"][0]["sms"][0];
    let rate = |v: &Value| v["warp_instructions"].as_f64().unwrap() / v["cycles"].as_f64().unwrap();
    assert_eq!(sm["warp_instructions_per_cycle"].as_f64(), Some(rate(sm)));
}

#[test]
fn launches_of_different_shape_are_told_apart() {
    let bench = Bench::new("add.s32 %r1, %r1, 1;");
    let config = bench.machine();
    let mut machine =
        Machine::new(&config, Limits::default(), 1, |_| Silent, |_| Silent).expect("a scheduler");
    for bench in [
        bench.clone().block(64),
        bench.clone().block(512),
        bench.clone().block(64).grid(3),
        bench.clone().block(64).registers(63),
    ] {
        bench.run_on(&mut machine, 1).expect("it runs");
    }
    let shapes: Vec<_> = machine
        .record()
        .kernels
        .iter()
        .map(|k| (k.launches, k.threads_per_block, k.registers_per_thread, k.blocks_per_sm))
        .collect();
    let registers = shapes[0].2;
    assert_eq!(shapes, [(2, 64, registers, 8), (1, 512, registers, 3), (1, 64, 63, 8)]);
}

#[test]
fn row_hits_are_accesses_to_a_row_that_was_open() {
    // One warp reads 64 lines, one after the other: rows of 16, then the next bank.
    let bench = Bench::new("ld.global.u32 %r1, [%rd1];\nadd.u64 %rd1, %rd1, 128;\n")
        .setup("mov.u64 %rd1, %base;")
        .set("gpu.partitions=1")
        .buffer(vec![0; 1 << 16]);
    let dram = bench.run(64).timing.dram;
    assert_eq!(dram.row_hits, dram.reads + dram.writes - dram.activates, "{dram:?}");
    assert!(dram.row_hits > 48 && dram.activates >= 4, "{dram:?}");
}
