//! `gang_reformer` keeps its contract.

use lanewise_testbenches::{bindings, contract};

#[test]
fn contract() {
    contract::run(&bindings::gang_reformer::binding());
}

#[test]
fn contract_of_two_sets() {
    contract::run(&bindings::gang_reformer::two_sets());
}
