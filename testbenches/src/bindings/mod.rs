//! Every block of the catalogue bound to its golden model, one file a block.
//!
//! Contract tests, benchmarks and co-simulation all start from here.

pub mod crisp_classifier;
pub mod crisp_counters;
pub mod crisp_light;
pub mod crit_model;
pub mod idle_counters;
pub mod lead_model;
pub mod load_critical_path;
mod long_counts;
pub mod miss_model;
mod misses;
pub mod stall_model;

use crate::measure::Bound;

/// All bindings, in the order of the catalogue.
pub fn all() -> Vec<Box<dyn Bound>> {
    vec![
        Box::new(idle_counters::binding()),
        Box::new(crisp_classifier::binding()),
        Box::new(load_critical_path::binding()),
        Box::new(load_critical_path::ports_4()),
        Box::new(load_critical_path::small()),
        Box::new(crisp_counters::binding()),
        Box::new(crisp_counters::ports_4()),
        Box::new(crisp_counters::small()),
        Box::new(crisp_light::binding()),
        Box::new(crisp_light::small()),
        Box::new(stall_model::binding()),
        Box::new(stall_model::small()),
        Box::new(miss_model::binding()),
        Box::new(miss_model::small()),
        Box::new(lead_model::binding()),
        Box::new(lead_model::small()),
        Box::new(crit_model::binding()),
        Box::new(crit_model::small()),
    ]
}
