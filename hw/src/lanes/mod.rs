//! The folding data path: split a warp, pack its lanes, unpack the results, join the halves.

pub mod lane_reshift;
pub mod lane_reshift_cluster;
pub mod lane_shift;
pub mod lane_shift_cluster;
pub mod reshift_stage;
pub mod result_collector;
pub mod shift_stage;
pub mod split_mask;
pub mod variant;
