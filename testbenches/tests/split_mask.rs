//! `split_mask` keeps its contract.

use lanewise_testbenches::{bindings::split_mask, contract};

#[test]
fn contract() {
    contract::run(&split_mask::binding());
}
