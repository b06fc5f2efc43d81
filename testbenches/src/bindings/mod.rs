//! Every block of the catalogue bound to its golden model, one file a block.
//!
//! Contract tests, benchmarks and co-simulation all start from here.

pub mod addend_align;
pub mod all_ones_detector;
pub mod barrel_shifter;
pub mod boost_controller;
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
pub mod lane_power_gate;
pub mod lane_reshift;
pub mod lane_reshift_cluster;
pub mod lane_shift;
pub mod lane_shift_cluster;
pub mod lead_model;
pub mod load_critical_path;
mod long_counts;
pub mod miss_model;
mod misses;
pub mod normalise_coarse;
pub mod normalise_fine;
mod passages;
pub mod product_tree;
pub mod reshift_stage;
pub mod result_collector;
pub mod round_pack;
pub mod shift_stage;
pub mod simt_lane;
pub mod split_mask;
pub mod stall_model;
pub mod warp_profiler;

use crate::measure::Bound;

/// All bindings, in the order of the catalogue.
pub fn all() -> Vec<Box<dyn Bound>> {
    vec![
        Box::new(split_mask::binding()),
        Box::new(lane_shift_cluster::compact()),
        Box::new(lane_shift_cluster::compact_width_1()),
        Box::new(lane_shift_cluster::fold()),
        Box::new(lane_shift_cluster::fold_width_1()),
        Box::new(lane_shift::compact()),
        Box::new(lane_shift::compact_width_1()),
        Box::new(lane_shift::fold()),
        Box::new(lane_shift::fold_width_1()),
        Box::new(lane_reshift_cluster::compact()),
        Box::new(lane_reshift_cluster::compact_width_1()),
        Box::new(lane_reshift_cluster::fold()),
        Box::new(lane_reshift_cluster::fold_width_1()),
        Box::new(lane_reshift::compact()),
        Box::new(lane_reshift::compact_width_1()),
        Box::new(lane_reshift::fold()),
        Box::new(lane_reshift::fold_width_1()),
        Box::new(shift_stage::compact()),
        Box::new(shift_stage::fold()),
        Box::new(reshift_stage::compact()),
        Box::new(reshift_stage::fold()),
        Box::new(result_collector::entries_4()),
        Box::new(result_collector::entries_8()),
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
        Box::new(crisp_classifier::binding()),
        Box::new(load_critical_path::binding()),
        Box::new(load_critical_path::ports_4()),
        Box::new(load_critical_path::small()),
        Box::new(crisp_counters::binding()),
        Box::new(crisp_counters::ports_4()),
        Box::new(crisp_counters::small()),
        Box::new(crisp_light::binding()),
        Box::new(crisp_light::small()),
        Box::new(crisp_plus::warps_64()),
        Box::new(crisp_plus::warps_48()),
        Box::new(crisp_plus::small()),
        Box::new(stall_model::binding()),
        Box::new(stall_model::small()),
        Box::new(miss_model::binding()),
        Box::new(miss_model::small()),
        Box::new(lead_model::binding()),
        Box::new(lead_model::small()),
        Box::new(crit_model::binding()),
        Box::new(crit_model::small()),
        Box::new(gang_splitter::binding()),
        Box::new(gang_splitter::narrow()),
        Box::new(gang_operation::binding()),
        Box::new(gang_directory::binding()),
        Box::new(gang_directory::two_sets()),
        Box::new(gang_table::binding()),
        Box::new(gang_table_ram::binding()),
        Box::new(gang_reformer::binding()),
        Box::new(gang_reformer::two_sets()),
        Box::new(gang_issue::binding()),
        Box::new(gang_issue::one_pick()),
        Box::new(gang_issue::four_picks()),
        Box::new(gang_issue::two_sets()),
        Box::new(warp_profiler::warps_16()),
        Box::new(warp_profiler::warps_48()),
        Box::new(warp_profiler::warps_4()),
        Box::new(boost_controller::warps_16()),
        Box::new(boost_controller::warps_48()),
        Box::new(boost_controller::warps_4()),
        Box::new(barrel_shifter::binding()),
        Box::new(int_unit::binding()),
        Box::new(float_unpack::binding()),
        Box::new(fma_prepare::binding()),
        Box::new(product_tree::binding()),
        Box::new(addend_align::binding()),
        Box::new(fma_add::binding()),
        Box::new(normalise_coarse::binding()),
        Box::new(normalise_fine::binding()),
        Box::new(round_pack::full()),
        Box::new(round_pack::flush()),
        Box::new(simt_lane::full()),
        Box::new(simt_lane::flush()),
    ]
}
