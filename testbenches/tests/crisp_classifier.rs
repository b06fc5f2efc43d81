//! `crisp_classifier` keeps its contract.

use lanewise_testbenches::{bindings, contract};

use crate::netlist::{cells, SIMPLE_CELLS};

#[test]
fn contract() {
    contract::run(&bindings::crisp_classifier::binding());
}

/// The bar of the paper: "12 logic gates".
#[test]
fn it_takes_at_most_12_cells_of_a_simple_library() {
    let map = format!("synth -flatten; abc -liberty {SIMPLE_CELLS}; opt_clean -purge");
    let cells = cells("crisp_classifier", &map);
    let count: usize = cells.values().sum();
    assert!(cells.keys().all(|cell| !cell.starts_with('$')), "not mapped: {cells:?}");
    assert!(count > 0 && count <= 12, "{count} cells: {cells:?}");
}

/// Measured at 15; two-input gates cannot share as much as AOI and OAI cells do.
#[test]
fn it_takes_at_most_16_gates_of_two_inputs() {
    let map = "synth -flatten; abc -g AND,OR,XOR,NAND,NOR,XNOR,ANDNOT,ORNOT; opt_clean -purge";
    let cells = cells("crisp_classifier", map);
    let count: usize = cells.values().sum();
    assert!(count > 0 && count <= 16, "{count} gates: {cells:?}");
}
