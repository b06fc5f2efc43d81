//! The warp latency booster: find the warps that lag, run them faster until the barrier.

pub mod boost_controller;
pub mod warp_profiler;
