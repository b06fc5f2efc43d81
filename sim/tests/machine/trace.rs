//! The pipeline trace, read back as a viewer would.

use super::harness::{job, machine, run_hooked, Bench};
use lanewise_sim::machine::sm::decode::Unit;
use lanewise_sim::machine::sm::hooks::{CacheAccess, Held, Hooks, Issue, Silent};
use lanewise_sim::machine::sm::l1::CacheKind;
use lanewise_sim::machine::{Limits, Machine, Trace, Watch};
use lanewise_sim::ptx::Module;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// Keeps its own account of what the trace is told.
#[derive(Clone)]
struct Told {
    watch: Watch,
    open: HashMap<(usize, u32), Vec<(u32, u64)>>,
    /// Line, start and end of each memory instruction.
    memory: Vec<(u32, u64, u64)>,
    /// Line, start and cycles in the unit of every other.
    entered: Vec<(u32, u64, u64)>,
    instructions: u64,
    barriers: u64,
}

impl Told {
    fn new(sm: usize) -> Self {
        Told {
            watch: Watch::new(sm, None, true),
            open: HashMap::new(),
            memory: vec![],
            entered: vec![],
            instructions: 0,
            barriers: 0,
        }
    }
}

impl Hooks for Told {
    fn issued(&mut self, issue: &Issue) {
        self.watch.issued(issue);
        self.instructions += 1;
        let key = (issue.candidate.warp, issue.candidate.pc);
        match issue.candidate.unit {
            Unit::Ldst if issue.executed.count() > 0 => {
                self.open.entry(key).or_default().push((issue.line, issue.cycle));
            }
            Unit::Ldst => {}
            _ => self.entered.push((issue.line, issue.start, issue.occupies)),
        }
    }

    fn hold(&mut self, access: &CacheAccess) -> Held {
        self.watch.hold(access)
    }

    fn miss(&mut self, cache: CacheKind, slot: usize, starts: bool, cycle: u64) {
        self.watch.miss(cache, slot, starts, cycle);
    }

    fn memory_completed(&mut self, warp: usize, pc: u32, cycle: u64) {
        self.watch.memory_completed(warp, pc, cycle);
        let (line, start) = self.open.get_mut(&(warp, pc)).expect("it was issued").remove(0);
        self.memory.push((line, start, cycle));
    }

    fn barrier(&mut self, warp: usize, cycle: u64) {
        self.watch.barrier(warp, cycle);
        self.barriers += 1;
    }
}

/// A slice: name, start, end.
type Slice = (String, u64, u64);

/// What the viewer gets: slices by process and track, the tracks' names, and the moments.
struct Shown {
    tracks: BTreeMap<(u64, u64), Vec<Slice>>,
    names: HashMap<(u64, u64), String>,
    moments: u64,
}

fn shown(traces: &[&Trace], module: &Module) -> Shown {
    let mut text = vec![];
    Trace::write(traces, module, &mut text).expect("memory");
    let json: Value = serde_json::from_slice(&text).expect("it is JSON");
    let mut shown = Shown { tracks: BTreeMap::new(), names: HashMap::new(), moments: 0 };
    for event in json["traceEvents"].as_array().expect("events") {
        let number = |key: &str| event[key].as_u64().unwrap_or_else(|| panic!("{event}"));
        let text = |value: &Value| value.as_str().expect("a string").to_string();
        match event["ph"].as_str() {
            Some("M") if event["name"] == "thread_name" => {
                let name = text(&event["args"]["name"]);
                shown.names.insert((number("pid"), number("tid")), name);
            }
            Some("M") => {}
            Some("X") => {
                let slice = (text(&event["name"]), number("ts"), number("ts") + number("dur"));
                shown.tracks.entry((number("pid"), number("tid"))).or_default().push(slice);
            }
            Some("i") => shown.moments += 1,
            _ => panic!("{event}"),
        }
    }
    shown
}

impl Shown {
    /// Slices of all tracks whose name begins so, sorted.
    fn slices(&self, prefix: &str) -> Vec<Slice> {
        let of = |at| self.names.get(at).is_some_and(|name| name.starts_with(prefix));
        let tracks = self.tracks.iter().filter(|(at, _)| of(at));
        let mut slices: Vec<Slice> = tracks.flat_map(|(_, slices)| slices.clone()).collect();
        slices.sort();
        slices
    }
}

#[test]
fn slices_of_a_track_never_overlap_and_loads_end_when_they_complete() {
    // Several kernels and launches, barriers, guarded loads, atomics.
    for name in ["scan", "bfs", "streamcluster"] {
        let job = job(name, "odd");
        let config = machine(&["gpu.sms=2"]);
        let (outcome, machine) = run_hooked(&job, &config, 1, Told::new);
        assert!(outcome.passed(), "{name}");
        let sms = &machine.gpu().expect("it has run").sms;
        let traces: Vec<&Trace> = sms.iter().filter_map(|sm| sm.hooks.watch.trace()).collect();
        assert!(traces.iter().all(|trace| !trace.is_truncated()));
        let module = job.module();
        let shown = shown(&traces, module);
        for (at, slices) in &shown.tracks {
            let mut slices = slices.clone();
            slices.sort_by_key(|slice| slice.1);
            for pair in slices.windows(2) {
                assert!(pair[0].2 <= pair[1].1, "{name}: {}: {pair:?}", shown.names[at]);
            }
        }
        let named = |(line, start, end): (u32, u64, u64)| {
            (module.source.line(line).trim().to_string(), start, end)
        };
        let told = |f: fn(&Told) -> Vec<(u32, u64, u64)>| {
            let mut all: Vec<Slice> = sms.iter().flat_map(|sm| f(&sm.hooks)).map(named).collect();
            all.sort();
            all
        };
        assert_eq!(shown.slices("unit LD/ST"), told(|t| t.memory.clone()), "{name}");
        let entered = |t: &Told| t.entered.iter().map(|&(l, s, o)| (l, s, s + o)).collect();
        let mut units = shown.slices("unit SP");
        units.extend(shown.slices("unit SFU"));
        units.sort();
        assert_eq!(units, told(entered), "{name}");
        let sum = |f: fn(&Told) -> u64| sms.iter().map(|sm| f(&sm.hooks)).sum::<u64>();
        assert_eq!(shown.slices("warp").len() as u64, sum(|t| t.instructions), "{name}");
        assert_eq!(shown.moments, sum(|t| t.barriers), "{name}");
    }
}

#[test]
fn a_load_whose_guard_holds_nowhere_ends_by_itself() {
    // The guard holds in every second round, so a lost end would be taken by the next round's load.
    let body = "and.b32 %r1, %n, 1;\nsetp.ne.s32 %q1, %r1, 0;\n@%q1 ld.global.u32 %r2, [%base];";
    let bench = Bench::new(body);
    let limits = Limits::default();
    let mut machine =
        Machine::new(&bench.machine(), limits, 1, |sm| Watch::new(sm, None, true), |_| Silent)
            .expect("a scheduler");
    let module = bench.run_on(&mut machine, 20).expect("it runs");
    let trace = machine.gpu().expect("it has run").sms[0].hooks.trace().expect("a trace");
    let shown = shown(&[trace], &module);
    let loads: Vec<Slice> =
        shown.slices("warp").into_iter().filter(|s| s.0.contains("ld.global")).collect();
    assert_eq!(loads.len(), 20);
    let entered = shown.slices("unit LD/ST");
    assert_eq!(entered.iter().filter(|s| s.0.contains("ld.global")).count(), 10);
    // The first misses; all others hit or never begin.
    let longest = loads.iter().map(|s| s.2 - s.1).collect::<Vec<_>>();
    assert_eq!(longest.iter().filter(|cycles| **cycles > 100).count(), 1, "{longest:?}");
}
