//! Mechanisms attached as golden models: kernels still give the right results, through the real data path.

use super::harness::{job, machine, KERNELS};
use lanewise_sim::attach::{Attached, AttachedSlice, Models};
use lanewise_sim::job::{Job, Outcome, RunOptions};
use lanewise_sim::machine::config::MachineConfig;
use lanewise_sim::machine::{Limits, Machine};
use std::sync::Arc;

const ALL: &str = "mechanisms.attach=lanes,gating,folding,crisp,drowsy,dwl";

fn run(job: &Job, config: &Arc<MachineConfig>) -> (Outcome, Machine<Attached, AttachedSlice>) {
    let (sms, slices) = (config.clone(), config.clone());
    let mut machine = Machine::new(
        config,
        Limits::default(),
        1,
        move |sm| Attached::new(sm, &sms, &Models).unwrap(),
        move |slice| AttachedSlice::new(slice, &slices, &Models).unwrap(),
    )
    .unwrap();
    let outcome = job.run_on(&mut machine, &RunOptions::default());
    (outcome.unwrap_or_else(|e| panic!("{e}")), machine)
}

#[test]
fn every_kernel_is_right_with_everything_attached() {
    let config = machine(&["gpu.sms=2", ALL]);
    let mut folded = 0;
    for name in KERNELS {
        let (outcome, mut machine) = run(&job(name, "odd"), &config);
        assert!(outcome.passed(), "{name}: {:?}", outcome.failures);
        for sm in &mut machine.gpu_mut().unwrap().sms {
            let lanes = sm.hooks.lanes.as_ref().unwrap();
            assert_eq!(lanes.refused, 0, "{name}: every slot of the result path was reserved");
            folded += lanes.folded;
            let read = sm.hooks.crisp.as_mut().unwrap().reading();
            assert_eq!(read.cycles, sm.counts().cycles, "{name}: no cycle is lost between kernels");
            // CRISP's four categories are not negative and make up all cycles.
            let overlapped = read.t_lcp.checked_sub(read.load_stalls).unwrap();
            let pure = read.cycles.checked_sub(read.t_lcp + read.store_stalls).unwrap();
            let sum = pure + overlapped + read.load_stalls + read.store_stalls;
            assert_eq!(sum, read.cycles, "{name}");
            assert!(read.t_lcp <= read.light_lcp && read.crit <= read.t_lcp, "{name}: {read:?}");
            assert_eq!(read.stall, read.load_stalls, "{name}: STALL counts the same stalls");
        }
    }
    assert!(folded > 10_000, "only {folded} warps folded");
}

#[test]
fn lane_cycles_are_accounted_for() {
    let config = machine(&["gpu.sms=1", ALL]);
    let (outcome, machine) = run(&job("hotspot", "odd"), &config);
    assert!(outcome.passed());
    let sm = &machine.gpu().unwrap().sms[0];
    for counts in sm.hooks.gating.as_ref().unwrap().counts() {
        let sum =
            counts.busy + counts.idle + counts.uncompensated + counts.compensated + counts.waking;
        assert_eq!(sum, 32 * config.sm.sp_units as u64 * sm.counts().cycles);
        assert!(counts.gating_events > 0 && counts.compensated > 0);
    }
}

#[test]
fn two_extra_stages_cost_two_cycles_an_operation() {
    let cycles = |set: &[&str]| {
        let config = machine(&[&["gpu.sms=1"], set].concat());
        let (outcome, _) = run(&job("vecadd", "tiny1"), &config);
        assert!(outcome.passed());
        outcome.record.timing.unwrap().cycles
    };
    let without = cycles(&[]);
    let with = cycles(&["mechanisms.attach=lanes"]);
    // One warp, every operation waits for the one before it or for memory.
    assert!(with > without && with < without + 2 * 20, "{without} {with}");
}

#[test]
fn drowsy_caches_cost_time_and_change_nothing_else() {
    let timed = |set: &[&str]| {
        let config = machine(&[&["gpu.sms=1"], set].concat());
        let (outcome, machine) = run(&job("transpose", "odd"), &config);
        assert!(outcome.passed());
        let held = machine.gpu().unwrap().sms[0]
            .hooks
            .caches
            .as_ref()
            .map_or(0, |caches| caches.counts().iter().map(|(_, _, held, _)| held).sum());
        (outcome.record.timing.unwrap().cycles, held)
    };
    let (awake, none) = timed(&[]);
    let (drowsy, held) = timed(&["mechanisms.attach=drowsy"]);
    assert_eq!(none, 0);
    assert!(held > 0 && drowsy > awake, "{awake} {drowsy} {held}");
    let slow = ["mechanisms.attach=drowsy", "mechanisms.drowsy.wake_up_cycles=3"];
    assert!(timed(&slow).1 > held);
}

#[test]
fn a_machine_that_the_blocks_do_not_fit_is_refused() {
    for (set, says) in [
        (&["l1_data.sets=31", "mechanisms.attach=drowsy"][..], "no drowsy_regions for 124 blocks"),
        (&["l1_texture.mshrs=129", "mechanisms.attach=crisp"], "164 timestamps"),
        (&["sm.schedulers=4", "mechanisms.attach=folding"], "folding needs sm.schedulers = 2"),
    ] {
        let error = Attached::new(0, &machine(set), &Models).err().expect("it does not fit");
        assert!(error.to_string().contains(says), "{error}");
    }
}
