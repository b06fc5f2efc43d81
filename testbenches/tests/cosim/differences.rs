//! Planted bugs: in the Verilog and in a model, found in the right cycle; and felt by a kernel's own results.

use super::command::{folded_percent, planted, run};
use super::waveform::Waveform;
use lanewise_sim::attach::{AttachError, Attached, AttachedSlice, Boxed, UnitSource};
use lanewise_sim::job::{Ended, Job, LoadOptions, RunOptions};
use lanewise_sim::machine::config::{MachineConfig, Mechanism};
use lanewise_sim::machine::{Limits, Machine};
use lanewise_sim::units::lane_power_gate::{self, LanePowerGate};
use lanewise_sim::units::Unit;
use lanewise_testbenches::cosim::{BackEnd, Bench, Choice};
use lanewise_testbenches::lockstep::{Alarm, HISTORY};
use std::any::Any;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::Arc;

/// The re-shift stage overlooks lane 0.
const BUG: (&str, &str) = ("(temp_mask_i),", "(temp_mask_i & 32'hffff_fffe),");

/// The same, but only of folded warps.
const FOLDED_BUG: (&str, &str) =
    ("(temp_mask_i),", "(temp_mask_i & {31'h7fff_ffff, !execute_folded_i}),");

/// The tag of a second half is wrong if the upper half of its warp is idle: late in a reduction.
const RARE_BUG: (&str, &str) = (
    "held_tag_d = execute_tag_i;",
    "held_tag_d = execute_tag_i ^ {7'd0, execute_last_i && temp_mask_i == 32'h0000_cccc};",
);

const VECADD: [&str; 4] = ["--size", "tiny33", "--sms", "1"];

/// The first cycle in which [`RARE_BUG`] shows, and where, from the waveform of a run without it.
fn first_rare_case(waves: &Path) -> (u64, String) {
    let waves = Waveform::read(waves);
    let cases = waves.scopes().into_iter().filter_map(|scope| {
        let input = |name| waves.values(&[scope, "inputs", name]).into_iter();
        let mut rows = input("execute_valid").zip(input("execute_last")).zip(input("temp_mask"));
        let found = rows
            .find(|(((_, valid), (_, last)), (_, mask))| valid & last == 1 && *mask == 0x0000_cccc);
        // The stage holds it, so that it is seen one cycle later.
        found.map(|(((cycle, _), _), _)| (cycle + 1, scope.replace('.', "/")))
    });
    cases.min().expect("there is such a half")
}

#[test]
fn a_bug_in_the_verilog_stops_a_lockstep_run_in_its_cycle_with_a_waveform() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).display().to_string();
    let options = ["--size", "odd", "--sms", "1", "--attach", "lanes,folding"];
    let waves = file("good.vcd");
    let listen = ["--wave", &waves, "--wave-blocks", "reshift_stage", "--wave-cycles", "0..100000"];
    let good = run("reduce", &[&options[..], &listen].concat());
    assert_eq!(good.code, Some(0), "{}{}", good.out, good.err);
    let (cycle, instance) = first_rare_case(Path::new(&waves));

    let verilog = planted("reshift_stage.v", RARE_BUG.0, RARE_BUG.1);
    let verilog = verilog.path().display().to_string();
    let out = file("bad");
    let lockstep = ["--units", "lockstep", "--verilog", &verilog, "--out", &out];
    let bad = run("reduce", &[&options[..], &lockstep].concat());
    assert_eq!(bad.code, Some(3), "{}{}", bad.out, bad.err);
    let says = format!("reshift_stage ({instance}) differs in cycle {cycle}: tag");
    assert!(bad.err.contains(&says), "{says}, but:\n{}", bad.err);
    assert!(bad.err.contains("in verilated  <--"), "{}", bad.err);

    let named = bad.err.lines().find_map(|line| line.trim().strip_prefix("waveform: "));
    let waves = Waveform::read(Path::new(named.expect("a waveform is named")));
    assert_eq!(waves.end, cycle + 1, "the waveform ends with the difference");
    let tags = |side| waves.values(&["reshift_stage", side, "tag"]);
    let (model, verilated) = (tags("model"), tags("verilated"));
    let means = waves.values(&["reshift_stage", "model", "valid"]);
    let differing = model.iter().zip(&verilated).zip(&means);
    let differing = differing.filter(|((model, other), (_, valid))| *valid == 1 && model != other);
    let cycles: Vec<u64> = differing.map(|((_, other), _)| other.0).collect();
    assert_eq!(cycles, [cycle], "and has no other");
    assert_eq!(model.len(), HISTORY);
}

#[test]
fn without_lockstep_a_bug_in_folded_halves_makes_the_kernel_wrong() {
    let verilog = planted("reshift_stage.v", FOLDED_BUG.0, FOLDED_BUG.1);
    let verilog = verilog.path().display().to_string();
    let vecadd = |attach: &str, verilog: &[&str]| {
        let options = [&VECADD[..], &["--units", "verilated", "--attach", attach], verilog];
        run("vecadd", &options.concat())
    };
    let good = vecadd("lanes,folding", &[]);
    assert_eq!(good.code, Some(0), "{}{}", good.out, good.err);
    assert!(folded_percent(&good) > 0.0, "{}", good.out);
    let whole = vecadd("lanes", &["--verilog", &verilog]);
    assert_eq!(whole.code, Some(0), "{}{}", whole.out, whole.err);
    let bad = vecadd("lanes,folding", &["--verilog", &verilog]);
    assert_eq!(bad.code, Some(1), "{}{}", bad.out, bad.err);
    assert!(bad.err.contains("elements differ"), "{}", bad.err);
    assert!(folded_percent(&bad) > 0.0, "{}", bad.out);
}

#[test]
fn each_block_has_the_back_end_that_was_chosen_for_it() {
    let verilog = planted("reshift_stage.v", BUG.0, BUG.1);
    let verilog = verilog.path().display().to_string();
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().display().to_string();
    for (unit, code) in [
        // The bug is in the Verilog of a block that has its model.
        ("shift_stage=lockstep", 0),
        ("reshift_stage=model", 0),
        ("reshift_stage=rtl", 0),
        ("reshift_stage=verilated", 1),
        ("reshift_stage=lockstep", 3),
        ("reshift_stage=lockstep-all", 3),
    ] {
        // Another block uses the Verilog too, without which it would be refused.
        let units = ["--unit", "result_collector=verilated", "--unit", unit];
        let options = ["--attach", "lanes", "--verilog", &verilog, "--out", &out];
        let done = run("vecadd", &[&VECADD[..], &options, &units].concat());
        assert_eq!(done.code, Some(code), "{unit}: {}{}", done.out, done.err);
    }
    // And it goes before what is chosen for all.
    let options = ["--attach", "lanes", "--verilog", &verilog, "--out", &out];
    let options = [&VECADD[..], &options, &["--units", "lockstep", "--unit"]].concat();
    let done = run("vecadd", &[&options[..], &["reshift_stage=rtl"]].concat());
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
}

#[test]
fn a_detector_that_looks_at_one_lane_is_caught_by_the_masks_of_a_kernel() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().display().to_string();
    for lane in [0, 16, 31] {
        let look = format!("mask_i[i*32 + {lane}]");
        let verilog = planted("all_ones_detector.v", "&mask_i[i*32 +: 32]", &look);
        let verilog = verilog.path().display().to_string();
        let options = ["--size", "odd", "--sms", "1", "--attach", "groups", "--out", &out];
        let lockstep = ["--verilog", &verilog, "--unit", "all_ones_detector=lockstep"];
        let done = run("bfs", &[&options[..], &lockstep].concat());
        assert_eq!(done.code, Some(3), "lane {lane}: {}{}", done.out, done.err);
        assert!(done.err.contains("all_ones_detector (sm0/scheduler"), "{}", done.err);
    }
}

/// A power gate that forgets a lane in one cycle.
struct Forgetful {
    gate: LanePowerGate,
    cycle: u64,
    wrong_in: u64,
}

impl Unit for Forgetful {
    type In = lane_power_gate::In;
    type Out = lane_power_gate::Out;

    fn eval(&mut self, inputs: &Self::In) -> Self::Out {
        let mut out = self.gate.eval(inputs);
        if self.cycle == self.wrong_in {
            out.ready ^= 1;
        }
        out
    }

    fn tick(&mut self) {
        self.gate.tick();
        self.cycle += 1;
    }

    fn reset(&mut self) {
        self.gate.reset();
    }

    fn pass(&mut self, cycles: u64) {
        self.cycle += cycles;
    }
}

/// Gives one gate a wrong model.
struct Planted {
    bench: Bench,
    wrong_in: u64,
}

impl UnitSource for Planted {
    fn unit<U: Unit + 'static>(
        &self,
        entry: &str,
        instance: &str,
        model: U,
    ) -> Result<Boxed<U>, AttachError> {
        if instance != "sm0/sp1/int/lane_power_gate" {
            return self.bench.unit(entry, instance, model);
        }
        let gate = LanePowerGate::default();
        let wrong = Forgetful { gate, cycle: 0, wrong_in: self.wrong_in };
        let unit: Box<dyn Any> = Box::new(self.bench.unit(entry, instance, wrong)?);
        let unit = unit.downcast::<Boxed<U>>().expect("the gate has one type");
        Ok(*unit)
    }
}

#[test]
fn a_bug_in_a_model_is_found_in_its_cycle() {
    let alarm = Alarm::default();
    let waves = tempfile::tempdir().unwrap();
    let choice =
        Choice { all: BackEnd::Lockstep, mismatch_waves: waves.path().into(), ..Choice::default() };
    let bench = Bench::new(choice, &alarm, None, vec![]).unwrap();
    // While the gate still moves: one that has settled is not clocked.
    let source = Planted { bench, wrong_in: 12 };
    let mut config = MachineConfig::read("gtx480", &["gpu.sms=1".into()]).unwrap();
    config.mechanisms.attach = vec![Mechanism::Gating];
    let config = Arc::new(config);
    let mut sms = vec![Attached::new(0, &config, &source).unwrap()].into_iter();
    let slices = (0..config.gpu.partitions).map(|n| AttachedSlice::new(n, &config, &source));
    let mut slices = slices.collect::<Result<Vec<_>, _>>().unwrap().into_iter();
    let limits = Limits::default();
    let (interrupt, seen) = (limits.interrupt.clone(), alarm.clone());
    let mut machine = Machine::new(
        &config,
        limits,
        1,
        move |_| sms.next().unwrap(),
        move |_| slices.next().unwrap(),
    )
    .unwrap()
    .between(Box::new(move |_| {
        if seen.raised().is_some() {
            interrupt.store(true, Ordering::Relaxed);
        }
    }));
    let path = super::command::job("vecadd");
    let options = LoadOptions { size: Some("tiny33".into()), seed: None };
    let job = Job::load(Path::new(&path), &options).unwrap();
    let outcome = job.run_on(&mut machine, &RunOptions::default()).unwrap();
    assert_eq!(outcome.record.ended, Ended::Interrupted);
    let mismatch = alarm.raised().expect("the bug is noticed");
    assert_eq!(mismatch.instance, "sm0/sp1/int/lane_power_gate");
    assert_eq!((mismatch.cycle, &mismatch.differing[..]), (12, &["ready"][..]));
}
