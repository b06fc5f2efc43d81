//! `load_critical_path` keeps its contract.

use lanewise_testbenches::{bindings, contract};

#[test]
fn contract() {
    contract::run(&bindings::load_critical_path::binding());
}

#[test]
fn contract_with_four_ports() {
    contract::run(&bindings::load_critical_path::ports_4());
}

#[test]
fn contract_of_the_small_variant() {
    contract::run(&bindings::load_critical_path::small());
}
