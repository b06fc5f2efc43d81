//! `group_counters` keeps its contract; every change from every count is right.

use lanewise_sim::units::group_counters::In;
use lanewise_testbenches::bindings::group_counters::binding;
use lanewise_testbenches::contract;
use lanewise_testbenches::scenario::Scenario;

#[test]
fn contract() {
    contract::run(&binding());
}

#[test]
fn every_input_at_every_count() {
    let mut counters = Scenario::of(&binding());
    let both = In { enter_valid: [true; 2], enter_full: [true, false], ..In::default() };
    for count in 0..32 {
        for number in 0..256 {
            let pair = |at: i32| [number >> at & 1 != 0, number >> (at + 1) & 1 != 0];
            let inputs = In {
                enter_valid: pair(0),
                enter_full: pair(2),
                leave_valid: pair(4),
                leave_full: pair(6),
            };
            let change = |full: bool| {
                let ports = |valid: [bool; 2], is_full: [bool; 2]| {
                    (0..2).filter(|&port| valid[port] && is_full[port] == full).count() as i32
                };
                ports(inputs.enter_valid, inputs.enter_full)
                    - ports(inputs.leave_valid, inputs.leave_full)
            };
            counters.reset();
            for _ in 0..count {
                counters.cycle(&both);
            }
            counters.cycle(&inputs);
            let out = counters.cycle(&In::default());
            let found = [out.full_count, out.partial_count].map(i32::from);
            let expected = [true, false].map(|full| (count + change(full)).clamp(0, 31));
            assert_eq!(found, expected, "{inputs:?} at {count}");
        }
    }
}
