//! Stimulus that leaves something untried, and exceptions that are none.

use lanewise_sim::units::idle_counters::{In, LANES};
use lanewise_testbenches::bindings::idle_counters::binding;
use lanewise_testbenches::contract::{equal, Binding, Machine, Registers, StateOf, Subject};
use lanewise_testbenches::stimulus::Source;

use crate::expect_failure;

#[test]
fn bits_that_never_move_are_gaps() {
    fn lazy() -> Source<In> {
        Box::new(|g| In { active: g.mask32() | 0xff00_0000, cfg_threshold: 3 })
    }
    let binding = Binding { stimulus: lazy, ..binding() };
    let result = equal::check(&Subject::of(&binding).expect("a subject"));
    let says = ["output idle: bits 24-31 never", "register count_0: bits 24-31 never"];
    expect_failure(result, "coverage", &says);
}

#[test]
fn an_exception_that_is_covered_or_matches_nothing_is_stale() {
    let binding = binding().except("count_*", 0..1, "wrong").except("nothing", 0..1, "wrong");
    let result = equal::check(&Subject::of(&binding).expect("a subject"));
    let says = [
        "register count_0: bits 0 are excepted but covered",
        "register count_2: bits 0 are excepted but covered",
        "the exception for nothing bits 0..1 matches nothing",
    ];
    expect_failure(result, "coverage", &says);
}

#[test]
fn states_and_transitions_are_asked_for() {
    /// The counter of each lane as a state, read from the registers.
    fn counts(registers: &Registers) -> Vec<usize> {
        let planes = ["count_0", "count_1", "count_2"].map(|name| registers.get(name) as usize);
        (0..LANES).map(|lane| (0..3).map(|k| (planes[k] >> lane & 1) << k).sum()).collect()
    }
    const STATES: &[&str] = &["0", "1", "2", "3", "4", "5", "6", "7"];
    let up = (0..7).map(|count| (count, count + 1));
    let clear = (1..8).map(|count| (count, 0));
    let legal: Vec<_> = up.clone().chain(clear.clone()).collect();
    let wrong: Vec<_> = up.chain(clear.filter(|from| from.0 != 7)).chain([(0, 7)]).collect();
    let check = |transitions| {
        let machine = Machine { states: STATES, of: StateOf::Registers(counts), transitions };
        let binding = binding().machine(machine);
        equal::check(&Subject::of(&binding).expect("a subject"))
    };
    check(legal).expect("all legal transitions are taken and no others");
    expect_failure(
        check(wrong),
        "coverage",
        &["transition 0 -> 7 never taken", "illegal transition 7 -> 0"],
    );
}
