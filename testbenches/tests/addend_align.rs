//! `addend_align` keeps its contract.

use lanewise_testbenches::bindings::addend_align::binding;
use lanewise_testbenches::contract;

#[test]
fn contract() {
    contract::run(&binding());
}
