//! `fma_add` keeps its contract.

use lanewise_testbenches::bindings::fma_add::binding;
use lanewise_testbenches::contract;

#[test]
fn contract() {
    contract::run(&binding());
}
