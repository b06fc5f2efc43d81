//! Every block of the catalogue bound to its golden model, one file a block.
//!
//! Contract tests, benchmarks and co-simulation all start from here.

pub mod gang_directory;
pub mod gang_issue;
pub mod gang_operation;
pub mod gang_reformer;
pub mod gang_splitter;
pub mod gang_table;
pub mod gang_table_ram;
pub mod idle_counters;

use crate::measure::Bound;

/// All bindings, in the order of the catalogue.
pub fn all() -> Vec<Box<dyn Bound>> {
    vec![
        Box::new(idle_counters::binding()),
        Box::new(gang_splitter::binding()),
        Box::new(gang_splitter::narrow()),
        Box::new(gang_operation::binding()),
        Box::new(gang_directory::binding()),
        Box::new(gang_directory::two_sets()),
        Box::new(gang_table::binding()),
        Box::new(gang_table::two_sets()),
        Box::new(gang_table_ram::binding()),
        Box::new(gang_reformer::binding()),
        Box::new(gang_reformer::two_sets()),
        Box::new(gang_issue::binding()),
        Box::new(gang_issue::one_pick()),
        Box::new(gang_issue::four_picks()),
        Box::new(gang_issue::two_sets()),
    ]
}
