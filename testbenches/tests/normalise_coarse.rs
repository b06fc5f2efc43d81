//! `normalise_coarse` keeps its contract.

use lanewise_testbenches::bindings::normalise_coarse::binding;
use lanewise_testbenches::contract;

#[test]
fn contract() {
    contract::run(&binding());
}
