//! `load_critical_path` keeps its contract.

use lanewise_testbenches::{bindings, contract};

use crate::netlist::cells;

#[test]
fn contract() {
    contract::run(&bindings::load_critical_path::binding());
}

#[test]
fn contract_with_four_ports() {
    contract::run(&bindings::load_critical_path::ports_4());
}

#[test]
fn contract_of_the_small_variant() {
    contract::run(&bindings::load_critical_path::small());
}

/// A packed vector of timestamps is what it says; Yosys makes 8320 flip-flops of an array of 164 words.
#[test]
fn a_timestamp_takes_32_flip_flops_and_no_more() {
    let cells = cells("load_critical_path", "opt_dff -simple-dffe; simplemap t:$*dff*");
    // With enable: the timestamps. With reset: 164 busy bits, path, cycle and overflow.
    assert_eq!(cells.get("$_DFFE_PP_"), Some(&(164 * 32)));
    assert_eq!(cells.get("$_SDFF_PP0_"), Some(&(164 + 32 + 32 + 1)));
}
