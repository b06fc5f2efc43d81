//! `gang_directory` keeps its contract.

use lanewise_testbenches::{bindings, contract};

#[test]
fn contract() {
    contract::run(&bindings::gang_directory::binding());
}

#[test]
fn contract_of_two_sets() {
    contract::run(&bindings::gang_directory::two_sets());
}
