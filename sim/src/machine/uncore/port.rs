//! An interconnect port: moves a fixed number of bytes a cycle, then a fixed latency passes.

use super::super::config::InterconnectConfig;
use super::super::time::{period_of, Time};

/// One direction of one port.
#[derive(Clone, Copy, Debug)]
pub struct Port {
    cycle: Time,
    bytes_per_cycle: usize,
    latency: Time,
    free: Time,
}

impl Port {
    /// An idle port that moves `bytes_per_cycle`.
    pub fn new(config: &InterconnectConfig, mhz: f64, bytes_per_cycle: usize) -> Self {
        let cycle = period_of(mhz);
        Port { cycle, bytes_per_cycle, latency: config.latency_cycles * cycle, free: 0 }
    }

    /// Latency of an unloaded port; nothing crosses faster.
    pub fn latency(&self) -> Time {
        self.latency
    }

    /// When the port can take the next packet.
    pub fn free_at(&self) -> Time {
        self.free
    }

    /// How long so many bytes take.
    pub fn transfer_time(&self, bytes: usize) -> Time {
        bytes.div_ceil(self.bytes_per_cycle) as Time * self.cycle
    }

    /// Sends `bytes` at `now` or as soon as the port is free; returns when the last byte arrives.
    pub fn send(&mut self, now: Time, bytes: usize) -> Time {
        let start = now.max(self.free);
        self.free = start + self.transfer_time(bytes);
        self.free + self.latency
    }
}
