//! `gang_splitter` keeps its contract.

use lanewise_testbenches::{bindings, contract};

#[test]
fn contract() {
    contract::run(&bindings::gang_splitter::binding());
}

#[test]
fn contract_of_narrow_counters() {
    contract::run(&bindings::gang_splitter::narrow());
}
