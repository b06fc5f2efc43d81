//! The contract and the particular tests of every block, one module a block.

mod addend_align;
mod all_ones_detector;
mod barrel_shifter;
mod boost_controller;
mod crisp_classifier;
mod crisp_counters;
mod crisp_examples;
mod crisp_light;
mod crisp_plus;
mod crit_model;
mod drowsy_regions;
mod dwl_gate;
mod float_unpack;
mod fma_add;
mod fma_prepare;
mod fold_controller;
mod gang_directory;
mod gang_issue;
mod gang_operation;
mod gang_reformer;
mod gang_splitter;
mod gang_table;
mod gang_table_ram;
mod group_counters;
mod idle_counters;
mod int_unit;
mod lane_path;
mod lane_power_gate;
mod lane_reshift;
mod lane_reshift_cluster;
mod lane_shift;
mod lane_shift_cluster;
mod lead_model;
mod load_critical_path;
mod miss_model;
mod netlist;
mod normalise_coarse;
mod normalise_fine;
mod product_tree;
mod reshift_stage;
mod result_collector;
mod round_pack;
mod shift_stage;
mod simt_lane;
mod split_mask;
mod stall_model;
mod warp_profiler;

use lanewise_hw::catalogue;
use lanewise_testbenches::bindings;

#[test]
fn every_entry_of_the_catalogue_is_bound() {
    let entries: Vec<String> = catalogue::entries().into_iter().map(|entry| entry.name).collect();
    let bound: Vec<&str> = bindings::all().iter().map(|binding| binding.entry()).collect();
    assert_eq!(bound, entries);
}

#[test]
fn every_entry_of_the_catalogue_has_a_row_of_speeds() {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/performance.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let missing: Vec<String> = catalogue::entries()
        .into_iter()
        .map(|entry| entry.name)
        .filter(|name| !page.contains(&format!("| `{name}` | ")))
        .collect();
    assert!(missing.is_empty(), "run the program `steps-table`: {missing:?}");
}
