//! An SM's way out: its interconnect port, its credits at each partition, and what it has sent.

use super::super::config::MachineConfig;
use super::super::time::Time;
use super::super::uncore::packet::{Ask, Request};
use super::super::uncore::port::Port;
use crate::exec::LaneMask;

/// Where lines live: which partition, and at which line there.
#[derive(Clone, Copy, Debug)]
pub struct AddressMap {
    partitions: u64,
    /// Lines that stay together in one partition.
    piece: u64,
}

impl AddressMap {
    /// The map of a machine.
    pub fn new(config: &MachineConfig) -> Self {
        AddressMap {
            partitions: config.gpu.partitions as u64,
            piece: (config.gpu.partition_bytes / config.l2.line_bytes).max(1) as u64,
        }
    }

    /// Partition and local line of a line.
    pub fn locate(&self, line: u64) -> (usize, u64) {
        let piece = line / self.piece;
        let local = piece / self.partitions * self.piece + line % self.piece;
        ((piece % self.partitions) as usize, local)
    }
}

/// What of a line a request is about.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// Words that it wants or brings; only stores and atomics carry them along.
    pub words: u32,
    /// Lanes of the instruction that sent it.
    pub active: LaneMask,
    /// Turns that an atomic takes; 1 for all else.
    pub turns: u32,
}

/// See the module's text.
#[derive(Clone, Debug)]
pub struct Outbox {
    sm: usize,
    map: AddressMap,
    port: Port,
    header: usize,
    credits: Vec<usize>,
    /// Requests sent since the machine last collected them, by partition.
    pub requests: Vec<Vec<Request>>,
}

impl Outbox {
    /// An idle port with all credits.
    pub fn new(config: &MachineConfig, sm: usize) -> Self {
        Outbox {
            sm,
            map: AddressMap::new(config),
            port: Port::new(
                &config.interconnect,
                config.clocks.interconnect_mhz,
                config.interconnect.sm_port_bytes,
            ),
            header: config.interconnect.header_bytes,
            credits: vec![config.interconnect.credits; config.gpu.partitions],
            requests: vec![vec![]; config.gpu.partitions],
        }
    }

    /// Whether a request for this line could be sent at `now`.
    pub fn can_send(&self, now: Time, line: u64) -> bool {
        self.port.free_at() <= now && self.credits[self.map.locate(line).0] > 0
    }

    /// Sends a request; the caller has checked [`Outbox::can_send`].
    pub fn send(&mut self, now: Time, line: u64, ask: Ask, reach: Reach, token: u32) {
        let Reach { words, active, turns } = reach;
        let (partition, local) = self.map.locate(line);
        self.credits[partition] -= 1;
        let payload = if ask == Ask::Read { 0 } else { words.count_ones() as usize * 4 };
        let when = self.port.send(now, self.header + payload);
        let request = Request { when, sm: self.sm, line: local, ask, words, active, turns, token };
        self.requests[partition].push(request);
    }

    /// Credits at the partitions, all together.
    pub fn credits(&self) -> usize {
        self.credits.iter().sum()
    }

    /// A partition has room for one more.
    pub fn credit(&mut self, partition: usize) {
        self.credits[partition] += 1;
    }

    /// How long the port takes for so many bytes; it is as wide inwards as outwards.
    pub fn transfer_time(&self, bytes: usize) -> Time {
        self.port.transfer_time(bytes)
    }

    /// When the port is free again.
    pub fn free_at(&self) -> Time {
        self.port.free_at()
    }
}
