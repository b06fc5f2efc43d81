//! The machine: SMs and memory with honest timing.
//!
//! [`Machine`] runs the launches of a [job](crate::job) on a [`Gpu`](gpu::Gpu) described by a
//! [`MachineConfig`](config::MachineConfig), and leaves a [`TimingRecord`]. Studies look on and take part
//! through [`Hooks`](sm::hooks::Hooks) and [`SliceHooks`](uncore::hooks::SliceHooks).

pub mod cache;
pub mod config;
mod config_bounds;
mod config_load;
pub(crate) mod counters;
mod crew;
mod engine;
pub mod gpu;
mod mechanisms;
pub mod occupancy;
mod power_caches;
mod record;
pub mod registers;
pub mod sm;
mod table;
pub mod time;
mod trace;
pub mod uncore;
mod watch;

pub use config_load::{ConfigError, SHIPPED};
pub use engine::{Between, Limits, Machine};
pub use record::{KernelTiming, SmTiming, TimingRecord};
pub use trace::Trace;
pub use watch::{SeriesRow, Watch};
