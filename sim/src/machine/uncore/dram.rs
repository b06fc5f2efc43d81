//! One DRAM channel: banks with row buffers, served first-ready first-come-first-served (FR-FCFS).
//!
//! Each command clock issues at most one command. A column access to an open row goes before anything
//! else, oldest first; otherwise the oldest request whose bank can make progress precharges or activates.
//! Writes wait until there are many of them or nothing else to do, and then go together: to turn the data bus
//! round for each would cost more than the write.

use super::super::config::DramConfig;
use super::super::time::{Clock, Time, NEVER};
use crate::machine::counters::counters;

/// A line to read or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Line address, within the channel.
    pub line: u64,
    /// Whether the line is written.
    pub write: bool,
    /// Returned when a read's data has arrived.
    pub token: u32,
}

#[derive(Clone, Copy, Debug)]
struct Pending {
    request: Request,
    bank: u32,
    row: u64,
}

#[derive(Clone, Debug, Default)]
struct Bank {
    open: Option<u64>,
    /// The open row has been accessed.
    used: bool,
    /// First command clock at which each kind of command may follow, in command clocks.
    activate_at: u64,
    column_at: u64,
    precharge_at: u64,
}

counters! {
    /// What happened on a channel since the start.
    pub struct DramCounts {
        /// Lines read.
        reads,
        /// Lines written.
        writes,
        /// Rows activated.
        activates,
        /// Accesses that were not the first since their row was opened.
        row_hits,
        /// Command clocks in which data moved.
        data_command_clocks,
    }
}

/// What came of the wish to open a row.
enum Opening {
    /// A command was issued for it.
    Command,
    /// One can be issued from this command clock on.
    At(u64),
    /// It is open, or somebody still needs the one that is.
    Unneeded,
}

/// A channel with its queue.
#[derive(Clone, Debug)]
pub struct Channel {
    config: DramConfig,
    clock: Clock,
    /// Number of the next command clock.
    cycle: u64,
    queue: Vec<Pending>,
    /// How many of the queue are writes.
    writes: usize,
    /// Whether writes go and reads wait, or the other way round.
    draining: bool,
    banks: Vec<Bank>,
    /// First command clock at which the data bus is free.
    bus_free: u64,
    /// Earliest clock for the next activate of any bank, for a read after a write, and for any column.
    next_activate: u64,
    read_after_write: u64,
    next_column: u64,
    /// Reads on their way: (when the data is complete, token), in order.
    arriving: std::collections::VecDeque<(Time, u32)>,
    counts: DramCounts,
}

impl Channel {
    /// An idle channel with all rows closed.
    pub fn new(config: &DramConfig, mhz: f64) -> Self {
        Channel {
            config: config.clone(),
            clock: Clock::new(mhz, 0),
            cycle: 0,
            queue: Vec::with_capacity(config.queue),
            writes: 0,
            draining: false,
            banks: vec![Bank::default(); config.banks],
            bus_free: 0,
            next_activate: 0,
            read_after_write: 0,
            next_column: 0,
            arriving: Default::default(),
            counts: DramCounts::default(),
        }
    }

    /// Whether that many more requests fit.
    pub fn has_room_for(&self, requests: usize) -> bool {
        self.queue.len() + requests <= self.config.queue
    }

    /// Adds a request at `now`; the caller has checked [`Channel::has_room_for`].
    pub fn push(&mut self, request: Request, now: Time) {
        if self.queue.is_empty() {
            self.cycle += self.clock.skip_to(now);
        }
        let per_row = (self.config.row_bytes / self.config.line_bytes) as u64;
        let row_index = request.line / per_row;
        let banks = self.config.banks as u64;
        // Neighbouring rows lie in different banks, permuted by higher bits so that power-of-two
        // strides do not all meet in one.
        let bank = (row_index ^ (row_index / banks)) % banks;
        self.writes += usize::from(request.write);
        self.queue.push(Pending { request, bank: bank as u32, row: row_index / banks });
    }

    /// The next moment at which something can happen.
    pub fn next_event(&self) -> Time {
        let arrival = self.arriving.front().map_or(NEVER, |(when, _)| *when);
        let command = if self.queue.is_empty() { NEVER } else { self.clock.next_edge() };
        arrival.min(command)
    }

    /// Data that has arrived by `now`.
    pub fn pop_arrived(&mut self, now: Time) -> Option<u32> {
        match self.arriving.front() {
            Some(&(when, token)) if when <= now => {
                self.arriving.pop_front();
                Some(token)
            }
            _ => None,
        }
    }

    /// What happened so far.
    pub fn counts(&self) -> DramCounts {
        self.counts
    }

    /// Issues commands up to and including `now`.
    pub fn run(&mut self, now: Time) {
        while !self.queue.is_empty() && self.clock.next_edge() <= now {
            let wait = self.command();
            self.clock.advance();
            self.cycle += 1;
            if wait > 1 {
                // Nothing can be issued before then: no need to look at every clock.
                let until = self.clock.next_edge() + (wait - 1) * self.clock.period();
                self.cycle += self.clock.skip_to(until.min(now + 1));
            }
        }
    }

    /// Issues one command if it can; returns how many clocks to wait before trying again.
    fn command(&mut self) -> u64 {
        let now = self.cycle;
        let mut soonest = u64::MAX;
        self.take_direction();
        // First ready: the oldest request whose row is open.
        for at in 0..self.queue.len() {
            let pending = self.queue[at];
            if pending.request.write != self.draining {
                continue;
            }
            let bank = &self.banks[pending.bank as usize];
            if bank.open != Some(pending.row) {
                continue;
            }
            let ready = self.column_ready(&pending);
            if ready <= now {
                self.column(at);
                return 1;
            }
            soonest = soonest.min(ready);
        }
        // First come: open the row of the oldest request whose bank nobody older still needs. Those who wait for the
        // bus to turn come last, but may have rows opened meanwhile in banks that nobody else wants.
        let mut claimed = 0u64;
        for writes in [self.draining, !self.draining] {
            for at in 0..self.queue.len() {
                let pending = self.queue[at];
                let bit = 1u64 << pending.bank;
                if pending.request.write != writes || claimed & bit != 0 {
                    continue;
                }
                claimed |= bit;
                match self.open(&pending, now) {
                    Opening::Command => return 1,
                    Opening::At(clock) => soonest = soonest.min(clock),
                    Opening::Unneeded => {}
                }
            }
        }
        soonest.saturating_sub(now).max(1)
    }

    /// Takes a request's bank a step closer to its row, if that can be done now.
    fn open(&mut self, pending: &Pending, now: u64) -> Opening {
        let bank = &self.banks[pending.bank as usize];
        match bank.open {
            Some(row) if row == pending.row => Opening::Unneeded,
            Some(row) => {
                // Those whose turn it is close rows over the heads of those who wait for the bus.
                let counts = |other: &Pending| {
                    other.request.write == self.draining || pending.request.write != self.draining
                };
                let same = |other: &Pending| (other.bank, other.row) == (pending.bank, row);
                if self.queue.iter().any(|other| same(other) && counts(other)) {
                    return Opening::Unneeded;
                }
                if bank.precharge_at > now {
                    return Opening::At(bank.precharge_at);
                }
                let bank = &mut self.banks[pending.bank as usize];
                bank.open = None;
                bank.activate_at = bank.activate_at.max(now + self.config.t_rp);
                Opening::Command
            }
            None => {
                let ready = bank.activate_at.max(self.next_activate);
                if ready > now {
                    return Opening::At(ready);
                }
                self.activate(pending.bank as usize, pending.row);
                Opening::Command
            }
        }
    }

    /// Decides whether writes go or reads.
    fn take_direction(&mut self) {
        let reads = self.queue.len() - self.writes;
        let many = if self.draining { self.config.write_low } else { self.config.write_high };
        self.draining = self.writes > 0 && (reads == 0 || self.writes > many);
    }

    fn column_ready(&self, pending: &Pending) -> u64 {
        let bank = &self.banks[pending.bank as usize];
        let latency = if pending.request.write { self.config.t_wl } else { self.config.t_cl };
        let turn = if pending.request.write { 0 } else { self.read_after_write };
        bank.column_at.max(self.next_column).max(turn).max(self.bus_free.saturating_sub(latency))
    }

    fn column(&mut self, at: usize) {
        let config = &self.config;
        let pending = self.queue.remove(at);
        self.writes -= usize::from(pending.request.write);
        let now = self.cycle;
        let burst = config.burst_cycles();
        let latency = if pending.request.write { config.t_wl } else { config.t_cl };
        let data_end = now + latency + burst;
        self.bus_free = data_end;
        self.next_column = now + config.t_ccd;
        let bank = &mut self.banks[pending.bank as usize];
        self.counts.row_hits += u64::from(std::mem::replace(&mut bank.used, true));
        if pending.request.write {
            bank.precharge_at = bank.precharge_at.max(data_end + config.t_wr);
            self.read_after_write = data_end + config.t_cdlr;
            self.counts.writes += 1;
        } else {
            bank.precharge_at = bank.precharge_at.max(now + config.t_rtp);
            let wait = (latency + burst) * self.clock.period();
            self.arriving.push_back((self.clock.next_edge() + wait, pending.request.token));
            self.counts.reads += 1;
        }
        self.counts.data_command_clocks += burst;
    }

    fn activate(&mut self, bank: usize, row: u64) {
        let config = &self.config;
        let now = self.cycle;
        let bank = &mut self.banks[bank];
        bank.open = Some(row);
        bank.used = false;
        bank.column_at = now + config.t_rcd;
        bank.precharge_at = now + config.t_ras;
        bank.activate_at = now + config.t_rc;
        self.next_activate = now + config.t_rrd;
        self.counts.activates += 1;
    }
}
