//! `result_collector` keeps its contract with four and with eight entries.

use lanewise_testbenches::{bindings::result_collector, contract};

#[test]
fn contract_entries_4() {
    contract::run(&result_collector::entries_4());
}

#[test]
fn contract_entries_8() {
    contract::run(&result_collector::entries_8());
}
