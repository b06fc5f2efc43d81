//! What an SM exposes and what a study may decide, held to exact values on small kernels.

use super::harness::Bench;
use lanewise_sim::exec::LaneMask;
use lanewise_sim::machine::gpu::Gpu;
use lanewise_sim::machine::sm::decode::{SpPipe, Unit};
use lanewise_sim::machine::sm::hooks::{
    CacheAccess, Candidate, CycleSignals, Held, Hooks, Issue, Passes, SharedAccess, Touch,
    WarpKinds,
};
use lanewise_sim::machine::sm::l1::CacheKind;
use lanewise_sim::machine::sm::scheduler::WarpSet;
use lanewise_sim::machine::uncore::hooks::{SliceAccess, SliceHooks};
use lanewise_sim::machine::{Limits, Machine};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

/// What is decided; nothing by default.
#[derive(Clone, Copy, Default)]
struct Orders {
    /// Of hits in the data cache.
    data: Held,
    /// Of accesses to shared memory.
    shared: Held,
    /// L2 cycles of every access that reads a slice's array.
    slice: u64,
    /// SP operations issue from here on.
    not_before: u64,
    /// The lanes of this SP want to sleep.
    sleeping_sp: Option<usize>,
    /// How SP operations go through their unit.
    passes: Option<Passes>,
    /// The latency of this warp is doubled.
    slow_warp: Option<usize>,
    /// The warp with the highest number goes first.
    highest_first: bool,
}

/// Writes down everything.
#[derive(Clone, Default)]
struct Recorder {
    orders: Orders,
    issues: Vec<Issue>,
    cycles: Vec<(CycleSignals, u64)>,
    accesses: Vec<CacheAccess>,
    /// Cycle, issue, cycles and whether it writes.
    shared: Vec<(u64, u64, u64, bool)>,
    memory: Vec<(usize, u32, u64)>,
    loads: Vec<(usize, u32, u64)>,
    barriers: Vec<(usize, u64)>,
    /// Outstanding misses, from and to.
    misses: Vec<(u64, u64)>,
    open: HashMap<(CacheKind, usize), u64>,
    /// Scheduler, who was ready, and how many instructions had issued.
    asked: Vec<(usize, WarpSet, usize)>,
}

impl Hooks for Recorder {
    const WATCHES_CYCLES: bool = true;
    const PREFERS: bool = true;

    fn cycles(&mut self, signals: &CycleSignals, count: u64) {
        self.cycles.push((*signals, count));
    }

    fn prefer(&mut self, scheduler: usize, ready: WarpSet, kinds: &WarpKinds) -> WarpSet {
        assert_eq!(ready & !kinds.buffered, 0, "what is ready is decoded");
        assert_eq!(kinds.int & kinds.fp | kinds.int & kinds.sfu | kinds.fp & kinds.sfu, 0);
        self.asked.push((scheduler, ready, self.issues.len()));
        if self.orders.highest_first {
            1 << (63 - ready.leading_zeros())
        } else {
            ready
        }
    }

    fn wake_delay(&mut self, candidate: &Candidate) -> u64 {
        if self.orders.sleeping_sp == Some(candidate.sp) {
            100
        } else {
            0
        }
    }

    fn may_issue(&mut self, candidate: &Candidate, cycle: u64) -> bool {
        !matches!(candidate.unit, Unit::Sp(_)) || cycle >= self.orders.not_before
    }

    fn passes(&mut self, _candidate: &Candidate, _cycle: u64) -> Passes {
        self.orders.passes.unwrap_or_default()
    }

    fn issued(&mut self, issue: &Issue) {
        self.issues.push(*issue);
    }

    fn hold(&mut self, access: &CacheAccess) -> Held {
        self.accesses.push(*access);
        match (access.cache, access.touch) {
            (CacheKind::Data, Touch::Read) => self.orders.data,
            _ => Held::default(),
        }
    }

    fn hold_shared(&mut self, access: &SharedAccess) -> Held {
        self.shared.push((access.cycle, access.known, access.cycles, access.write));
        self.orders.shared
    }

    fn memory_completed(&mut self, warp: usize, pc: u32, cycle: u64) {
        self.memory.push((warp, pc, cycle));
    }

    fn load_completed(&mut self, warp: usize, pc: u32, cycle: u64) {
        self.loads.push((warp, pc, cycle));
    }

    fn barrier(&mut self, warp: usize, cycle: u64) {
        self.barriers.push((warp, cycle));
    }

    fn miss(&mut self, cache: CacheKind, slot: usize, starts: bool, cycle: u64) {
        if starts {
            assert_eq!(self.open.insert((cache, slot), cycle), None);
        } else {
            let since = self.open.remove(&(cache, slot)).expect("it has started");
            self.misses.push((since, cycle));
        }
    }

    fn scaled_latency(&mut self, warp: usize, latency: u64) -> u64 {
        if self.orders.slow_warp == Some(warp) {
            2 * latency
        } else {
            latency
        }
    }
}

impl Recorder {
    /// The issues of the `k`-th instruction of a bench's body, by warp.
    fn body(&self, ran: &Observed, k: u32) -> Vec<&Issue> {
        let mut issues: Vec<&Issue> =
            self.issues.iter().filter(|issue| issue.line == ran.body_line + k).collect();
        issues.sort_by_key(|issue| issue.candidate.warp);
        issues
    }

    /// When a memory instruction that issued once was complete.
    fn completed(&self, issue: &Issue) -> u64 {
        let key = (issue.candidate.warp, issue.candidate.pc);
        let mut found = self.memory.iter().filter(|(warp, pc, _)| (*warp, *pc) == key);
        let (_, _, cycle) = found.next().expect("it is complete");
        assert_eq!(found.next(), None, "once");
        *cycle
    }

    fn data(&self, touch: Touch) -> Vec<&CacheAccess> {
        let wanted = |a: &&CacheAccess| a.cache == CacheKind::Data && a.touch == touch;
        self.accesses.iter().filter(wanted).collect()
    }

    /// The cycles in which a signal is on, while warps live here.
    fn on(&self, signal: impl Fn(&CycleSignals) -> bool) -> HashSet<u64> {
        let on = self.cycles.iter().filter(|(signals, _)| !signals.empty && signal(signals));
        on.flat_map(|(signals, count)| signals.cycle..signals.cycle + count).collect()
    }
}

/// Holds what reads the array of a slice, and writes it down.
#[derive(Clone, Default)]
struct Slice {
    delay: u64,
    accesses: Vec<SliceAccess>,
}

impl SliceHooks for Slice {
    fn hold(&mut self, access: &SliceAccess) -> Held {
        self.accesses.push(*access);
        Held { delay: if access.whole { 0 } else { self.delay }, stall: 0 }
    }
}

/// Where a warp stands: cycle, warp slot, program counter and lanes.
type Sample = (u64, usize, u32, LaneMask);

/// A bench that has run under a recorder.
struct Observed {
    sm: Recorder,
    slices: Vec<Slice>,
    cycles: u64,
    time_ns: f64,
    body_line: u32,
    /// Between quanta.
    warps: Vec<Sample>,
}

fn observe(bench: &Bench, orders: Orders) -> Observed {
    let limits = Limits::default();
    let hooks = move |_| Recorder { orders, ..Recorder::default() };
    let slices = move |_| Slice { delay: orders.slice, accesses: vec![] };
    let samples: Arc<Mutex<Vec<Sample>>> = Arc::default();
    let seen = samples.clone();
    let look = move |gpu: &mut Gpu<Recorder, Slice>| {
        let sm = &gpu.sms[0];
        let now = sm.warps().map(|(warp, pc, lanes)| (sm.cycle(), warp, pc, lanes));
        seen.lock().expect("nobody panics").extend(now);
    };
    let mut machine = Machine::new(&bench.machine(), limits, 1, hooks, slices)
        .expect("a scheduler")
        .between(Box::new(look));
    bench.run_on(&mut machine, 1).expect("it runs");
    let gpu = machine.gpu().expect("it has run");
    let timing = &machine.record().kernels[0];
    let warps = samples.lock().expect("nobody panics").clone();
    Observed {
        sm: gpu.sms[0].hooks.clone(),
        slices: gpu.partitions.iter().map(|p| p.hooks.clone()).collect(),
        cycles: timing.cycles,
        time_ns: timing.time_ns,
        body_line: bench.body_line(),
        warps,
    }
}

/// Two warps. Lanes are 8 bytes apart, so that each warp touches every other word of two lines; the second load waits
/// for the first, and hits.
fn memory_bench() -> Bench {
    Bench::new(
        "mad.wide.u32 %rd1, %id, 8, %base;
        ld.global.u32 %r1, [%rd1];
        cvt.u64.u32 %rd2, %r1;
        add.u64 %rd3, %rd1, %rd2;
        ld.global.u32 %r2, [%rd3];
        st.global.u32 [%rd3], %r2;
        membar.gl;
        bar.sync 0;",
    )
    .block(64)
}

/// A store to shared memory and a load, lanes so many bytes apart.
fn shared_bench(stride: u32) -> Bench {
    let address = format!("mad.lo.u32 %r1, %id, {stride}, %r3;\n");
    Bench::new(&(address + "st.shared.u32 [%r1], %id;\nld.shared.u32 %r2, [%r1];"))
        .setup("mov.u32 %r3, tile;")
        .module(".shared .align 4 .b8 tile[256];")
}

const FIRST_LOAD: u32 = 1;
const SECOND_LOAD: u32 = 4;
const STORE: u32 = 5;
const FENCE: u32 = 6;
const BARRIER: u32 = 7;

#[test]
fn every_cycle_tells_how_many_instructions_issued() {
    let ran = observe(&memory_bench(), Orders::default());
    let mut issued: HashMap<u64, u32> = HashMap::new();
    ran.sm.issues.iter().for_each(|issue| *issued.entry(issue.cycle).or_default() += 1);
    let mut next = 0;
    for (signals, count) in &ran.sm.cycles {
        assert_eq!(signals.cycle, next, "every cycle once");
        next += count;
        let expected = issued.remove(&signals.cycle).unwrap_or(0);
        assert_eq!(signals.issued, expected, "cycle {}", signals.cycle);
        assert!(*count == 1 || signals.issued == 0);
    }
    assert!(issued.is_empty());
    // The last quantum goes on after the kernel's end.
    assert!((ran.cycles..ran.cycles + 100).contains(&next), "{next} {}", ran.cycles);
}

#[test]
fn every_issue_tells_which_lanes_of_which_pipeline_work_and_when() {
    // The guard holds in the lower half; both operations have an interval of their own.
    let body = "setp.lt.u32 %q1, %id, 16;\n@%q1 mul.lo.s32 %r1, %id, 3;\nadd.f32 %f2, %f1, %f1;";
    let ran = observe(&Bench::new(body), Orders::default());
    for (k, pipe, executed, latency, occupies) in [
        (0, SpPipe::Int, u32::MAX, 4, 1),
        (1, SpPipe::Int, 0xffff, 4, 2),
        (2, SpPipe::Fp, u32::MAX, 4, 1),
    ] {
        let issues = ran.sm.body(&ran, k);
        let [issue] = issues[..] else { panic!("{issues:?}") };
        assert_eq!(issue.candidate.unit, Unit::Sp(pipe));
        assert_eq!((issue.candidate.active, issue.executed.0), (LaneMask::ALL, executed));
        assert_eq!((issue.start - issue.cycle, issue.end - issue.start), (2, latency));
        assert_eq!(issue.occupies, occupies);
    }
}

#[test]
fn every_cache_access_tells_lanes_words_and_block() {
    let ran = observe(&memory_bench(), Orders::default());
    let misses = ran.sm.data(Touch::Tags);
    let blocks: Vec<usize> = misses.iter().map(|access| access.block).collect();
    assert_eq!(blocks.iter().collect::<HashSet<_>>().len(), 4, "{blocks:?}");
    let loads = ran.sm.body(&ran, FIRST_LOAD);
    let seconds = ran.sm.body(&ran, SECOND_LOAD);
    let stores = ran.sm.body(&ran, STORE);
    for (touch, issues) in [(Touch::Tags, &loads), (Touch::Read, &seconds), (Touch::Evict, &stores)]
    {
        let accesses = ran.sm.data(touch);
        assert_eq!(accesses.len(), 4, "{touch:?}");
        let mut seen: Vec<usize> = accesses.iter().map(|a| a.block).collect();
        for pair in accesses.chunks(2) {
            let lanes = [pair[0].lanes.0, pair[1].lanes.0];
            assert_eq!(lanes, [0x0000_ffff, 0xffff_0000], "{touch:?}");
            // A transaction a cycle, as long as nothing has to leave the SM.
            assert!(pair[1].cycle == pair[0].cycle + 1 || touch != Touch::Read);
        }
        for access in accesses {
            assert_eq!((access.active, access.words), (LaneMask::ALL, 0x5555_5555));
            // The block could be known from the issue on.
            let issue = issues.iter().find(|issue| issue.cycle == access.known);
            let issue = issue.unwrap_or_else(|| panic!("nothing issued then: {access:?}"));
            assert!(access.cycle >= issue.start);
        }
        let mut expected = blocks.clone();
        expected.sort_unstable();
        seen.sort_unstable();
        assert_eq!(seen, expected, "{touch:?}");
    }
    let refills = ran.sm.data(Touch::Refill);
    assert_eq!(refills.len(), 4);
    assert!(refills.iter().all(|a| a.words == u32::MAX && blocks.contains(&a.block)));
    let caches: HashSet<CacheKind> = ran.sm.accesses.iter().map(|a| a.cache).collect();
    let all = [CacheKind::Data, CacheKind::Constant, CacheKind::Instruction];
    assert_eq!(caches, all.into_iter().collect());
    // Stores reach the slices with their words, lines come whole.
    let slices = ran.slices.iter().flat_map(|slice| &slice.accesses);
    let stored = slices.filter(|a| a.write && !a.whole && a.words == 0x5555_5555);
    assert_eq!(stored.count(), 4);
}

#[test]
fn loads_are_complete_once_a_warp_and_stores_and_fences_are_no_loads() {
    let ran = observe(&memory_bench(), Orders::default());
    for warp in 0..2 {
        let of = |list: &[(usize, u32, u64)]| -> Vec<u32> {
            let mut pcs: Vec<u32> = list.iter().filter(|l| l.0 == warp).map(|l| l.1).collect();
            pcs.sort_unstable();
            pcs
        };
        let pc = |k: u32| ran.sm.body(&ran, k)[0].candidate.pc;
        // Two parameters come before the body.
        let loads = [0, 1, pc(FIRST_LOAD), pc(SECOND_LOAD)];
        assert_eq!(of(&ran.sm.loads), loads);
        assert_eq!(of(&ran.sm.memory), [&loads[..], &[pc(STORE), pc(FENCE)]].concat());
    }
    // What a load brings may be used in the cycle in which it is complete.
    for (load, user) in std::iter::zip(ran.sm.body(&ran, FIRST_LOAD), ran.sm.body(&ran, 2)) {
        assert_eq!(load.candidate.warp, user.candidate.warp);
        assert!(user.cycle >= ran.sm.completed(load));
    }
}

#[test]
fn barriers_are_told_when_each_warp_arrives() {
    let ran = observe(&memory_bench(), Orders::default());
    let issues = ran.sm.body(&ran, BARRIER);
    let mut arrivals = ran.sm.barriers.clone();
    arrivals.sort_unstable();
    assert_eq!(arrivals, [(0, issues[0].cycle), (1, issues[1].cycle)]);
}

#[test]
fn hazard_signals_are_on_in_exactly_the_cycles_they_speak_of() {
    let ran = observe(&memory_bench(), Orders::default());
    let resident = ran.sm.on(|_| true);
    let outstanding: HashSet<u64> = ran.sm.misses.iter().flat_map(|&(from, to)| from..to).collect();
    let expected: HashSet<u64> = outstanding.intersection(&resident).copied().collect();
    assert_eq!(ran.sm.on(|s| s.load_outstanding), expected);
    // A fence goes on in the cycle of the last acknowledgement and is complete in the next.
    let fences = ran.sm.body(&ran, FENCE);
    let fence = fences.iter().map(|issue| ran.sm.completed(issue)).max().expect("two");
    let stores = ran.sm.on(|s| s.store_outstanding);
    assert_eq!(stores.iter().max(), Some(&(fence - 2)));
    // The warp with the second load waits for the first from when its buffer holds it to the load's completion.
    let loads = ran.sm.body(&ran, FIRST_LOAD);
    let last = loads.iter().map(|issue| ran.sm.completed(issue)).max().expect("two");
    let waiting = ran.sm.on(|s| s.raw_memory);
    assert!(
        waiting.contains(&(last - 1)) && !ran.sm.on(|s| s.census.live & !3 != 0).contains(&last)
    );
    assert_eq!(ran.sm.on(|s| s.census.live == 3).iter().min(), Some(&0));
    // Two words a bank: every access to shared memory is repeated once.
    let bench = shared_bench(8);
    let ran = observe(&bench, Orders::default());
    let repeats: HashSet<u64> =
        ran.sm.shared.iter().flat_map(|&(at, _, cycles, _)| at..at + cycles - 1).collect();
    assert_eq!(repeats.len(), 2);
    assert_eq!(ran.sm.on(|s| s.bank_conflict), repeats);
    let issues = [1, 2].map(|k| ran.sm.body(&ran, k)[0].cycle);
    let told: Vec<(u64, bool)> = ran.sm.shared.iter().map(|s| (s.1, s.3)).collect();
    assert_eq!(told, [(issues[0], true), (issues[1], false)]);
}

#[test]
fn program_counters_and_masks_of_warps_are_those_of_their_next_issue() {
    let slow = "div.s32 %r1, %r1, %r2;\n".repeat(6);
    let body =
        format!("setp.lt.u32 %q1, %id, 40;\n@!%q1 bra PAST;\n{slow}PAST:\nadd.s32 %r3, %r3, 1;");
    let bench = Bench::new(&body).setup("mov.u32 %r1, 5;\nmov.u32 %r2, 1;").block(64);
    let ran = observe(&bench, Orders::default());
    let mut masks = HashSet::new();
    for &(cycle, warp, pc, lanes) in &ran.warps {
        let mut later = ran.sm.issues.iter().filter(|i| i.candidate.warp == warp);
        let next = later.find(|i| i.cycle >= cycle).expect("it has something to run");
        assert_eq!((next.candidate.pc, next.candidate.active), (pc, lanes), "cycle {cycle}");
        masks.insert((warp, lanes.0));
    }
    assert!(masks.contains(&(0, u32::MAX)) && masks.contains(&(1, 0xff)), "{masks:?}");
}

#[test]
fn a_study_prefers_warps() {
    // Eight warps, four a scheduler, with arithmetic that is ready at once.
    let bench = Bench::new(&"add.s32 %r1, %r2, 1;\nadd.s32 %r3, %r4, 1;\n".repeat(8))
        .block(256)
        .set("sm.instruction_buffer=16");
    let choices = |highest_first| {
        let ran = observe(&bench, Orders { highest_first, ..Orders::default() });
        let sm = ran.sm;
        // Whoever issued next is the answer to the question.
        let answers = sm.asked.iter().map(|&(scheduler, ready, at)| {
            let warp = sm.issues[at].candidate.warp;
            assert_eq!(warp % 2, scheduler);
            assert!(ready >> warp & 1 != 0);
            (ready, warp)
        });
        answers.filter(|(ready, _)| ready.count_ones() > 1).collect::<Vec<_>>()
    };
    let highest = |ready: WarpSet| 63 - ready.leading_zeros() as usize;
    let preferred = choices(true);
    assert!(preferred.len() > 20);
    assert!(preferred.iter().all(|(ready, warp)| *warp == highest(*ready)));
    assert!(choices(false).iter().any(|(ready, warp)| *warp != highest(*ready)));
}

#[test]
fn a_study_folds_adds_stages_and_scales_latencies() {
    let bench = Bench::new("add.s32 %r1, %r1, 1;\nmul.f32 %f1, %f1, %f1;").block(64);
    let shape = |orders: Orders| {
        let ran = observe(&bench, orders);
        [0, 1].map(|k| {
            let issues = ran.sm.body(&ran, k);
            [0, 1].map(|w| (issues[w].end - issues[w].start, issues[w].occupies))
        })
    };
    assert_eq!(shape(Orders::default()), [[(4, 1); 2]; 2]);
    // Two passes: the second is one interval behind; three more stages.
    let passes = Some(Passes { count: 2, extra_latency: 3 });
    assert_eq!(shape(Orders { passes, ..Orders::default() }), [[(8, 2); 2]; 2]);
    let slow_warp = Some(1);
    assert_eq!(shape(Orders { slow_warp, ..Orders::default() }), [[(4, 1), (8, 1)]; 2]);
}

#[test]
fn a_study_keeps_lanes_that_sleep_from_work() {
    let bench = Bench::new("add.s32 %r1, %r1, 1;\nadd.s32 %r2, %r2, 1;").block(64);
    let orders = Orders { sleeping_sp: Some(0), ..Orders::default() };
    let sp = |ran: &Observed| -> HashSet<usize> {
        let on_sp = |i: &&Issue| matches!(i.candidate.unit, Unit::Sp(_));
        ran.sm.issues.iter().filter(on_sp).map(|i| i.candidate.sp).collect()
    };
    assert_eq!(sp(&observe(&bench, orders)), HashSet::from([1]));
    assert_eq!(sp(&observe(&bench, Orders::default())), HashSet::from([0, 1]));
    // And nothing issues to an SP before the study lets it.
    let ran = observe(&bench, Orders { not_before: 2000, ..Orders::default() });
    let mut sp = ran.sm.issues.iter().filter(|i| matches!(i.candidate.unit, Unit::Sp(_)));
    assert_eq!(sp.next().map(|issue| issue.cycle), Some(2000));
}

#[test]
fn a_study_holds_accesses_to_every_array() {
    let config = memory_bench().machine();
    for data in [Held::default(), Held { delay: 9, stall: 0 }, Held { delay: 2, stall: 5 }] {
        let ran = observe(&memory_bench(), Orders { data, ..Orders::default() });
        let hits = ran.sm.data(Touch::Read);
        let mut loads = ran.sm.body(&ran, SECOND_LOAD);
        loads.sort_by_key(|issue| issue.cycle);
        for (issue, pair) in loads.iter().zip(hits.chunks(2)) {
            assert_eq!(pair[1].cycle - pair[0].cycle, 1 + data.stall);
            let complete = pair[1].cycle + config.l1_data.hit_cycles + data.delay;
            assert_eq!(ran.sm.completed(issue), complete, "{data:?}");
        }
    }
    let bench = shared_bench(4);
    for shared in [Held::default(), Held { delay: 6, stall: 3 }] {
        let ran = observe(&bench, Orders { shared, ..Orders::default() });
        let (at, _, cycles, _) = ran.sm.shared[1];
        let complete = at + cycles - 1 + config.sm.shared_cycles + shared.delay;
        assert_eq!(ran.sm.completed(ran.sm.body(&ran, 2)[0]), complete);
        assert!(at >= ran.sm.shared[0].0 + 1 + shared.stall);
    }
    // The store drops the line from the L1, so that the second load hits in the L2. Its clock is as fast as the core's.
    let body = "ld.global.u32 %r1, [%base];\nst.global.u32 [%base], %r1;\nmembar.gl;\n\
                ld.global.u32 %r2, [%base];";
    let cycles = |slice| {
        let ran = observe(&Bench::new(body), Orders { slice, ..Orders::default() });
        // The store is held as well, which the fence waits for.
        let [fence, load] = [2, 3].map(|k| ran.sm.completed(ran.sm.body(&ran, k)[0]));
        load - fence
    };
    assert_eq!(cycles(40), cycles(0) + 40);
}

#[test]
fn a_study_sets_the_core_clock() {
    let bench = Bench::new(&"add.s32 %r1, %r1, 1;\n".repeat(400));
    let whole = observe(&bench, Orders::default());
    let half = observe(&bench.clone().set("clocks.core_mhz=350"), Orders::default());
    let ratio = |ran: &Observed| ran.time_ns / ran.cycles as f64;
    assert!((ratio(&half) / ratio(&whole) - 2.0).abs() < 1e-6);
}
