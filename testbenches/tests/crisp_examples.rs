//! The two worked examples of the CRISP paper, exact in golden model, stepped RTL and exported Verilog.

use lanewise_sim::crisp::examples::{Example, CPU, GPU, MISS_LATENCY};
use lanewise_sim::units::{
    crisp_counters, crisp_light, crit_model, lead_model, miss_model, stall_model, Io,
};
use lanewise_testbenches::bindings;
use lanewise_testbenches::contract::{Binding, Subject};
use lanewise_testbenches::verilated::Start;
use lanewise_testbenches::BoxedUnit;

/// What `read` finds in the outputs of each back end after the cycles of the example.
fn after<I: Io, O: Io, T>(
    example: &Example,
    binding: Binding<I, O>,
    inputs: impl Fn(u32) -> I,
    read: impl Fn(O) -> T,
) -> [T; 3] {
    let subject = Subject::of(&binding).expect("bound");
    let units: [BoxedUnit<I, O>; 3] = [
        (binding.model)(),
        Box::new(subject.rtl("examples").expect("steppable")),
        Box::new(subject.verilated("examples").expect("verilated").unit(Start::Reset)),
    ];
    units.map(|mut unit| {
        for cycle in 0..example.cycles {
            unit.eval(&inputs(cycle));
            unit.tick();
        }
        read(unit.eval(&I::default()))
    })
}

/// The slots that `named` gives, dealt out to the ports.
fn ports(named: impl Iterator<Item = u8>) -> ([bool; 2], [u8; 2]) {
    let (mut valid, mut slot) = ([false; 2], [0; 2]);
    for (port, named) in named.enumerate() {
        (valid[port], slot[port]) = (true, named);
    }
    (valid, slot)
}

fn check(example: &Example) {
    let expected = example.counters;
    let starts = |cycle| ports(example.starts(cycle));
    let ends = |cycle| ports(example.ends(cycle));

    let crisp = after(
        example,
        bindings::crisp_counters::binding(),
        |cycle| {
            let ((start_valid, start_slot), (end_valid, end_slot)) = (starts(cycle), ends(cycle));
            let (load_stall, store_stall) = (example.load_stall(cycle), example.store_stall(cycle));
            crisp_counters::In {
                start_valid,
                start_slot,
                end_valid,
                end_slot,
                load_stall,
                store_stall,
            }
        },
        |out| (out.t_lcp, out.load_stalls, out.store_stalls, out.cycles),
    );
    let counters = (expected.t_lcp, expected.load_stalls, expected.store_stalls, example.cycles);
    assert_eq!(crisp, [counters; 3]);

    let light = after(
        example,
        bindings::crisp_light::binding(),
        |cycle| crisp_light::In {
            load_outstanding: example.outstanding(cycle),
            load_stall: example.load_stall(cycle),
            store_stall: example.store_stall(cycle),
        },
        |out| (out.lcp, out.load_stalls, out.store_stalls),
    );
    assert_eq!(light, [(expected.light_lcp, expected.load_stalls, expected.store_stalls); 3]);

    let stall = after(
        example,
        bindings::stall_model::binding(),
        |cycle| stall_model::In { load_stall: example.load_stall(cycle) },
        |out| out.t_mem,
    );
    assert_eq!(stall, [expected.load_stalls; 3]);

    let miss = after(
        example,
        bindings::miss_model::binding(),
        |cycle| miss_model::In {
            miss: example.starts(cycle).next().is_some(),
            cfg_latency: MISS_LATENCY,
        },
        |out| out.t_mem,
    );
    assert_eq!(miss, [expected.miss; 3]);

    let lead = after(
        example,
        bindings::lead_model::binding(),
        |cycle| {
            let ((start_valid, start_slot), (end_valid, end_slot)) = (starts(cycle), ends(cycle));
            lead_model::In { start_valid, start_slot, end_valid, end_slot }
        },
        |out| out.t_mem,
    );
    assert_eq!(lead, [expected.lead; 3]);

    let crit = after(
        example,
        bindings::crit_model::binding(),
        |cycle| {
            let ((start_valid, start_slot), (end_valid, end_slot)) = (starts(cycle), ends(cycle));
            crit_model::In { start_valid, start_slot, end_valid, end_slot }
        },
        |out| out.t_mem,
    );
    assert_eq!(crit, [expected.crit; 3]);
}

#[test]
fn cpu_example() {
    check(&CPU);
}

#[test]
fn gpu_example() {
    check(&GPU);
}
