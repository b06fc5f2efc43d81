//! The folding data path: split a warp, pack its lanes, unpack the results, join the halves.

pub mod lane_shift;
pub mod lane_shift_cluster;
pub mod split_mask;
