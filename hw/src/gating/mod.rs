//! Per-lane power gating: idle detection and the gate's state machine.

pub mod idle_counters;
pub mod lane_power_gate;
