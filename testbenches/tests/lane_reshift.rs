//! `lane_reshift` keeps its contract in both variants and widths.

use lanewise_testbenches::{bindings::lane_reshift, contract};

#[test]
fn contract_compact() {
    contract::run(&lane_reshift::compact());
}

#[test]
fn contract_compact_width_1() {
    contract::run(&lane_reshift::compact_width_1());
}

#[test]
fn contract_fold() {
    contract::run(&lane_reshift::fold());
}

#[test]
fn contract_fold_width_1() {
    contract::run(&lane_reshift::fold_width_1());
}
