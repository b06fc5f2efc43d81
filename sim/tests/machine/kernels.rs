//! Every shipped kernel gives the same results with timing as without, whatever the machine.

use super::harness::{job, machine, run, KERNELS};
use lanewise_sim::job::{Job, Outcome, RunOptions};
use lanewise_sim::machine::sm::scheduler;

/// Kernels whose buffers or control flow depend on the order in which warps reach memory; their own
/// expectations do not. With the reason.
const ORDER_MATTERS: [(&str, &str); 0] = [];

/// Small in the normal run; `LANEWISE_FULL=1` takes the default sizes.
fn size() -> &'static str {
    if std::env::var_os("LANEWISE_FULL").is_some() {
        "default"
    } else {
        "odd"
    }
}

fn functional(job: &Job) -> Outcome {
    job.run(&RunOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// What must hold of a timed run, given the functional one.
fn compare(name: &str, machine: &str, job: &Job, want: &Outcome, got: &Outcome, schedulers: u64) {
    assert!(got.passed(), "{name} on {machine}: {:?}", got.record.failures);
    let timing = got.record.timing.as_ref().expect("a machine leaves timing");
    for kernel in &timing.kernels {
        for (n, sm) in kernel.sms.iter().enumerate() {
            let slots = schedulers * kernel.cycles;
            let sum = sm.scheduler_cycles.total();
            assert_eq!(sum, slots, "{name} on {machine}: issue slots of SM {n}");
            assert_eq!(sm.counts.cycles, kernel.cycles, "{name} on {machine}: cycles of SM {n}");
            assert!(sm.counts.skipped_cycles <= sm.counts.cycles, "{name} on {machine}: SM {n}");
        }
    }
    if ORDER_MATTERS.iter().any(|(kernel, _)| *kernel == name) {
        return;
    }
    for buffer in job.buffers() {
        let same = got.buffer(&buffer.name) == want.buffer(&buffer.name);
        assert!(same, "{name} on {machine}: buffer `{}` differs", buffer.name);
    }
    assert_eq!(got.record.kernels, want.record.kernels, "{name} on {machine}: instructions");
}

fn every_kernel_on(sms: usize) {
    for name in KERNELS {
        let job = job(name, size());
        let want = functional(&job);
        for scheduler in scheduler::NAMES {
            let set = [format!("gpu.sms={sms}"), format!("sm.scheduler={scheduler}")];
            let config = machine(&[&set[0], &set[1]]);
            let got = run(&job, &config, 1);
            let machine = format!("{sms} SMs, {scheduler}");
            compare(name, &machine, &job, &want, &got, config.sm.schedulers as u64);
        }
    }
}

#[test]
fn every_kernel_is_right_on_one_sm_with_every_scheduler() {
    every_kernel_on(1);
}

#[test]
fn every_kernel_is_right_on_fifteen_sms_with_every_scheduler() {
    every_kernel_on(15);
}

#[test]
fn every_kernel_is_right_on_the_other_machine() {
    let config = lanewise_sim::machine::config::MachineConfig::read("thesis", &[]).unwrap();
    let config = std::sync::Arc::new(config);
    for name in KERNELS {
        let job = job(name, "tiny33");
        let got = run(&job, &config, 1);
        compare(name, "thesis", &job, &functional(&job), &got, config.sm.schedulers as u64);
    }
}
