//! `product_tree` keeps its contract.

use lanewise_testbenches::bindings::product_tree::binding;
use lanewise_testbenches::contract;

#[test]
fn contract() {
    contract::run(&binding());
}
