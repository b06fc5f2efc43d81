//! What the machine says when it cannot go on.

use super::harness::{job, machine, Bench};
use lanewise_sim::exec::FaultKind;
use lanewise_sim::job::{Ended, RunOptions, Stop};
use lanewise_sim::machine::sm::hooks::Silent;
use lanewise_sim::machine::{Limits, Machine};
use std::sync::atomic::Ordering;

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

fn stopped(limits: Limits, most: u64) -> Result<Ended, String> {
    let mut machine =
        Machine::new(&machine(&["gpu.sms=2"]), limits, 1, |_| Silent, |_| Silent).unwrap();
    let options = RunOptions { max_instructions: most };
    let outcome = job("matmul", "default").run_on(&mut machine, &options);
    outcome
        .map(|outcome| {
            assert!(!outcome.passed(), "what was not finished has not passed");
            let timing = outcome.record.timing.expect("what was measured is kept");
            assert_eq!(timing.kernels.len(), 1);
            let kernel = &timing.kernels[0];
            assert_eq!(kernel.sms[1].scheduler_cycles.total(), 2 * kernel.cycles);
            outcome.record.ended
        })
        .map_err(|e| e.to_string())
}

#[test]
fn a_runaway_kernel_is_a_fault() {
    let message = stopped(Limits::default(), 1000).expect_err("the limit is low");
    assert!(message.contains("1000 warp instructions were executed"), "{message}");
    assert!(message.contains("raise --max-instructions"), "{message}");
}

#[test]
fn a_cycle_limit_ends_the_run_with_what_was_measured() {
    let limits = Limits { max_cycles: Some(2000), ..Limits::default() };
    assert_eq!(stopped(limits, u64::MAX), Ok(Ended::MaxCycles));
}

#[test]
fn an_interrupt_ends_the_run_with_what_was_measured() {
    let limits = Limits::default();
    limits.interrupt.store(true, Ordering::Relaxed);
    assert_eq!(stopped(limits, u64::MAX), Ok(Ended::Interrupted));
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
