//! The contract and the particular tests of every block, one module a block.

mod crisp_classifier;
mod crisp_counters;
mod crisp_examples;
mod crisp_light;
mod crit_model;
mod idle_counters;
mod lead_model;
mod load_critical_path;
mod miss_model;
mod netlist;
mod stall_model;

use lanewise_hw::catalogue;
use lanewise_testbenches::bindings;

#[test]
fn every_entry_of_the_catalogue_is_bound() {
    let entries: Vec<String> = catalogue::entries().into_iter().map(|entry| entry.name).collect();
    let bound: Vec<&str> = bindings::all().iter().map(|binding| binding.entry()).collect();
    assert_eq!(bound, entries);
}
