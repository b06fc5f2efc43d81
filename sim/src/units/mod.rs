//! The golden model of every hardware block, one file a block, all under one trait.
//!
//! A model says in plain Rust what a block does. The RTL in `lanewise-hw` and the exported Verilog must
//! agree with it on every meaningful output of every cycle; `lanewise-testbenches` checks that they do.

pub mod addend_align;
pub mod all_ones_detector;
pub mod barrel_shifter;
pub mod boost_controller;
mod counter;
pub mod crisp_classifier;
pub mod crisp_counters;
pub mod crisp_light;
pub mod crisp_plus;
pub mod crit_model;
pub mod drowsy_regions;
pub mod dwl_gate;
pub mod float_unpack;
pub mod fma_add;
pub mod fma_prepare;
pub mod fold_controller;
pub mod gang_directory;
pub mod gang_issue;
pub mod gang_operation;
pub mod gang_reformer;
pub mod gang_splitter;
pub mod gang_table;
pub mod gang_table_ram;
pub mod group_counters;
pub mod idle_counters;
pub mod int_unit;
pub mod io;
pub mod lane_power_gate;
pub mod lane_reshift;
pub mod lane_reshift_cluster;
pub mod lane_shift;
pub mod lane_shift_cluster;
pub mod lane_stages;
pub mod lead_model;
pub mod load_critical_path;
pub mod miss_model;
pub mod normalise_coarse;
pub mod normalise_fine;
pub mod product_tree;
pub mod reshift_stage;
pub mod result_collector;
pub mod round_pack;
pub mod shift_stage;
pub mod simt_lane;
pub mod split_mask;
pub mod stall_model;
pub mod warp_profiler;
pub mod wide;

pub use io::{Direction, Field, FieldValue, Io};

/// A clocked or combinational block, whatever stands behind it: model, stepped RTL or verilated Verilog.
///
/// One cycle is any number of [`eval`](Unit::eval) calls followed by one [`tick`](Unit::tick). The
/// machine may evaluate a block several times in a cycle, because what it feeds in can depend on what
/// comes out (request, ready, issue); only the last inputs before the tick count.
pub trait Unit: Send {
    /// What the block reads each cycle.
    type In: Io;
    /// What the block drives each cycle.
    type Out: Io;

    /// The outputs for these inputs in the current state. Changes nothing that a later `eval` can see.
    fn eval(&mut self, inputs: &Self::In) -> Self::Out;

    /// The clock edge: commits the inputs of the last `eval`. Does nothing in a combinational block.
    fn tick(&mut self);

    /// One clock edge with reset held: the documented reset state, from any state.
    fn reset(&mut self);

    /// So many cycles with the same inputs. A model whose state allows it takes them in one step; the result
    /// is that of as many [`eval`](Unit::eval)s and [`tick`](Unit::tick)s.
    fn repeat(&mut self, inputs: &Self::In, cycles: u64) {
        one_by_one(self, inputs, cycles);
    }

    /// So many cycles have passed in which the block had nothing to do and was not clocked. Changes no
    /// state; those who count cycles, such as recorders, hear of it.
    fn pass(&mut self, _cycles: u64) {}
}

/// Cycles with the same inputs, each for itself.
fn one_by_one<U: Unit + ?Sized>(unit: &mut U, inputs: &U::In, cycles: u64) {
    for _ in 0..cycles {
        unit.eval(inputs);
        unit.tick();
    }
}
