//! `lane_shift_cluster` keeps its contract in both variants and widths.

use lanewise_testbenches::{bindings::lane_shift_cluster, contract};

#[test]
fn contract_compact() {
    contract::run(&lane_shift_cluster::compact());
}

#[test]
fn contract_compact_width_1() {
    contract::run(&lane_shift_cluster::compact_width_1());
}

#[test]
fn contract_fold() {
    contract::run(&lane_shift_cluster::fold());
}

#[test]
fn contract_fold_width_1() {
    contract::run(&lane_shift_cluster::fold_width_1());
}
