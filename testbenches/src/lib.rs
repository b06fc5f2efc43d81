//! Binds golden models, stepped RTL and verilated Verilog together and compares them cycle by cycle.
//!
//! Three back ends implement [`Unit`]: the golden model of `lanewise-sim`,
//! [`rtl::RtlUnit`] and [`verilated::VerilatedUnit`]. [`lockstep::Lockstep`] steps any of them side by
//! side, [`contract`] says what every block must satisfy, and [`bindings`] lists the blocks.

pub mod bindings;
pub mod contract;
pub mod cosim;
pub mod image;
pub mod lint;
pub mod lockstep;
pub mod measure;
pub mod operands;
pub mod page;
pub mod rtl;
pub mod scenario;
pub mod stimulus;
pub mod verilated;

use lanewise_sim::units::Unit;

/// Any back end of a block with inputs `I` and outputs `O`.
pub type BoxedUnit<I, O> = Box<dyn Unit<In = I, Out = O>>;
