//! What each exported block of Lanewise costs in silicon.
//!
//! The crate reads `verilog_out/` and knows nothing of rust-hdl: Verilog goes through Yosys to a netlist of
//! library cells, which is counted, timed ([`timing`]), proved equal to the RTL ([`equivalence`]),
//! and drawn. `docs/silicon.md` is made of it.

pub mod cache;
pub mod cost;
pub mod energy;
pub mod equivalence;
mod error;
pub mod graph;
pub mod ice40;
pub mod lane_path;
pub mod liberty;
pub mod listing;
pub mod manifest;
pub mod netlist;
pub mod recorded;
pub mod report;
pub mod schematic;
pub mod stimulus;
pub mod synthesis;
pub mod timing;
pub mod tool;

pub use error::Error;
