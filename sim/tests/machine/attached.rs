//! Mechanisms attached as golden models: kernels still give the right results, through the real data path.

use super::harness::{job, machine, KERNELS};
use lanewise_sim::attach::caches::Segments;
use lanewise_sim::attach::{array_counts, Attached, AttachedSlice, Models};
use lanewise_sim::job::{Job, Outcome, RunOptions};
use lanewise_sim::machine::config::{ArrayKind, Enable, MachineConfig};
use lanewise_sim::machine::sm::l1::CacheCounts;
use lanewise_sim::machine::{Limits, Machine};
use std::sync::Arc;

const ALL: &str = "mechanisms.attach=lanes,gating,folding,types,groups,crisp,rivals,drowsy,dwl";

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
            folded += lanes.folded.iter().sum::<u64>();
            let read = sm.hooks.crisp.as_mut().unwrap().reading();
            assert_eq!(read.cycles, sm.counts().cycles, "{name}: no cycle is lost between kernels");
            // CRISP's four categories are not negative and make up all cycles.
            let overlapped = read.t_lcp.checked_sub(read.load_stalls).unwrap();
            let pure = read.cycles.checked_sub(read.t_lcp + read.store_stalls).unwrap();
            let sum = pure + overlapped + read.load_stalls + read.store_stalls;
            assert_eq!(sum, read.cycles, "{name}");
            assert!(read.t_lcp <= read.light_lcp && read.crit <= read.t_lcp, "{name}: {read:?}");
            assert_eq!(read.stall, read.load_stalls, "{name}: STALL counts the same stalls");
            // An SM without warps stalls for nobody.
            assert_eq!(read.stalls, read.load_stalls + read.store_stalls, "{name}");
            assert!(read.active_cycles > 0 && read.active_cycles <= read.cycles, "{name}");
            let shares = read.stalls + read.idle_under_loads + read.single_under_loads;
            assert!(shares <= read.active_cycles, "{name}: {read:?}");
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
        let counts = array_counts(machine.gpu().unwrap());
        let late = ArrayKind::ALL.map(|kind| counts[kind].delay_cycles).iter().sum::<u64>();
        (outcome.record.timing.unwrap().cycles, late)
    };
    let (awake, none) = timed(&[]);
    let (drowsy, late) = timed(&["mechanisms.attach=drowsy"]);
    assert_eq!(none, 0);
    assert!(late > 0 && drowsy > awake, "{awake} {drowsy} {late}");
    let slow = ["mechanisms.attach=drowsy", "mechanisms.caches.shared.wake_up_cycles=3"];
    assert!(timed(&slow).1 > late);
}

#[test]
fn no_setting_of_the_caches_changes_a_result_and_accounts_add_up() {
    for set in [
        &["mechanisms.caches.l1_instruction.drowsy=true"][..],
        &["mechanisms.caches.shared_wake=bank", "mechanisms.caches.shared.region_blocks=8"],
        &["mechanisms.caches.filter_lines=4", "mechanisms.caches.l1_data.region_blocks=32"],
        &["mechanisms.caches.l2.wake_up_cycles=3", "mechanisms.caches.l2.look_ahead_cycles=2"],
        &["mechanisms.caches.l1_data.enable=lane", "mechanisms.caches.l1_constant.enable=lane"],
    ] {
        let config = machine(&[&["gpu.sms=2", "mechanisms.attach=drowsy,dwl"], set].concat());
        // bfs reads single words, convolution constants, mummer textures, nw shared memory.
        for kernel in ["bfs", "convolution", "mummer", "nw"] {
            let (outcome, machine) = run(&job(kernel, "tiny33"), &config);
            assert!(outcome.passed(), "{kernel} {set:?}");
            let gpu = machine.gpu().unwrap();
            let counts = array_counts(gpu);
            for kind in ArrayKind::ALL {
                let (c, settings) = (&counts[kind], config.mechanisms.caches.array(kind));
                let case = format!("{kernel} {set:?} {}", kind.name());
                let opened = |s: &Segments| match settings.enable {
                    Enable::Lane => s.lane,
                    Enable::Word => s.word,
                };
                // The gates opened what the masks say, never more than the line.
                assert_eq!(
                    c.opened,
                    opened(&c.read_segments) + opened(&c.write_segments),
                    "{case}"
                );
                assert!(c.read_segments.word <= c.read_segments.all, "{case}");
                // Every block and every access is in its histogram once.
                assert_eq!(c.by_accesses.iter().sum::<u64>(), c.blocks, "{case}");
                let first = c.blocks - c.by_accesses[0];
                assert_eq!(c.by_interval.iter().sum::<u64>() + first, c.accesses(), "{case}");
                assert!(c.active_threads <= 32 * c.requests, "{case}");
                // At most one region is awake; in every bank if these sleep by themselves.
                let most = u64::from(settings.region_blocks) * c.word_cycles
                    / (c.blocks / copies(kind, &config)).max(1);
                assert!(!settings.drowsy || c.awake_word_cycles <= most, "{case}");
            }
            // The machine's own counts tell how many requests there were.
            let sm = |f: fn(&CacheCounts) -> u64| -> u64 {
                gpu.sms.iter().map(|sm| f(&sm.ldst().data.counts)).sum()
            };
            let data = &counts[ArrayKind::L1Data];
            assert_eq!(data.reads + data.filter_hits, sm(|c| c.hits), "{kernel} {set:?}");
            assert_eq!(data.writes, sm(|c| c.misses), "{kernel} {set:?}");
        }
    }
}

fn copies(kind: ArrayKind, config: &MachineConfig) -> u64 {
    if kind == ArrayKind::L2 {
        config.gpu.partitions as u64
    } else {
        config.gpu.sms as u64
    }
}

#[test]
fn a_machine_that_the_blocks_do_not_fit_is_refused() {
    for (set, says) in [
        (&["l1_data.sets=31", "mechanisms.attach=drowsy"][..], "no drowsy_regions for 124 blocks"),
        (&["l1_texture.mshrs=129", "mechanisms.attach=crisp"], "164 timestamps"),
        (&["mechanisms.attach=rivals"], "attach crisp too"),
        (&["sm.schedulers=4", "mechanisms.attach=folding"], "folding needs sm.schedulers = 2"),
    ] {
        let error = Attached::new(0, &machine(set), &Models).err().expect("it does not fit");
        assert!(error.to_string().contains(says), "{error}");
    }
}
