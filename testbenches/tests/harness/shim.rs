//! Every shape of port crosses the shim unharmed, and power-up states are as random as asked for.

use std::collections::BTreeSet;

use lanewise_sim::units::{idle_counters, Unit};
use lanewise_testbenches::bindings::idle_counters::binding;
use lanewise_testbenches::contract::Subject;
use lanewise_testbenches::stimulus::Gen;
use lanewise_testbenches::verilated::{Source, Start, Verilated, VerilatedUnit};
use proptest::test_runner::TestRunner;

macro_rules! shapes {
    ($name:ident) => {
        lanewise_sim::io! {
            /// Each kind of C++ variable that Verilator gives a port.
            pub struct $name {
                /// CData
                bit: bool, 1;
                /// CData, not full
                small: u8, 5;
                /// SData
                short: u16, 16;
                /// IData
                word: u32, 32;
                /// QData, not full
                long: u64, 40;
                /// QData
                full: u64, 64;
                /// VlWide whose elements straddle words
                odd: [u16; 7], 11;
                /// VlWide of whole words
                lanes: [u32; 4], 32;
            }
        }
    };
}

shapes!(ShapesIn);
shapes!(ShapesOut);

fn wires() -> Vec<Source> {
    let ports = [
        ("bit", 1),
        ("small", 5),
        ("short", 16),
        ("word", 32),
        ("long", 40),
        ("full", 64),
        ("odd", 77),
        ("lanes", 128),
    ];
    let list = |direction: &str, suffix: &str| {
        let port = |(name, bits)| format!("{direction} wire [{}:0] {name}_{suffix}", bits - 1);
        ports.map(port).join(", ")
    };
    let assigns = ports.map(|(name, _)| format!("  assign {name}_o = {name}_i;\n")).concat();
    let (inputs, outputs) = (list("input", "i"), list("output", "o"));
    let text = format!("module wires ({inputs}, {outputs});\n{assigns}endmodule\n");
    vec![Source { name: "wires".into(), text }]
}

#[test]
fn every_shape_of_port_goes_in_and_comes_out() {
    let built = Verilated::<ShapesIn, ShapesOut>::build(&wires()).expect("a build");
    let mut unit = built.unit(Start::Reset);
    let mut runner = TestRunner::deterministic();
    let mut g = Gen::new(&mut runner);
    for _ in 0..1000 {
        let inputs: ShapesIn = g.uniform();
        let outputs = unit.eval(&inputs);
        let ShapesIn { bit, small, short, word, long, full, odd, lanes } = inputs;
        assert_eq!(outputs, ShapesOut { bit, small, short, word, long, full, odd, lanes });
        unit.tick();
    }
}

#[test]
fn power_up_states_follow_their_seed() {
    let binding = binding();
    let subject = Subject::of(&binding).expect("a subject");
    let built = subject.verilated("shim").expect("a build");
    let flags = |mut unit: VerilatedUnit<idle_counters::In, idle_counters::Out>| {
        unit.eval(&idle_counters::In { active: 0, cfg_threshold: 4 }).idle
    };
    let random: BTreeSet<u32> =
        (0..10).map(|seed| flags(built.unit(Start::Random(seed)))).collect();
    assert!(random.len() > 8, "ten seeds give {random:x?}");
    assert_eq!(flags(built.unit(Start::Random(3))), flags(built.unit(Start::Random(3))));
    assert_eq!(flags(built.unit(Start::Reset)), 0);
}

#[test]
fn units_can_be_made_and_stepped_on_other_threads() {
    let binding = binding();
    let subject = Subject::of(&binding).expect("a subject");
    let built = subject.verilated("shim").expect("a build");
    let inputs = idle_counters::In { active: 1, cfg_threshold: 5 };
    let mut units: Vec<_> = (0..4).map(|_| built.unit(Start::Reset)).collect();
    std::thread::scope(|scope| {
        for unit in &mut units {
            scope.spawn(|| {
                for _ in 0..5 {
                    assert_eq!(unit.eval(&inputs).idle, 0);
                    unit.tick();
                }
            });
        }
    });
    assert!(units.iter_mut().all(|unit| unit.eval(&inputs).idle == !1));
}

#[test]
fn cycles_that_are_repeated_are_cycles_one_by_one() {
    let binding = binding();
    let subject = Subject::of(&binding).expect("a subject");
    let built = subject.verilated("shim").expect("a build");
    let [mut at_once, mut one_by_one] = [(); 2].map(|()| built.unit(Start::Reset));
    let mut runner = TestRunner::deterministic();
    let mut g = Gen::new(&mut runner);
    for n in 0..1000 {
        let inputs: idle_counters::In = g.uniform();
        at_once.repeat(&inputs, n % 6);
        for _ in 0..n % 6 {
            one_by_one.eval(&inputs);
            one_by_one.tick();
        }
        let look = idle_counters::In { active: 0, cfg_threshold: 4 };
        assert_eq!(at_once.eval(&look), one_by_one.eval(&look), "after {} cycles", n % 6);
    }
}
