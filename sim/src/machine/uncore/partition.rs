//! A memory partition: an L2 slice (write-back, write-allocate) before a DRAM channel.
//!
//! The slice takes one request an L2 cycle, in order. A request that cannot go on (all miss registers
//! taken, every way of its set reserved, DRAM queue full) blocks those behind it, and its SM's credits
//! run out: that is the back-pressure SMs feel.

use super::super::cache::{Found, Mshrs, Tags};
use super::super::config::MachineConfig;
use super::super::time::{Clock, Time, NEVER};
use super::dram::{Channel, DramCounts, Request as DramRequest};
use super::hooks::{SliceAccess, SliceHooks};
use super::packet::{Ask, Credit, Request, Response};
use super::port::Port;
use crate::exec::LaneMask;
use crate::machine::counters::counters;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

counters! {
    /// What happened in a slice since the start.
    pub struct L2Counts {
        /// Requests served.
        accesses,
        /// Those that found their line.
        hits,
        /// Those that joined a miss on its way.
        merged,
        /// Those that started a miss.
        misses,
        /// Dirty lines written back.
        write_backs,
        /// L2 cycles in which the head of the queue could not go on.
        blocked_l2_cycles,
    }
}

#[derive(Clone, Copy, Debug)]
struct Waiter {
    sm: usize,
    token: u32,
}

/// An answer that is not ready before a time. Derived order: by time, then in the order in which they were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Answer {
    ready: Time,
    number: u64,
    sm: usize,
    token: u32,
    bytes: usize,
}

/// A partition; see the module's text.
#[derive(Clone, Debug)]
pub struct Partition<S> {
    clock: Clock,
    hit_time: Time,
    fill_time: Time,
    line_bytes: usize,
    header_bytes: usize,
    inbox: VecDeque<Request>,
    tags: Tags,
    mshrs: Mshrs<Waiter>,
    /// Lines on their way that some store has already changed.
    dirty_on_fill: Vec<u64>,
    channel: Channel,
    /// Line addresses of the reads in DRAM, by token.
    reading: Vec<u64>,
    free_tokens: Vec<u32>,
    port: Port,
    /// Answers that are being made ready. A hit is ready before the fill that was begun earlier, so the port takes
    /// them by time.
    making: BinaryHeap<Reverse<Answer>>,
    /// Answers made so far.
    made: u64,
    /// Answers, in the order of their sending; the machine delivers and clears them.
    pub responses: Vec<Response>,
    /// Credits to hand back; the machine delivers and clears them.
    pub credits: Vec<Credit>,
    counts: L2Counts,
    /// L2 cycles since the start.
    cycle: u64,
    /// Until when a study holds the array.
    held_until: Time,
    /// The study that looks on.
    pub hooks: S,
}

impl<S: SliceHooks> Partition<S> {
    /// An empty partition.
    pub fn new(config: &MachineConfig, hooks: S) -> Self {
        let clock = Clock::new(config.clocks.l2_mhz, 0);
        Partition {
            clock,
            hit_time: config.l2.hit_cycles * clock.period(),
            fill_time: config.l2.fill_cycles * clock.period(),
            line_bytes: config.l2.line_bytes,
            header_bytes: config.interconnect.header_bytes,
            inbox: VecDeque::new(),
            tags: Tags::new(config.l2.sets, config.l2.ways),
            mshrs: Mshrs::new(config.l2.mshrs, config.l2.merges),
            dirty_on_fill: vec![],
            channel: Channel::new(&config.dram, config.clocks.dram_mhz),
            reading: vec![],
            free_tokens: vec![],
            port: Port::new(
                &config.interconnect,
                config.clocks.interconnect_mhz,
                config.interconnect.partition_port_bytes,
            ),
            making: BinaryHeap::new(),
            made: 0,
            responses: vec![],
            credits: vec![],
            counts: L2Counts::default(),
            cycle: 0,
            held_until: 0,
            hooks,
        }
    }

    /// Adds requests that are on their way here; they may arrive in any order among themselves.
    pub fn accept<'a>(&mut self, requests: impl Iterator<Item = &'a mut Vec<Request>>) {
        let before = self.inbox.len();
        requests.for_each(|requests| self.inbox.extend(requests.drain(..)));
        if self.inbox.len() == before {
            return;
        }
        // Stable and by SM within a moment, so that the order never depends on who ran first.
        self.inbox.make_contiguous().sort_by_key(|r| (r.when, r.sm));
    }

    /// What happened so far.
    pub fn counts(&self) -> (L2Counts, DramCounts) {
        (self.counts, self.channel.counts())
    }

    /// Whether nothing is under way.
    pub fn is_idle(&self) -> bool {
        self.inbox.is_empty()
            && self.channel.next_event() == NEVER
            && self.mshrs.used() == 0
            && self.making.is_empty()
    }

    /// Runs all that happens before `until`.
    pub fn run(&mut self, until: Time) {
        self.work(until);
        // Nothing that happens later is ready before `until`, so these go in their order.
        while let Some(Reverse(answer)) = self.making.peek().copied() {
            if answer.ready >= until {
                break;
            }
            self.making.pop();
            let Answer { ready, sm, token, bytes, .. } = answer;
            let when = self.port.send(ready, bytes);
            self.responses.push(Response { when, sm, token, bytes });
        }
    }

    /// Serves requests and takes what DRAM brings.
    fn work(&mut self, until: Time) {
        loop {
            let request = self.inbox.front().map_or(NEVER, |r| r.when);
            let next = request.max(self.held_until).min(self.channel.next_event());
            if next >= until {
                return;
            }
            self.cycle += self.clock.skip_to(next);
            let now = self.clock.next_edge();
            if now >= until {
                return;
            }
            self.channel.run(now);
            while let Some(token) = self.channel.pop_arrived(now) {
                self.fill(token, now);
            }
            let served = self.held_until > now
                || self.inbox.front().is_none_or(|r| r.when > now)
                || self.serve(now);
            self.counts.blocked_l2_cycles += u64::from(!served);
            self.clock.advance();
            self.cycle += 1;
        }
    }

    /// Serves the head of the queue; false if it must wait.
    fn serve(&mut self, now: Time) -> bool {
        let Some(&request) = self.inbox.front() else { return true };
        let done = match self.tags.find(request.line) {
            Found::Hit(block) => {
                self.tags.touch(block);
                if request.ask != Ask::Read {
                    self.tags.dirty(block);
                }
                let held = self.hold(block, &request, now);
                self.answer(request, now + held + self.hit_time);
                self.counts.hits += 1;
                true
            }
            Found::OnTheWay(_) => self.join(request, now),
            Found::Miss => self.miss(request, now),
        };
        if done {
            if request.turns > 1 {
                let over = now + Time::from(request.turns) * self.clock.period();
                self.held_until = self.held_until.max(over);
            }
            self.counts.accesses += 1;
            self.inbox.pop_front();
            self.credits.push(Credit { when: now + self.port.latency(), sm: request.sm });
        }
        done
    }

    /// Accesses the array for a request; returns by how much a study delays it.
    fn hold(&mut self, block: usize, request: &Request, now: Time) -> Time {
        let waited = now.saturating_sub(request.when) / self.clock.period();
        let access = SliceAccess {
            cycle: self.cycle,
            known: self.cycle.saturating_sub(waited),
            block,
            active: request.active,
            words: request.words,
            write: request.ask != Ask::Read,
            whole: false,
        };
        self.touch(&access, now)
    }

    /// Moves a whole line into the array, or out of it for a write-back.
    fn hold_line(&mut self, block: usize, refill: bool, now: Time) -> Time {
        let access = SliceAccess {
            cycle: self.cycle,
            known: self.cycle,
            block,
            active: LaneMask::ALL,
            words: u32::MAX,
            write: refill,
            whole: true,
        };
        self.touch(&access, now)
    }

    fn touch(&mut self, access: &SliceAccess, now: Time) -> Time {
        let held = self.hooks.hold(access);
        if held.stall > 0 {
            self.held_until = now + (1 + held.stall) * self.clock.period();
        }
        held.delay * self.clock.period()
    }

    /// The line is on its way: loads wait for it, stores leave a note.
    fn join(&mut self, request: Request, now: Time) -> bool {
        if let Ask::Write { .. } = request.ask {
            self.note_dirty(request.line);
            self.answer(request, now + self.hit_time);
        } else {
            let waiter = Waiter { sm: request.sm, token: request.token };
            if self.mshrs.merge(request.line, waiter).is_err() {
                return false;
            }
            if request.ask == Ask::Atomic {
                self.note_dirty(request.line);
            }
        }
        self.counts.merged += 1;
        true
    }

    fn note_dirty(&mut self, line: u64) {
        if !self.dirty_on_fill.contains(&line) {
            self.dirty_on_fill.push(line);
        }
    }

    fn miss(&mut self, request: Request, now: Time) -> bool {
        let whole = request.ask == Ask::Write { whole: true };
        let Some((block, victim)) = self.tags.victim(request.line) else { return false };
        let write_back = victim.filter(|v| v.dirty);
        let pushes = usize::from(write_back.is_some()) + usize::from(!whole);
        if !self.channel.has_room_for(pushes) || (!whole && self.mshrs.is_full()) {
            return false;
        }
        if let Some(victim) = write_back {
            self.counts.write_backs += 1;
            self.channel.push(DramRequest { line: victim.address, write: true, token: 0 }, now);
            self.hold_line(block, false, now);
        }
        self.counts.misses += 1;
        self.tags.reserve(block, request.line);
        if whole {
            // Nothing of the old line is needed.
            self.tags.fill(request.line, true);
            let held = self.hold(block, &request, now);
            self.answer(request, now + held + self.hit_time);
            return true;
        }
        let waiter = match request.ask {
            Ask::Write { .. } => {
                self.answer(request, now + self.hit_time);
                None
            }
            _ => Some(Waiter { sm: request.sm, token: request.token }),
        };
        if request.ask != Ask::Read {
            self.note_dirty(request.line);
        }
        let registered = self.mshrs.start(request.line, waiter);
        debug_assert!(registered.is_ok(), "room was checked above");
        let token = self.free_tokens.pop().unwrap_or(self.reading.len() as u32);
        if token as usize == self.reading.len() {
            self.reading.push(request.line);
        } else {
            self.reading[token as usize] = request.line;
        }
        self.channel.push(DramRequest { line: request.line, write: false, token }, now);
        true
    }

    fn fill(&mut self, token: u32, now: Time) {
        let line = self.reading[token as usize];
        self.free_tokens.push(token);
        let dirty = self.dirty_on_fill.iter().position(|l| *l == line);
        if let Some(at) = dirty {
            self.dirty_on_fill.swap_remove(at);
        }
        let filled = self.tags.fill(line, dirty.is_some());
        let held = filled.map_or(0, |block| self.hold_line(block, true, now));
        if let Some((_, waiters)) = self.mshrs.finish(line) {
            for Waiter { sm, token } in waiters {
                self.send(sm, token, self.line_bytes, now + held + self.fill_time);
            }
        }
    }

    fn answer(&mut self, request: Request, ready: Time) {
        let bytes = if let Ask::Write { .. } = request.ask { 0 } else { self.line_bytes };
        self.send(request.sm, request.token, bytes, ready);
    }

    fn send(&mut self, sm: usize, token: u32, bytes: usize, ready: Time) {
        let bytes = bytes + self.header_bytes;
        self.making.push(Reverse(Answer { ready, number: self.made, sm, token, bytes }));
        self.made += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::sm::hooks::Silent;

    fn config() -> MachineConfig {
        toml::from_str(include_str!("../../../../configs/gtx480.toml")).unwrap()
    }

    fn read(when: Time, line: u64, token: u32) -> Request {
        Request {
            when,
            sm: 0,
            line,
            ask: Ask::Read,
            words: u32::MAX,
            active: LaneMask::ALL,
            turns: 1,
            token,
        }
    }

    fn run(partition: &mut Partition<Silent>, mut requests: Vec<Request>) -> Vec<Response> {
        partition.accept([&mut requests].into_iter());
        let mut now = 0;
        while !partition.is_idle() {
            now += 1_000_000_000;
            assert!(now < 1_000_000_000_000, "the partition does not come to rest");
            partition.run(now);
        }
        std::mem::take(&mut partition.responses)
    }

    #[test]
    fn every_request_is_answered_exactly_once() {
        let mut partition = Partition::new(&config(), Silent);
        let asks =
            [Ask::Read, Ask::Write { whole: true }, Ask::Write { whole: false }, Ask::Atomic];
        let requests: Vec<_> = (0..4000u64)
            .map(|i| Request {
                when: i * 700_000,
                sm: (i % 15) as usize,
                line: (i * 2654435761) % 3000,
                ask: asks[(i % 4) as usize],
                words: 1,
                active: LaneMask::ALL,
                turns: 1 + (i % 4 / 3 * 5) as u32,
                token: i as u32,
            })
            .collect();
        let mut tokens: Vec<_> = run(&mut partition, requests).iter().map(|r| r.token).collect();
        tokens.sort();
        assert!(tokens.iter().copied().eq(0..4000));
        assert_eq!(partition.credits.len(), 4000);
    }

    #[test]
    fn a_second_read_of_a_line_hits_and_is_faster() {
        let mut partition = Partition::new(&config(), Silent);
        let first = run(&mut partition, vec![read(0, 5, 0)])[0].when;
        let start = 100_000_000_000;
        let second = run(&mut partition, vec![read(start, 5, 1)])[0].when - start;
        assert!(second < first, "{second} {first}");
        assert_eq!(partition.counts().0.hits, 1);
    }

    #[test]
    fn a_hit_does_not_wait_for_a_fill_that_is_ready_later() {
        let mut partition = Partition::new(&config(), Silent);
        run(&mut partition, vec![read(0, 5, 0)]);
        // Another line is missed, and just when DRAM brings it the first one is asked for again.
        let start = 100_000_000_000;
        let alone = run(&mut partition, vec![read(start, 5, 1)])[0].when - start;
        let start = 2 * start;
        let fill = run(&mut partition.clone(), vec![read(start, 600, 2)])[0].when - start;
        let fill_time = partition.fill_time;
        let asked = start + fill - fill_time - partition.port.latency();
        let both = run(&mut partition, vec![read(start, 600, 2), read(asked, 5, 3)]);
        assert_eq!(both.iter().map(|r| r.token).collect::<Vec<_>>(), [3, 2]);
        assert!(both[0].when - asked <= alone + partition.clock.period());
    }

    #[test]
    fn atomics_to_one_word_take_turns() {
        let last = |turns: u32| {
            let mut partition = Partition::new(&config(), Silent);
            run(&mut partition, vec![read(0, 5, 0)]);
            let start = 100_000_000_000;
            let atomic = |token| Request { ask: Ask::Atomic, turns, ..read(start, 5, token) };
            run(&mut partition, (1..=10).map(atomic).collect())[9].when
        };
        let period = Partition::new(&config(), Silent).clock.period();
        // The port takes three cycles for an answer, the atomic unit thirty-two for a warp's turns.
        assert_eq!(last(32) - last(3), 9 * (32 - 3) * period);
    }

    #[test]
    fn a_stream_of_reads_nearly_fills_the_data_bus() {
        let mut partition = Partition::new(&config(), Silent);
        let n = 20_000u64;
        let last = run(&mut partition, (0..n).map(|i| read(0, i, i as u32)).collect());
        let time = last.last().unwrap().when as f64 * 1e-15;
        let peak = 924e6 * 32.0;
        let share = n as f64 * 128.0 / time / peak;
        assert!(share > 0.75, "{share}");
        assert!(partition.counts().1.row_hits > n * 9 / 10);
    }

    #[test]
    fn jumping_between_rows_of_a_bank_is_slower_than_staying() {
        let config = config();
        let per_row = (config.dram.row_bytes / config.dram.line_bytes) as u64;
        let near =
            run(&mut Partition::new(&config, Silent), (0..256).map(|i| read(0, i, 0)).collect());
        let banks = config.dram.banks as u64;
        // Same bank each time: the row number and its upper part change together.
        let far = run(
            &mut Partition::new(&config, Silent),
            (0..256).map(|i| read(0, i * per_row * banks * banks, 0)).collect(),
        );
        assert!(far.last().unwrap().when > 2 * near.last().unwrap().when);
    }
}
