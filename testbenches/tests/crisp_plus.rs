//! `crisp_plus` keeps its contract.

use lanewise_testbenches::{bindings, contract};

#[test]
fn contract() {
    contract::run(&bindings::crisp_plus::warps_64());
}

#[test]
fn contract_for_48_warps() {
    contract::run(&bindings::crisp_plus::warps_48());
}

#[test]
fn contract_of_the_small_variant() {
    contract::run(&bindings::crisp_plus::small());
}
