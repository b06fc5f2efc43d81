//! The decision to fold: which warps have full masks, which type is rarer, and for how long.

pub mod all_ones_detector;
pub mod fold_controller;
pub mod group_counters;
