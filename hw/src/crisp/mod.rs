//! Performance counters for DVFS: CRISP's cycle classifier and counters, ours, and the models they are compared with.

pub mod crisp_classifier;
pub mod crisp_counters;
pub mod crisp_light;
pub mod crisp_plus;
pub mod crit_model;
pub mod lead_model;
pub mod load_critical_path;
pub mod miss_model;
pub mod stall_model;
