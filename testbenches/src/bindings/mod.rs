//! Every block of the catalogue bound to its golden model, one file a block.
//!
//! Contract tests, benchmarks and co-simulation all start from here.

pub mod all_ones_detector;
pub mod drowsy_regions;
pub mod dwl_gate;
pub mod fold_controller;
pub mod group_counters;
pub mod idle_counters;
pub mod lane_power_gate;

use crate::measure::Bound;

/// All bindings, in the order of the catalogue.
pub fn all() -> Vec<Box<dyn Bound>> {
    vec![
        Box::new(idle_counters::binding()),
        Box::new(lane_power_gate::binding()),
        Box::new(all_ones_detector::binding()),
        Box::new(group_counters::binding()),
        Box::new(fold_controller::binding()),
        Box::new(drowsy_regions::binding::<128>("drowsy_regions")),
        Box::new(drowsy_regions::binding::<16>("drowsy_regions__blocks_16")),
        Box::new(drowsy_regions::binding::<96>("drowsy_regions__blocks_96")),
        Box::new(drowsy_regions::binding::<384>("drowsy_regions__blocks_384")),
        Box::new(drowsy_regions::binding::<1024>("drowsy_regions__blocks_1024")),
        Box::new(dwl_gate::binding::<128, 32>("dwl_gate")),
        Box::new(dwl_gate::binding::<128, 16>("dwl_gate__segments_16")),
        Box::new(dwl_gate::binding::<96, 32>("dwl_gate__rows_96")),
        Box::new(dwl_gate::binding::<16, 32>("dwl_gate__rows_16")),
    ]
}
