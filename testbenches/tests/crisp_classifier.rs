//! `crisp_classifier` keeps its contract.

use lanewise_testbenches::{bindings, contract};

#[test]
fn contract() {
    contract::run(&bindings::crisp_classifier::binding());
}
