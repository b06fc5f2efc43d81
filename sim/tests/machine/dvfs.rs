//! Run time at other core clocks, derived by hand, and what CRISP's counters make of it.

use super::harness::{job, machine, ring, run, Bench};
use lanewise_sim::attach::{self, Models};
use lanewise_sim::crisp::prediction::Rescale;
use lanewise_sim::crisp::Reading;
use lanewise_sim::dvfs::policy::{Interval, Policy};
use lanewise_sim::dvfs::{objective, predictor, Activity, Controller, Goal, Oracle, PState, Power};
use lanewise_sim::job::RunOptions;
use lanewise_sim::machine::gpu::Gpu;
use lanewise_sim::machine::sm::hooks::Silent;
use lanewise_sim::machine::{Limits, Machine};
use std::sync::{Arc, Mutex};

/// What the counters of the only SM say about a bench.
fn counted(bench: &Bench, iterations: u32) -> Reading {
    let config = bench.clone().set("mechanisms.attach=crisp").machine();
    let mut machine = attach::machine(&config, Limits::default(), 1, &Models).unwrap();
    bench.run_on(&mut machine, iterations).unwrap();
    attach::reading(machine.gpu_mut().unwrap())
}

#[test]
fn a_kernel_that_only_computes_takes_time_by_the_inverse_of_the_clock() {
    let bench = Bench::new("add.s32 %r1, %r1, %r2;\nadd.s32 %r1, %r1, %r2;").block(256);
    let fast = bench.clone().run(20_000).timing.time_ns;
    for mhz in [350, 100] {
        let slow = bench.clone().set(&format!("clocks.core_mhz={mhz}.0")).run(20_000);
        let stretch = slow.timing.time_ns / fast;
        let ideal = 700.0 / f64::from(mhz);
        assert!((stretch / ideal - 1.0).abs() < 0.01, "{mhz} MHz: {stretch}");
    }
}

#[test]
fn a_pointer_chase_grows_by_its_core_side_cycles_alone() {
    // Of a hop through the L2 (see latency.rs) two cycles read operands and one wakes the warp: those are the
    // core's. The way there and back and the slice take 49 + 140 + 51 cycles of the other clocks, whatever the
    // core's is. All clocks divide each other, so nothing is lost waiting for an edge.
    let chase = "ld.global.u64 %rd1, [%rd1];";
    let hop = |core: u64| {
        let bench = Bench::new(&[chase; 8].join("\n"))
            .setup("mov.u64 %rd1, %base;")
            .buffer(ring(512, 128))
            .set("clocks.interconnect_mhz=500.0")
            .set("clocks.l2_mhz=500.0")
            .set("l2.hit_cycles=140")
            .set(&format!("clocks.core_mhz={core}.0"));
        let ran = bench.run(256);
        (ran.last(7) - ran.last(0)) / 7
    };
    let (core_side, elsewhere) = (2 + 1, 49 + 140 + 51);
    for core in [500, 250, 100] {
        assert_eq!(hop(core) * (500 / core), core_side * (500 / core) + elsewhere, "{core} MHz");
    }
}

#[test]
fn store_stalls_vanish_as_the_clock_drops() {
    // Every warp stores whole lines as fast as it can; nothing is loaded.
    let setup = "mul.wide.u32 %rd1, %id, 4;\nadd.s64 %rd2, %base, %rd1;";
    let flood =
        Bench::new("st.global.u32 [%rd2], %r1;\nadd.s32 %r1, %r1, 1;\nadd.s32 %r1, %r1, 1;")
            .setup(setup)
            .block(512)
            .buffer(vec![0; 4096])
            .set("gpu.sms=1");
    let share = |mhz: u32| {
        let read = counted(&flood.clone().set(&format!("clocks.core_mhz={mhz}.0")), 300);
        read.store_stalls as f64 / read.active_cycles as f64
    };
    let (fast, slow) = (share(700), share(100));
    assert!(fast > 0.2, "{fast}");
    assert!(slow < 0.1 * fast, "{slow} after {fast}");
}

#[test]
fn every_predictor_returns_the_measured_time_at_the_same_clock() {
    for name in ["bfs", "vecadd", "kmeans"] {
        let config = machine(&["gpu.sms=2", "mechanisms.attach=crisp,rivals"]);
        let mut machine = attach::machine(&config, Limits::default(), 1, &Models).unwrap();
        let outcome = job(name, "odd").run_on(&mut machine, &RunOptions::default()).unwrap();
        assert!(outcome.passed());
        let read = attach::reading(machine.gpu_mut().unwrap());
        assert!(read.active_cycles > 0 && read.load_stalls > 0);
        for predictor in predictor::ALL {
            let stretch = predictor.stretch(&read, Rescale { from_mhz: 700, to_mhz: 700 });
            assert!((stretch - 1.0).abs() < 1e-12, "{name}, {}: {stretch}", predictor.name());
        }
    }
}

#[test]
fn the_controller_slows_down_a_kernel_that_waits() {
    let config = machine(&["gpu.sms=2", "mechanisms.attach=crisp", "dvfs.interval_us=2.0"]);
    let controller = Arc::new(Mutex::new(Controller::of(&config).unwrap()));
    let steps = controller.clone();
    let mut controlled = attach::machine(&config, Limits::default(), 1, &Models)
        .unwrap()
        .between(Box::new(move |gpu| steps.lock().unwrap().step(gpu)));
    let outcome = job("kmeans", "default").run_on(&mut controlled, &RunOptions::default()).unwrap();
    assert!(outcome.passed(), "{:?}", outcome.failures);
    let gpu = controlled.gpu().unwrap();
    let mut controller = controller.lock().unwrap();
    controller.settle(gpu);
    let lowest = controller.decisions.iter().map(|decision| decision.mhz).min().unwrap();
    assert!(lowest < 700, "a kernel that waits for memory is slowed down");
    let plain = run(&job("kmeans", "default"), &machine(&["gpu.sms=2"]), 1);
    let plain = plain.record.timing.unwrap();
    // Far fewer core cycles in about the same time, although the first interval is a good part of the run.
    let cycles = gpu.sms[0].cycle() as f64 / plain.cycles as f64;
    assert!(cycles < 0.85, "{cycles}");
    let time = Activity::of(gpu).seconds() * 1e9 / plain.time_ns;
    assert!((0.95..1.05).contains(&time), "{time}");
    assert!(controller.energy() > 0.0);
}

/// Writes down what it is asked and changes nothing.
struct Scribe {
    minds_launches: bool,
    asked: Arc<Mutex<Vec<Asked>>>,
}

struct Asked {
    ran: String,
    coming: String,
    us: f64,
}

impl Policy for Scribe {
    fn next(&mut self, _goal: &Goal, interval: &Interval) -> PState {
        let Interval { at, did, ran, coming, .. } = *interval;
        let (ran, coming, us) = (ran.to_string(), coming.to_string(), did.seconds() * 1e6);
        self.asked.lock().unwrap().push(Asked { ran, coming, us });
        at
    }

    fn minds_launches(&self) -> bool {
        self.minds_launches
    }

    fn rest(&self) -> u32 {
        3
    }
}

#[test]
fn an_interval_in_which_nothing_ran_decides_nothing() {
    let config = machine(&["gpu.sms=2", "mechanisms.attach=crisp", "dvfs.interval_us=2.0"]);
    let asked = Arc::new(Mutex::new(vec![]));
    let policy = Scribe { minds_launches: false, asked: asked.clone() };
    let mut controller = Controller::new(Goal::of(&config).unwrap(), Box::new(policy));
    let decided = Arc::new(Mutex::new(0));
    let count = decided.clone();
    // The SMs stand still for 60 us in the middle: ten intervals of three times 2 us.
    let mut left = 60_000_000_000;
    let mut controlled = attach::machine(&config, Limits::default(), 1, &Models).unwrap().between(
        Box::new(move |gpu| {
            if gpu.now() > 20_000_000_000 {
                gpu.pause_core(std::mem::take(&mut left));
            }
            controller.step(gpu);
            *count.lock().unwrap() = controller.decisions.len();
        }),
    );
    let outcome = job("kmeans", "default").run_on(&mut controlled, &RunOptions::default()).unwrap();
    assert!(outcome.passed(), "{:?}", outcome.failures);
    let (asked, decided) = (asked.lock().unwrap().len(), *decided.lock().unwrap());
    assert!(asked > 20 && (8..=10).contains(&(decided - asked)), "{asked} of {decided}");
}

#[test]
fn an_interval_ends_with_its_launch_for_a_policy_that_minds() {
    let asked = |name: &str, minds_launches: bool| {
        let config = machine(&["gpu.sms=2", "mechanisms.attach=crisp", "dvfs.interval_us=2.0"]);
        let goal = Goal::of(&config).unwrap();
        let asked = Arc::new(Mutex::new(vec![]));
        let policy = Scribe { minds_launches, asked: asked.clone() };
        let mut controller = Controller::new(goal, Box::new(policy));
        let mut controlled = attach::machine(&config, Limits::default(), 1, &Models)
            .unwrap()
            .between(Box::new(move |gpu| controller.step(gpu)));
        let outcome = job(name, "default").run_on(&mut controlled, &RunOptions::default()).unwrap();
        assert!(outcome.passed(), "{:?}", outcome.failures);
        drop(controlled);
        Arc::into_inner(asked).unwrap().into_inner().unwrap()
    };
    // Between two launches, at least half an interval; within one, as many as it wants to rest.
    let ends = |one: &&Asked| one.ran != one.coming;
    let minded = asked("kmeans", true);
    assert_eq!(minded.iter().filter(ends).count(), 2, "assign, update, assign");
    for one in &minded {
        let (least, same) = if one.ran == one.coming { (6.0, true) } else { (1.0, false) };
        assert!(
            one.us >= least && (!same || one.us < 6.2),
            "{} to {}: {}",
            one.ran,
            one.coming,
            one.us
        );
    }
    let short = |one: &&Asked| one.us < 5.9;
    assert!(minded.iter().any(|one| short(&one)), "a launch's end cuts rest short");
    assert_eq!(asked("kmeans", false).iter().filter(short).count(), 0);
    // Another launch of the same kernel counts too.
    assert!(asked("poisson", true).iter().any(|one| short(&one) && !ends(&one)));
}

#[test]
fn a_paused_clock_stops_the_sms_and_nothing_else() {
    let config = machine(&["gpu.sms=1"]);
    let time = |pause: u64| {
        let mut left = pause;
        let mut machine = Machine::new(&config, Limits::default(), 1, |_| Silent, |_| Silent)
            .unwrap()
            .between(Box::new(move |gpu| {
                // In the middle of it, when nothing waits for memory.
                if gpu.now() > 20_000_000_000 {
                    gpu.pause_core(std::mem::take(&mut left));
                }
            }));
        let outcome =
            job("mandelbrot", "odd").run_on(&mut machine, &RunOptions::default()).unwrap();
        assert!(outcome.passed());
        let record = outcome.record.timing.unwrap();
        (record.cycles, record.time_ns)
    };
    let (plain, paused) = (time(0), time(10_000_000_000));
    // Ten microseconds more and no cycle; what is left of both is that blocks start at other quanta.
    let cycles = paused.0 as f64 / plain.0 as f64;
    assert!((0.98..1.02).contains(&cycles), "{cycles}");
    let lost = paused.1 - plain.1;
    assert!((9_000.0..11_000.0).contains(&lost), "{lost}");
}

#[test]
fn the_oracle_is_at_least_as_good_as_staying_fast_and_computes_the_same() {
    let config = machine(&["gpu.sms=2", "dvfs.interval_us=2.0"]);
    let power = Power::new(&config.power, config.gpu.sms);
    let edp = objective::named("edp").unwrap();
    let fastest = config.dvfs.pstate(700);
    // The last one has atomics, which copies do and take back too.
    for name in ["kmeans", "mandelbrot", "histogram"] {
        let oracle = Arc::new(Mutex::new(Oracle::new(&config.dvfs, power, edp)));
        let steps = oracle.clone();
        let mut machine = Machine::new(&config, Limits::default(), 1, |_| Silent, |_| Silent)
            .unwrap()
            .between(Box::new(move |gpu| {
                if !gpu.is_done() {
                    steps.lock().unwrap().step(gpu, u64::MAX);
                }
            }));
        let outcome = job(name, "default").run_on(&mut machine, &RunOptions::default()).unwrap();
        assert!(outcome.passed(), "{name}: {:?}", outcome.failures);
        let foreseen = Activity::of(machine.gpu().unwrap());
        let chosen = oracle.lock().unwrap().chosen.clone();
        let mut plain =
            Machine::new(&config, Limits::default(), 1, |_| Silent, |_| Silent).unwrap();
        job(name, "default").run_on(&mut plain, &RunOptions::default()).unwrap();
        let plain = Activity::of(plain.gpu().unwrap());
        assert_eq!(foreseen.warp_instructions, plain.warp_instructions, "{name}");
        match name {
            "kmeans" => assert!(chosen.iter().any(|mhz| *mhz < 700), "{chosen:?}"),
            // At its very end SMs run out of blocks and stores drain: the last intervals may be slow.
            "mandelbrot" => {
                let computing = &chosen[..chosen.len() - chosen.len() / 20];
                assert!(computing.iter().all(|mhz| *mhz == 700), "{chosen:?}");
            }
            _ => assert!(chosen.len() > 3, "{chosen:?}"),
        }
        let energy = oracle.lock().unwrap().energy;
        let before = power.energy(&plain, fastest) * plain.seconds();
        assert!(energy * foreseen.seconds() <= before * 1.01, "{name}");
    }
}

/// The P-state in which a copy of the machine would do an interval at the least EDP, all of them run to the end.
fn best_of_all(gpu: &Gpu<Silent, Silent>, power: &Power, now: PState) -> u32 {
    let config = &gpu.config().dvfs;
    let start = Activity::of(gpu);
    // Where it stands after each quantum, and whether that was its end.
    let run = |state: PState, over: &dyn Fn(&[Activity]) -> bool| {
        let mut copy = gpu.clone();
        if state != now {
            copy.pause_core((config.switch_ns * 1e6) as u64);
        }
        copy.set_core_mhz(f64::from(state.mhz));
        let mut quanta = vec![start];
        while !copy.is_done() && !over(&quanta) {
            copy.advance().unwrap();
            quanta.push(Activity::of(&copy));
        }
        (quanta, copy.is_done())
    };
    let end = start.time + (config.interval_us * 1e9) as u64;
    // The fastest decides what the work of the interval is; the last of it is an instruction.
    let (first, ended) = run(config.fastest(), &|quanta| match quanta {
        [.., before, now] => now.time >= end && now.warp_instructions > before.warp_instructions,
        _ => false,
    });
    let work = first[first.len() - 1].warp_instructions;
    let edp = |state: &PState| {
        let done = |quanta: &[Activity]| {
            !ended && quanta.last().is_some_and(|now| now.warp_instructions >= work)
        };
        let quanta = match state.mhz == config.highest_mhz {
            true => first.clone(),
            false => run(*state, &done).0,
        };
        let [.., before, last] = &quanta[..] else { panic!("no quantum at {} MHz", state.mhz) };
        let of = |now: &Activity| {
            let did = *now - start;
            (power.energy(&did, *state), did.seconds())
        };
        let ((e0, t0), (e1, t1)) = (of(before), of(last));
        // The work may be done before the last quantum is over; a kernel's end takes all of it.
        let more = (last.warp_instructions - before.warp_instructions) as f64;
        let part = if ended { 1.0 } else { (work - before.warp_instructions) as f64 / more };
        (e0 + part * (e1 - e0)) * (t0 + part * (t1 - t0))
    };
    let states = config.pstates();
    states.iter().min_by(|a, b| edp(a).total_cmp(&edp(b))).map_or(0, |state| state.mhz)
}

#[test]
fn what_the_oracle_does_not_run_to_the_end_would_not_have_been_chosen() {
    let config = machine(&["gpu.sms=2", "dvfs.interval_us=2.0"]);
    let power = Power::new(&config.power, config.gpu.sms);
    let mut chosen = std::collections::HashSet::new();
    for name in ["kmeans", "stencil3d", "mandelbrot"] {
        let mut oracle = Oracle::new(&config.dvfs, power, objective::named("edp").unwrap());
        let wanted = Arc::new(Mutex::new(vec![]));
        let kept = wanted.clone();
        let limits = Limits { max_cycles: Some(20_000), ..Limits::default() };
        let mut machine = Machine::new(&config, limits, 1, |_| Silent, |_| Silent)
            .unwrap()
            .between(Box::new(move |gpu| {
                if !gpu.is_done() {
                    let best = best_of_all(gpu, &power, oracle.state());
                    oracle.step(gpu, u64::MAX);
                    kept.lock().unwrap().push((best, oracle.chosen[oracle.chosen.len() - 1]));
                }
            }));
        job(name, "default").run_on(&mut machine, &RunOptions::default()).unwrap();
        let wanted = wanted.lock().unwrap();
        assert!(wanted.len() > 3, "{name}: {wanted:?}");
        // The first interval is not the oracle's to choose.
        assert!(wanted[1..].iter().all(|(best, found)| best == found), "{name}: {wanted:?}");
        chosen.extend(wanted[1..].iter().map(|(best, _)| *best));
    }
    assert!(chosen.len() > 2, "{chosen:?}");
}

#[test]
fn the_census_says_which_warps_compute_and_when_memory_blocks() {
    let shares = |bench: &Bench, iterations: u32| {
        let read = counted(bench, iterations);
        assert!(
            read.computing_warps <= read.live_warps && read.blocked_cycles <= read.active_cycles
        );
        let computing = read.computing_warps as f64 / read.live_warps as f64;
        (computing, read.blocked_cycles as f64 / read.active_cycles as f64)
    };
    // One warp waits for each of its additions.
    let adds = Bench::new("add.s32 %r1, %r1, %r2;\nadd.s32 %r1, %r1, %r2;").block(32);
    let (computing, blocked) = shares(&adds, 2_000);
    assert!(computing > 0.7 && blocked < 0.01, "adds: {computing} {blocked}");
    // Of sixteen whose instructions have all been fetched many are ready and wait for their turn.
    let crowd = adds.block(512).set("sm.instruction_buffer=16");
    let (crowded, _) = shares(&crowd, 2_000);
    assert!(crowded < computing - 0.1, "crowded: {crowded} {computing}");

    let chase = Bench::new(&["ld.global.u64 %rd1, [%rd1];"; 8].join("\n"))
        .setup("mov.u64 %rd1, %base;")
        .buffer(ring(512, 128));
    let (computing, blocked) = shares(&chase, 64);
    assert!(computing < 0.1 && blocked < 0.05, "chase: {computing} {blocked}");

    let setup = "mul.wide.u32 %rd1, %id, 4;\nadd.s64 %rd2, %base, %rd1;";
    let stores = Bench::new("st.global.u32 [%rd2], %r1;")
        .setup(setup)
        .block(512)
        .buffer(vec![0; 4096])
        .set("gpu.sms=1");
    let (computing, blocked) = shares(&stores, 300);
    assert!(computing < 0.3 && blocked > 0.8, "stores: {computing} {blocked}");
}
