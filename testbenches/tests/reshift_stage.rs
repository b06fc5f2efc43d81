//! `reshift_stage` keeps its contract in both variants.

use lanewise_testbenches::{bindings::reshift_stage, contract};

#[test]
fn contract_compact() {
    contract::run(&reshift_stage::compact());
}

#[test]
fn contract_fold() {
    contract::run(&reshift_stage::fold());
}
