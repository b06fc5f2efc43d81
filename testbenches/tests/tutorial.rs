//! A block of our own, attached to the machine in lockstep: the tutorial of docs/cosimulation.md.

use lanewise_sim::io;
use lanewise_sim::units::Unit;

io! {
    /// Inputs of the meter.
    pub struct MeterIn {
        /// A warp instruction issues in this cycle.
        valid: bool, 1;
        /// Lanes where its guard held.
        mask: u32, 32;
    }
}

io! {
    /// Outputs of the meter.
    pub struct MeterOut {
        /// Lanes that have worked since reset.
        total: u32, 32;
    }
}

/// Counts the lanes of issued instructions. Reset state: 0.
#[derive(Clone, Debug, Default)]
struct LaneMeter {
    total: u32,
    next: u32,
}

impl Unit for LaneMeter {
    type In = MeterIn;
    type Out = MeterOut;

    fn eval(&mut self, inputs: &MeterIn) -> MeterOut {
        let lanes = if inputs.valid { inputs.mask.count_ones() } else { 0 };
        self.next = self.total.wrapping_add(lanes);
        MeterOut { total: self.total }
    }

    fn tick(&mut self) {
        self.total = self.next;
    }

    fn reset(&mut self) {
        *self = Self::default();
    }
}

mod rtl {
    use lanewise_hw::prelude::*;

    /// Counts the lanes of issued instructions.
    #[derive(LogicBlock, Default)]
    pub struct LaneMeter {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        pub valid: Signal<In, Bit>,
        pub mask: Signal<In, Bits<32>>,
        pub total: Signal<Out, Bits<32>>,
        count: Reg<Bits<32>>,
        lanes: Signal<Local, Bits<32>>,
    }

    rtl_block! {
        LaneMeter,
        "lane_meter" in "tutorial", clocked,
        Origami "none",
        "Counts the lanes of issued instructions.",
        input valid: "a warp instruction issues in this cycle";
        input mask: "lanes where its guard held";
        output total: "lanes that have worked since reset";
    }

    impl Logic for LaneMeter {
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clock, count);
            self.lanes.next = 0.into();
            for i in 0..32 {
                if self.mask.val().get_bit(i) {
                    self.lanes.next = self.lanes.val() + 1;
                }
            }
            if self.valid.val() {
                self.count.d.next = self.count.q.val() + self.lanes.val();
            }
            self.total.next = self.count.q.val();
        }
    }
}

use lanewise_hw::emit::{self, Heading, Known};
use lanewise_hw::rtl::RtlBlock;
use lanewise_testbenches::lockstep::{Alarm, Lockstep};
use lanewise_testbenches::rtl::RtlUnit;
use lanewise_testbenches::verilated::{Source, Start, Verilated};

/// The Verilog of the meter.
fn verilog() -> Source {
    let block: Box<dyn RtlBlock> = Box::new(rtl::LaneMeter::default());
    let heading = Heading { name: "lane_meter", params: &[] };
    let module = emit::module(block.as_ref(), &heading, &Known::default());
    Source::from(module.expect("the emitter understands the block"))
}

/// Model, stepped RTL and verilated Verilog side by side.
fn meter(instance: &str, alarm: &Alarm) -> Lockstep<MeterIn, MeterOut> {
    let stepped = RtlUnit::new(Box::new(rtl::LaneMeter::default())).expect("rust-hdl accepts it");
    let built = Verilated::build(&[verilog()]).expect("Verilator builds it");
    Lockstep::new("lane_meter", instance, alarm)
        .with("model", Box::new(LaneMeter::default()))
        .with("rtl", Box::new(stepped))
        .with("verilated", Box::new(built.unit(Start::Reset)))
}

use lanewise_sim::machine::sm::hooks::{CycleSignals, Hooks, Issue};

/// What looks on at one SM: at most two instructions issue in a cycle, so it has two meters.
struct Metered {
    meters: [Lockstep<MeterIn, MeterOut>; 2],
    issued: Vec<u32>,
    /// What the meters show.
    total: u64,
}

impl Hooks for Metered {
    const WATCHES_CYCLES: bool = true;

    fn issued(&mut self, issue: &Issue) {
        self.issued.push(issue.executed.0);
    }

    fn cycles(&mut self, _signals: &CycleSignals, count: u64) {
        self.total = 0;
        for (n, meter) in self.meters.iter_mut().enumerate() {
            let mask = self.issued.get(n).copied();
            let inputs = MeterIn { valid: mask.is_some(), mask: mask.unwrap_or(0) };
            meter.eval(&inputs);
            meter.tick();
            // Cycles after the first are ones in which nothing could issue.
            meter.pass(count - 1);
            self.total += u64::from(meter.eval(&MeterIn::default()).total);
        }
        self.issued.clear();
    }
}

use lanewise_sim::job::{Job, LoadOptions, RunOptions};
use lanewise_sim::machine::config::MachineConfig;
use lanewise_sim::machine::sm::hooks::Silent;
use lanewise_sim::machine::{Limits, Machine};
use std::path::Path;
use std::sync::Arc;

#[test]
fn the_meter_agrees_with_the_machine() {
    let config = MachineConfig::read("gtx480", &["gpu.sms=1".into()]).expect("it is shipped");
    let alarm = Alarm::default();
    let shared = alarm.clone();
    let hooks = move |sm| Metered {
        meters: [0, 1].map(|n| meter(&format!("sm{sm}/meter{n}"), &shared)),
        issued: vec![],
        total: 0,
    };
    let mut machine = Machine::new(&Arc::new(config), Limits::default(), 1, hooks, |_| Silent)
        .expect("the scheduler is known");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../kernels/bfs/bfs.toml");
    let options = LoadOptions { size: Some("tiny33".into()), seed: None };
    let job = Job::load(Path::new(path), &options).expect("the job is right");
    let outcome = job.run_on(&mut machine, &RunOptions::default()).expect("the kernel runs");
    assert!(outcome.passed());
    assert_eq!(alarm.raised(), None, "the three back ends agree in every cycle");
    let gpu = machine.gpu().expect("it has run");
    assert_eq!(gpu.sms[0].hooks.total, gpu.sms[0].counts().thread_instructions);
}
