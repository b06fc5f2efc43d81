//! Every block of the catalogue bound to its golden model, one file a block.
//!
//! Contract tests, benchmarks and co-simulation all start from here.

pub mod boost_controller;
pub mod idle_counters;
pub mod warp_profiler;

use crate::measure::Bound;

/// All bindings, in the order of the catalogue.
pub fn all() -> Vec<Box<dyn Bound>> {
    vec![
        Box::new(idle_counters::binding()),
        Box::new(warp_profiler::warps_16()),
        Box::new(warp_profiler::warps_48()),
        Box::new(warp_profiler::warps_4()),
        Box::new(boost_controller::warps_16()),
        Box::new(boost_controller::warps_48()),
        Box::new(boost_controller::warps_4()),
    ]
}
