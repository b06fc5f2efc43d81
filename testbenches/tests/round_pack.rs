//! `round_pack` keeps its contract in both variants.

use lanewise_testbenches::{bindings::round_pack, contract};

#[test]
fn contract_full() {
    contract::run(&round_pack::full());
}

#[test]
fn contract_flush() {
    contract::run(&round_pack::flush());
}
