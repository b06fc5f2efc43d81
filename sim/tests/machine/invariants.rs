//! What holds in every run, whatever the kernel.

use super::checkers::{Answers, Readiness};
use super::harness::{job, machine, run_hooked, Bench, KERNELS};
use lanewise_sim::machine::gpu::Gpu;
use lanewise_sim::machine::sm::hooks::Silent;
use lanewise_sim::machine::sm::Owed;
use lanewise_sim::machine::uncore::packet::Ask;
use lanewise_sim::machine::{Limits, Machine, SHIPPED};

#[test]
fn no_instruction_issues_before_its_operands_are_ready() {
    for name in KERNELS {
        let job = job(name, "odd");
        let module = job.module().clone();
        let set = ["gpu.sms=2", "sm.scheduler=lrr"];
        let hooks = move |_| Readiness::new(&module);
        let (outcome, machine) = run_hooked(&job, &machine(&set), 1, hooks);
        let timing = outcome.record.timing.as_ref().expect("timing");
        let issued: u64 = timing.kernels.iter().map(|k| k.warp_instructions).sum();
        let sms = &machine.gpu().expect("it has run").sms;
        let checked: u64 = sms.iter().map(|sm| sm.hooks.checked).sum();
        assert!(checked > issued, "{name}: {checked} registers of {issued} instructions");
        for sm in sms {
            assert!(sm.hooks.faults.is_empty(), "{name}: {:#?}", &sm.hooks.faults[..1]);
        }
    }
}

#[test]
fn every_memory_request_is_answered_exactly_once() {
    for name in KERNELS {
        let job = job(name, "odd");
        let set = ["gpu.sms=3", "interconnect.credits=2", "l1_data.mshrs=4"];
        let (outcome, machine) = run_hooked(&job, &machine(&set), 1, |_| Answers::default());
        assert!(outcome.passed(), "{name}");
        let sms = &machine.gpu().expect("it has run").sms;
        assert!(sms.iter().map(|sm| sm.hooks.answered).sum::<u64>() > 0, "{name}");
        for sm in sms {
            assert!(sm.hooks.faults.is_empty(), "{name}: {:#?}", &sm.hooks.faults[..1]);
            assert_eq!(sm.hooks.left(), 0, "{name}");
            // Stores are complete when they leave; their acknowledgements are followed here.
            assert_eq!(sm.owed(), Owed::default(), "{name}");
        }
        // What left the SMs reached the slices: at least every line that missed.
        for kernel in &outcome.record.timing.as_ref().expect("timing").kernels {
            let sm = &kernel.all_sms;
            let caches = [&sm.l1_data, &sm.l1_constant, &sm.l1_texture, &sm.l1_instruction];
            let misses: u64 = caches.iter().map(|c| c.misses).sum();
            assert!(kernel.l2.accesses >= misses, "{name}: {} of {misses}", kernel.l2.accesses);
            for c in caches {
                assert_eq!(c.accesses, c.hits + c.merged + c.misses, "{name}");
            }
            let l2 = &kernel.l2;
            assert_eq!(l2.accesses, l2.hits + l2.merged + l2.misses, "{name}");
        }
    }
}

type Plain = Gpu<Silent, Silent>;

/// What SM 0 is owed after a kernel of 40 stores with whose machine somebody meddles between quanta.
fn owed_after(mut meddle: impl FnMut(&mut Plain) + Send + 'static) -> (bool, Owed) {
    let bench = Bench::new(
        "mad.lo.u32 %r1, %n, 128, %id;\ncvt.u64.u32 %rd1, %r1;\n\
                            add.u64 %rd2, %base, %rd1;\nst.global.u8 [%rd2], %r1;",
    )
    .buffer(vec![0; 8192]);
    let limits = Limits { max_cycles: Some(100_000), ..Limits::default() };
    let mut machine = Machine::new(&bench.machine(), limits, 1, |_| Silent, |_| Silent)
        .expect("a scheduler")
        .between(Box::new(move |gpu| meddle(gpu)));
    let ended = bench.run_on(&mut machine, 40).is_ok();
    (ended, machine.gpu().expect("it has run").sms[0].owed())
}

#[test]
fn a_lost_store_and_a_credit_too_many_are_noticed() {
    assert_eq!(owed_after(|_| {}), (true, Owed::default()));
    let mut lost = false;
    let lose = move |gpu: &mut Plain| {
        if lost {
            return;
        }
        // Lets the SM run ahead a little, and takes a store from what it sends.
        let until = gpu.now() + 10_000_000;
        gpu.sms[0].run(until, &gpu.global).expect("the kernel is right");
        for partition in 0..gpu.partitions.len() {
            let requests = gpu.sms[0].requests_to(partition);
            let store = requests.iter().position(|r| matches!(r.ask, Ask::Write { .. }));
            if let (false, Some(at)) = (lost, store) {
                requests.remove(at);
                lost = true;
            }
        }
    };
    assert_eq!(owed_after(lose), (false, Owed { answers: 1, credits: 1 }));
    let mut given = false;
    let give = move |gpu: &mut Plain| {
        if !std::mem::replace(&mut given, true) {
            let now = gpu.now();
            gpu.sms[0].credit(&mut vec![(now, 0)]);
        }
    };
    assert_eq!(owed_after(give), (true, Owed { answers: 0, credits: -1 }));
}

/// Every key of the machine itself that is a latency or an interval, with its value.
fn latencies() -> Vec<(String, i64)> {
    fn walk(prefix: &str, table: &toml::Table, found: &mut Vec<(String, i64)>) {
        for (key, value) in table {
            let path = format!("{prefix}{key}");
            let is_time = key == "latency" || key == "interval";
            let is_time = is_time || key.ends_with("_cycles") || key.starts_with("t_");
            match value {
                toml::Value::Table(inner) => walk(&format!("{path}."), inner, found),
                toml::Value::Integer(value) if is_time => found.push((path, *value)),
                _ => {}
            }
        }
    }
    let mut found = vec![];
    let mut machine: toml::Table = SHIPPED[0].1.parse().expect("it is TOML");
    machine.remove("mechanisms");
    walk("", &machine, &mut found);
    found
}

#[test]
fn a_longer_latency_never_makes_a_single_warp_faster() {
    // Every class of operation, every memory space, a branch and a barrier.
    let body = "add.s32 %r2, %r1, 1;\nmax.s32 %r3, %r2, %r1;\nmul.lo.s32 %r4, %r3, %r2;
        mad.lo.s32 %r5, %r4, %r3, %r2;\nor.b32 %r6, %r5, 1;\ndiv.s32 %r7, %r5, %r6;
        cvt.rn.f32.s32 %f1, %r7;\nadd.f32 %f2, %f1, %f1;\nmax.f32 %f3, %f2, %f1;
        mul.f32 %f4, %f3, %f2;\nfma.rn.f32 %f5, %f4, %f3, %f2;\ndiv.rn.f32 %f6, %f5, %f4;
        sin.approx.f32 %f7, %f6;\ncvt.f64.f32 %fd1, %f7;\nadd.f64 %fd2, %fd1, %fd1;
        max.f64 %fd3, %fd2, %fd1;\nmul.f64 %fd4, %fd3, %fd2;\nfma.rn.f64 %fd5, %fd4, %fd3, %fd2;
        div.rn.f64 %fd6, %fd5, %fd4;\nmad.wide.u32 %rd1, %id, 128, %base;
        ld.global.u32 %r8, [%rd1];\nst.global.u32 [%rd1+4], %r8;\nmembar.gl;
        ld.const.u32 %r9, [table];\nst.shared.u32 [words], %r9;\nbar.sync 0;
        ld.shared.u32 %r10, [words];\nadd.s32 %r1, %r10, %r8;\natom.global.add.u32 %r11, [%rd1+8], 1;
        add.s32 %r1, %r1, %r11;";
    let bench = Bench::new(body)
        .module(".shared .align 4 .b8 words[64];\n.const .align 4 .b8 table[64];")
        .setup("mov.u32 %r1, %id;")
        // Rows change and lines are written back.
        .set("l2.sets=2")
        .set("l2.ways=2")
        // Writes do not wait for company.
        .set("dram.write_high=0")
        .set("dram.write_low=0");
    let cycles = |set: &str| bench.clone().set(set).run(6).timing.cycles;
    let base = bench.run(6).timing.cycles;
    let latencies = latencies();
    assert!(latencies.len() > 50, "{latencies:?}");
    let mut felt = 0;
    for (key, value) in latencies {
        let mut last = base;
        for more in [1, 3, 10, 40] {
            let now = cycles(&format!("{key}={}", value + more));
            assert!(now >= last, "{key}: {now} cycles with {more} more, {last} with less");
            last = now;
        }
        felt += u32::from(last > base);
    }
    assert!(felt > 30, "only {felt} keys are felt by this kernel");
}
