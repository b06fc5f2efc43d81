//! The RTL in the loop of a real kernel: makes the units of a machine from any back end.
//!
//! [`Bench`] is the [`UnitSource`](lanewise_sim::attach::UnitSource) of a co-simulation. Each unit is its
//! golden model, its stepped RTL, its verilated Verilog, or several of them in lockstep; a tap
//! on a unit feeds the stimulus recorder and waveforms.

mod back_end;
mod bench;
mod recording;
mod replay;
mod tap;
mod waves;

pub use back_end::BackEnd;
pub use bench::{Bench, Choice};
pub use recording::{Recorded, Recording};
pub use waves::{WaveRequest, Waves};
