//! `lane_shift` keeps its contract in both variants and widths.

use lanewise_testbenches::{bindings::lane_shift, contract};

#[test]
fn contract_compact() {
    contract::run(&lane_shift::compact());
}

#[test]
fn contract_compact_width_1() {
    contract::run(&lane_shift::compact_width_1());
}

#[test]
fn contract_fold() {
    contract::run(&lane_shift::fold());
}

#[test]
fn contract_fold_width_1() {
    contract::run(&lane_shift::fold_width_1());
}
