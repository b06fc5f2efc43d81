//! Planted bugs: in the Verilog and in a model, found in the right cycle; and felt by a kernel's own results.

use super::command::{planted, run};
use lanewise_sim::attach::{AttachError, Attached, AttachedSlice, Boxed, UnitSource};
use lanewise_sim::job::{Ended, Job, LoadOptions, RunOptions};
use lanewise_sim::machine::config::{MachineConfig, Mechanism};
use lanewise_sim::machine::{Limits, Machine};
use lanewise_sim::units::lane_power_gate::{self, LanePowerGate};
use lanewise_sim::units::Unit;
use lanewise_testbenches::cosim::{BackEnd, Bench, Choice};
use lanewise_testbenches::lockstep::Alarm;
use std::any::Any;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::Arc;

/// The re-shift stage overlooks lane 0.
const BUG: (&str, &str) = ("(temp_mask_i),", "(temp_mask_i & 32'hffff_fffe),");

#[test]
fn a_bug_in_the_verilog_stops_a_lockstep_run_with_a_waveform() {
    let verilog = planted("reshift_stage.v", BUG.0, BUG.1);
    let waves = tempfile::tempdir().unwrap();
    let (verilog, out) = (verilog.path().display(), waves.path().display());
    let options = ["--size", "tiny33", "--sms", "1", "--attach", "lanes", "--units", "lockstep"];
    let (verilog, out) = (verilog.to_string(), out.to_string());
    let done = run("vecadd", &[&options[..], &["--verilog", &verilog, "--out", &out]].concat());
    assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
    assert!(done.err.contains("reshift_stage (sm0/sp"), "{}", done.err);
    assert!(done.err.contains("in verilated  <--"), "{}", done.err);
    let waveform = done.err.lines().find_map(|l| l.trim().strip_prefix("waveform: "));
    let text = std::fs::read_to_string(waveform.expect("a waveform is named")).unwrap();
    assert!(text.contains("$enddefinitions") && text.contains("verilated"), "a VCD file");
}

#[test]
fn without_lockstep_the_same_bug_makes_the_kernel_wrong() {
    let verilog = planted("reshift_stage.v", BUG.0, BUG.1);
    let verilog = verilog.path().display().to_string();
    let options = ["--size", "tiny33", "--sms", "1", "--attach", "lanes", "--units", "verilated"];
    let good = run("vecadd", &options);
    assert_eq!(good.code, Some(0), "{}{}", good.out, good.err);
    let bad = run("vecadd", &[&options[..], &["--verilog", &verilog]].concat());
    assert_eq!(bad.code, Some(1), "{}{}", bad.out, bad.err);
    assert!(bad.err.contains("elements differ"), "{}", bad.err);
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
