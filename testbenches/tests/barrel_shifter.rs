//! `barrel_shifter` keeps its contract.

use lanewise_testbenches::bindings::barrel_shifter::binding;
use lanewise_testbenches::contract;

#[test]
fn contract() {
    contract::run(&binding());
}
