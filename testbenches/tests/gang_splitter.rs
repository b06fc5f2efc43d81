//! `gang_splitter` keeps its contract and parts the gang of its page.

use lanewise_sim::units::gang_splitter;
use lanewise_testbenches::{bindings, contract};

#[test]
fn contract() {
    contract::run(&bindings::gang_splitter::binding());
}

#[test]
fn contract_of_narrow_counters() {
    contract::run(&bindings::gang_splitter::narrow());
}

#[test]
fn the_example_of_the_page() {
    let pc = [10, 20, 10, 30, 20, 10, 40, 10];
    let branch = gang_splitter::In { member: 0x7f, pc, ..Default::default() };
    for (name, mut splitter) in contract::back_ends(&bindings::gang_splitter::binding()) {
        let out = splitter.eval(&branch);
        assert_eq!(out.group_mask, [0b010_0101, 0b001_0010, 0, 0], "{name}");
        assert_eq!(out.group_pc, [10, 20, 0, 0], "{name}");
        assert_eq!((out.single_mask, out.split), (0b100_1000, true), "{name}");
    }
}
