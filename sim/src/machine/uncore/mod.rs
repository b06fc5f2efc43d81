//! Everything beyond the SMs: interconnect ports, L2 slices and DRAM channels.

pub mod dram;
pub mod hooks;
pub mod packet;
pub mod partition;
pub mod port;
