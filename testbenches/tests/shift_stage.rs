//! `shift_stage` keeps its contract in both variants.

use lanewise_testbenches::{bindings::shift_stage, contract};

#[test]
fn contract_compact() {
    contract::run(&shift_stage::compact());
}

#[test]
fn contract_fold() {
    contract::run(&shift_stage::fold());
}
