//! `gang_issue` keeps its contract.

use lanewise_testbenches::{bindings, contract};

#[test]
fn contract() {
    contract::run(&bindings::gang_issue::binding());
}

#[test]
fn contract_with_one_pick() {
    contract::run(&bindings::gang_issue::one_pick());
}

#[test]
fn contract_with_four_picks() {
    contract::run(&bindings::gang_issue::four_picks());
}

#[test]
fn contract_of_two_sets() {
    contract::run(&bindings::gang_issue::two_sets());
}
