//! The behavioural half of Lanewise: golden models of every hardware block, and the machine they attach to.
//!
//! Nothing here depends on a hardware description language; `lanewise-testbenches` binds these models to
//! the RTL of `lanewise-hw`.

pub mod attach;
pub mod crisp;
pub mod dvfs;
pub mod exec;
pub mod job;
pub mod machine;
pub mod ptx;
pub mod units;
