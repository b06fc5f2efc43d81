//! `miss_model` keeps its contract.

use lanewise_testbenches::{bindings, contract};

#[test]
fn contract() {
    contract::run(&bindings::miss_model::binding());
}

#[test]
fn contract_of_the_small_variant() {
    contract::run(&bindings::miss_model::small());
}
