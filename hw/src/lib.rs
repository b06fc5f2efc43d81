//! Synthesizable rust-hdl blocks of five GPU papers, and the emitter that exports them as Verilog.

pub mod catalogue;
pub mod emit;
pub mod export;
pub mod prelude;
pub mod register;
pub mod rtl;

pub mod booster;
pub mod cache;
pub mod crisp;
pub mod folding;
pub mod gangs;
pub mod gating;
pub mod lanes;
pub mod reference;
