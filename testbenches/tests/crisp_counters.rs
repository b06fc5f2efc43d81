//! `crisp_counters` keeps its contract.

use lanewise_testbenches::{bindings, contract};

#[test]
fn contract() {
    contract::run(&bindings::crisp_counters::binding());
}

#[test]
fn contract_with_four_ports() {
    contract::run(&bindings::crisp_counters::ports_4());
}

#[test]
fn contract_of_the_small_variant() {
    contract::run(&bindings::crisp_counters::small());
}
