//! `int_unit` keeps its contract.

use lanewise_testbenches::bindings::int_unit::binding;
use lanewise_testbenches::contract;

#[test]
fn contract() {
    contract::run(&binding());
}
