//! `crisp_light` keeps its contract.

use lanewise_testbenches::{bindings, contract};

#[test]
fn contract() {
    contract::run(&bindings::crisp_light::binding());
}

#[test]
fn contract_of_the_small_variant() {
    contract::run(&bindings::crisp_light::small());
}
