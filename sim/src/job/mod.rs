//! Jobs: a PTX module, its buffers, its launches and what must come out, read from one TOML file.
//!
//! docs/jobs.md is the reference of the format. [`Job::load`] checks everything that can be checked without
//! running; [`Job::run`] executes the steps; [`Outcome`] holds every buffer, what was executed and which expectations
//! failed.

mod buffer;
mod compare;
mod element;
mod engine;
mod error;
mod expr;
mod load;
mod nearest;
mod random;
mod record;
mod run;
mod schema;
mod validate;

pub use buffer::Buffer;
pub use compare::Failure;
pub use element::ElementType;
pub use engine::{Engine, Functional, Order, Stop};
pub use error::JobError;
pub use load::{Job, LoadOptions};
pub use record::{KernelRecord, Record};
pub use run::{Ended, Outcome, RunOptions};
