//! What CRISP's classifier is told about warps that wait.

use super::harness::Bench;
use lanewise_sim::machine::sm::hooks::{CycleSignals, Hooks, Silent};
use lanewise_sim::machine::{Limits, Machine};

/// Cycles with each signal.
#[derive(Clone, Default)]
struct Seen {
    control_hazard: u64,
    raw_memory: u64,
    raw_arithmetic: u64,
}

impl Hooks for Seen {
    const WATCHES_CYCLES: bool = true;

    fn cycles(&mut self, signals: &CycleSignals, count: u64) {
        self.control_hazard += u64::from(signals.control_hazard) * count;
        self.raw_memory += u64::from(signals.raw_memory) * count;
        self.raw_arithmetic += u64::from(signals.raw_arithmetic) * count;
    }
}

/// The signals of `more` iterations of a bench.
fn seen(bench: &Bench, more: u32) -> Seen {
    let run = |iterations| {
        let config = bench.machine();
        let mut machine =
            Machine::new(&config, Limits::default(), 1, |_| Seen::default(), |_| Silent).unwrap();
        bench.run_on(&mut machine, iterations).unwrap();
        machine.gpu().unwrap().sms[0].hooks.clone()
    };
    // Parameters are loads too: only what further iterations add is the body's.
    let (few, many) = (run(4), run(4 + more));
    Seen {
        control_hazard: many.control_hazard - few.control_hazard,
        raw_memory: many.raw_memory - few.raw_memory,
        raw_arithmetic: many.raw_arithmetic - few.raw_arithmetic,
    }
}

#[test]
fn shared_memory_is_the_pipelines_own_wait_and_global_memory_is_not() {
    let shared = Bench::new("ld.shared.u32 %r1, [tile];\nadd.s32 %r2, %r1, 1;")
        .module(".shared .align 4 .b8 tile[128];");
    let seen_shared = seen(&shared, 16);
    assert_eq!(seen_shared.raw_memory, 0);
    assert!(seen_shared.raw_arithmetic > 16 * 20, "{}", seen_shared.raw_arithmetic);
    let global = Bench::new("ld.global.u32 %r1, [%base];\nadd.s32 %r2, %r1, 1;");
    assert!(seen(&global, 16).raw_memory > 16 * 20);
}

#[test]
fn only_a_branch_that_is_taken_is_a_control_hazard() {
    // The loop of every bench goes back once an iteration.
    let passed = "setp.ne.s32 %q1, %r1, %r1;\n@%q1 bra past;\npast:\nadd.s32 %r1, %r1, 1;";
    let passed = seen(&Bench::new(passed), 16).control_hazard;
    assert!(passed <= 16, "{passed}");
    let taken = "setp.eq.s32 %q1, %r1, %r1;\n@%q1 bra past;\nadd.s32 %r2, %r2, 1;\n\
                 add.s32 %r2, %r2, 1;\npast:\nadd.s32 %r1, %r1, 1;";
    let taken = seen(&Bench::new(taken), 16).control_hazard;
    assert!(taken >= passed + 16, "{taken} after {passed}");
}
