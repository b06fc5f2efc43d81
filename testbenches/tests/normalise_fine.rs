//! `normalise_fine` keeps its contract.

use lanewise_testbenches::bindings::normalise_fine::binding;
use lanewise_testbenches::contract;

#[test]
fn contract() {
    contract::run(&binding());
}
