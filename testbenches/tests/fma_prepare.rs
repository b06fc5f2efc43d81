//! `fma_prepare` keeps its contract.

use lanewise_testbenches::bindings::fma_prepare::binding;
use lanewise_testbenches::contract;

#[test]
fn contract() {
    contract::run(&binding());
}
