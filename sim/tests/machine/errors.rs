//! What the machine says when it cannot go on.

use super::harness::{job, machine, Bench};
use lanewise_sim::exec::{FaultKind, GlobalMemory, Launch};
use lanewise_sim::job::{Ended, Engine, Order, RunOptions, Stop};
use lanewise_sim::machine::config::MachineConfig;
use lanewise_sim::machine::gpu::Gpu;
use lanewise_sim::machine::sm::hooks::Silent;
use lanewise_sim::machine::{Limits, Machine, SHIPPED};
use lanewise_sim::ptx::Module;
use std::sync::atomic::Ordering;
use std::sync::Arc;

#[test]
fn a_block_that_does_not_fit_is_told_what_is_short() {
    let bench = Bench::new("add.s32 %r1, %r1, 1;").block(512);
    let shared =
        bench.clone().module(".shared .align 4 .b8 words[49156];").setup("mov.u32 %r1, words;");
    for (bench, short) in [
        (bench.clone().registers(100), "not enough registers"),
        (shared, "not enough shared memory"),
        (bench.clone().set("sm.threads=256"), "not enough threads"),
    ] {
        let Err(Stop::Unfit(message)) = bench.try_run(1).map(|_| ()) else {
            panic!("`{short}` was expected");
        };
        assert!(message.ends_with(short), "{message}");
        assert!(message.contains("`k`: a block of 512 threads"), "{message}");
        assert!(!message.contains('\n'), "{message}");
    }
}

#[test]
fn a_barrier_that_can_never_complete_is_a_fault() {
    // Barrier 0 waits for four warps; three wait at barrier 1.
    let body = "setp.lt.u32 %q1, %id, 32;\n@%q1 bra FIRST;\nbar.sync 1, 128;\nbra.uni JOIN;\n\
                FIRST:\nbar.sync 0, 128;\nJOIN:\nmov.u32 %r1, 1;";
    match Bench::new(body).block(128).try_run(1).map(|_| ()) {
        Err(Stop::Fault(fault)) => {
            assert_eq!(fault.kind, FaultKind::Deadlock);
            assert!(fault.hint.contains("of 4 warps have arrived"), "{fault}");
        }
        other => panic!("{other:?}"),
    }
}

/// Runs a job that is to be stopped; the flag is raised from outside after so many quanta.
fn stopped(limits: Limits, quanta: u64, most: u64) -> Result<Ended, String> {
    let (interrupt, mut left) = (limits.interrupt.clone(), quanta);
    let raise = move |_: &mut Gpu<Silent, Silent>| {
        left -= 1;
        interrupt.store(left == 0, Ordering::Relaxed);
    };
    let config = machine(&["gpu.sms=2"]);
    let mut machine = Machine::new(&config, limits, 1, |_| Silent, |_| Silent)
        .expect("a scheduler")
        .between(Box::new(raise));
    let options = RunOptions { max_instructions: most };
    let outcome = job("matmul", "default").run_on(&mut machine, &options);
    outcome
        .map(|outcome| {
            assert!(!outcome.passed(), "what was not finished has not passed");
            let record = outcome.record;
            let timing = record.timing.expect("what was measured is kept");
            assert_eq!((timing.kernels.len(), record.kernels.len()), (1, 1));
            let (kernel, executed) = (&timing.kernels[0], &record.kernels[0]);
            assert!(kernel.cycles > 0);
            assert_eq!(kernel.sms[1].scheduler_cycles.total(), 2 * kernel.cycles);
            // Both parts of the record tell of the launch that was left.
            assert!(kernel.warp_instructions > 0);
            assert_eq!(executed.warp_instructions, kernel.warp_instructions);
            assert_eq!(executed.thread_instructions, kernel.thread_instructions);
            assert_eq!(record.warp_instructions, kernel.warp_instructions);
            record.ended
        })
        .map_err(|e| e.to_string())
}

#[test]
fn a_runaway_kernel_is_a_fault() {
    let message = stopped(Limits::default(), u64::MAX, 1000).expect_err("the limit is low");
    assert!(message.contains("1000 warp instructions were executed"), "{message}");
    assert!(message.contains("raise --max-instructions"), "{message}");
}

#[test]
fn a_cycle_limit_ends_the_run_with_what_was_measured() {
    let limits = Limits { max_cycles: Some(2000), ..Limits::default() };
    assert_eq!(stopped(limits, u64::MAX, u64::MAX), Ok(Ended::MaxCycles));
}

#[test]
fn an_interrupt_ends_the_run_with_what_was_measured() {
    assert_eq!(stopped(Limits::default(), 20, u64::MAX), Ok(Ended::Interrupted));
}

#[test]
fn an_interrupt_ends_a_launch_without_timing_too() {
    let text = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n\
                LOOP:\nbra.uni LOOP;\n}\n";
    let module = Arc::new(Module::load("forever.ptx", text).unwrap_or_else(|e| panic!("{e}")));
    let launch = Launch::new(&module, "k", [1; 3], [32, 1, 1]).expect("it is right");
    let limits = Limits::default();
    let interrupt = limits.interrupt.clone();
    let mut machine =
        Machine::new(&machine(&[]), limits, 1, |_| Silent, |_| Silent).expect("a scheduler");
    let raise = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(50));
        interrupt.store(true, Ordering::Relaxed);
    });
    let order = Order { registers: None, timed: false, max_instructions: 1 << 40 };
    let outcome = machine.launch(launch, &mut GlobalMemory::new(&[]), &order);
    let Err(Stop::Interrupted(counts)) = outcome else { panic!("{outcome:?}") };
    assert!(counts.warp_instructions > 0);
    assert_eq!(counts.thread_instructions, 32 * counts.warp_instructions);
    raise.join().expect("it only sets a flag");
}

#[test]
fn a_job_that_gives_a_thread_no_register_is_refused() {
    let text = "ptx = \"vecadd.ptx\"\n[buffers.b]\ntype = \"f32\"\nlen = 64\n[[steps]]\n\
                kernel = \"vecadd\"\ngrid = 1\nblock = 32\nregisters = 0\n\
                args = [{ buffer = \"b\" }, { buffer = \"b\" }, { buffer = \"b\" }, { s32 = 1 }]\n";
    let directory = tempfile::tempdir().expect("a directory");
    let from = super::harness::folder("vecadd").join("vecadd.ptx");
    std::fs::copy(from, directory.path().join("vecadd.ptx")).expect("the kernel");
    let file = directory.path().join("job.toml");
    std::fs::write(&file, text).expect("a job");
    let job =
        lanewise_sim::job::Job::load(&file, &Default::default()).unwrap_or_else(|e| panic!("{e}"));
    let error = job.run(&RunOptions::default()).expect_err("no register").to_string();
    assert!(error.contains("registers: a thread takes at least 1"), "{error}");
}

/// Every integer of a machine, by its key.
fn integers(prefix: &str, table: &toml::Table, found: &mut Vec<String>) {
    for (key, value) in table {
        match value {
            toml::Value::Table(inner) => integers(&format!("{prefix}{key}."), inner, found),
            toml::Value::Integer(_) => found.push(format!("{prefix}{key}")),
            _ => {}
        }
    }
}

#[test]
fn a_machine_too_large_to_run_is_refused() {
    let refused = |set: &[String]| match MachineConfig::read("gtx480", set) {
        Ok(_) => panic!("{set:?}"),
        Err(error) => error.to_string(),
    };
    let mut keys = vec![];
    integers("", &SHIPPED[0].1.parse().expect("it is TOML"), &mut keys);
    assert!(keys.len() > 90, "{keys:?}");
    for key in keys {
        for value in [100_000_000_000, i64::MAX] {
            let error = refused(&[format!("{key}={value}")]);
            assert!(error.contains(&key), "{key}={value}: {error}");
        }
    }
    assert!(refused(&["gpu.sms=100000000".into()]).contains("gpu.sms: must be at most 1024"));
    // Each is small enough, all together are not.
    let error = refused(&["gpu.sms=1024".into(), "l1_data.sets=65536".into()]);
    assert!(error.contains("cache lines, at most"), "{error}");
    let large = ["gpu.sms=512", "gpu.partitions=64"].map(String::from);
    assert!(MachineConfig::read("gtx480", &large).is_ok());
    assert!(refused(&["sm.operand_cycles=1".into()]).contains("must be at least 2"));
}
