//! Dynamic voltage and frequency scaling of the SMs: what a P-state costs, which one comes next, and an
//! oracle that tries them all.
//!
//! CRISP, sections 4 and 5.2. All SMs share one clock and voltage; interconnect, L2 and DRAM keep theirs.

mod config;
mod controller;
pub mod objective;
mod oracle;
pub mod policy;
mod power;
pub mod predictor;
mod pstate;

pub use config::{DvfsConfig, EnergyForm, PowerConfig};
pub use controller::{Controller, Decision};
pub use objective::Objective;
pub use oracle::Oracle;
pub use policy::{Goal, GoalError, Policy};
pub use power::{Activity, Meter, Power};
pub use predictor::Predictor;
pub use pstate::PState;
