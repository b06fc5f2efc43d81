//! `float_unpack` keeps its contract.

use lanewise_testbenches::bindings::float_unpack::binding;
use lanewise_testbenches::contract;

#[test]
fn contract() {
    contract::run(&binding());
}
