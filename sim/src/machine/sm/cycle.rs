//! One core cycle, and the jump over cycles in which nothing can change.

use super::decode::{SpPipe, Unit};
use super::hooks::{Census, CycleSignals, Hooks, LaneResult, Soon};
use super::issue::Issued;
use super::l1::CacheKind;
use super::ldst::{Blocked, Sent};
use super::scheduler::WarpSet;
use super::scoreboard::Hazard;
use super::{Event, Sm, Stall};
use crate::exec::{Fault, GlobalMemory};
use crate::machine::time::Time;

impl<H: Hooks> Sm<H> {
    /// Runs all cycles whose edge lies before `until`.
    pub fn run(&mut self, until: Time, global: &GlobalMemory) -> Result<(), Box<Fault>> {
        while self.clock.next_edge() < until {
            if self.sets.resident == 0 {
                // Nothing to do but to take the answers to old stores.
                self.receive(self.cycle, until);
                let passed = self.clock.skip_to(until);
                self.pass(passed, &CycleSignals { empty: true, ..CycleSignals::default() });
                self.stalls.add(Stall::Empty, passed * self.schedulers.len() as u64);
                self.counts.skipped_cycles += passed;
                return Ok(());
            }
            self.tick(until, global)?;
        }
        Ok(())
    }

    fn pass(&mut self, cycles: u64, signals: &CycleSignals) {
        let signals = CycleSignals { cycle: self.cycle, ..*signals };
        self.cycle += cycles;
        self.counts.cycles += cycles;
        if H::WATCHES_CYCLES && cycles > 0 {
            self.hooks.cycles(&signals, cycles);
        }
    }

    fn tick(&mut self, until: Time, global: &GlobalMemory) -> Result<(), Box<Fault>> {
        let (now, time) = (self.cycle, self.clock.next_edge());
        self.receive(now, time);
        while let Some(result) = self.hooks.lane_result(now) {
            self.write_lanes(&result);
        }
        self.happen(now);
        let moved = self.ldst.step(now, time, &mut self.outbox, &mut self.hooks);
        self.take_completions(now);
        let issued = self.issue(now, global)?;
        let fetched = self.fetch_some(now, time);
        let mut signals = CycleSignals::default();
        if H::WATCHES_CYCLES {
            signals = self.signals(now, &issued);
        }
        self.clock.advance();
        self.pass(1, &signals);
        if issued.count == 0 && !issued.possible && !moved && !fetched {
            signals.issued = 0;
            self.skip(now, until, &signals);
        }
        Ok(())
    }

    /// Jumps over cycles in which nothing can change.
    fn skip(&mut self, now: u64, until: Time, signals: &CycleSignals) {
        let mut cycle = self.wheel.next(now).unwrap_or(u64::MAX);
        cycle = cycle.min(self.ldst.next_cycle(now).unwrap_or(u64::MAX));
        cycle = cycle.min(self.fetch.next_cycle(self.cycle).unwrap_or(u64::MAX));
        let mut time = until;
        if let Some(response) = self.inbox.front() {
            time = time.min(response.when.max(self.inlet_free));
        }
        if let Some((when, _)) = self.credits.front() {
            time = time.min(*when);
        }
        if self.ldst.blocked == Blocked::Port || self.fetch.blocked_by_port {
            // A free port that was refused lacks a credit, which is waited for above.
            let free = self.outbox.free_at();
            if free >= self.clock.next_edge() {
                time = time.min(free);
            }
        }
        let next = self.clock.next_edge();
        let by_time = if time > next { (time - next).div_ceil(self.clock.period()) } else { 0 };
        let by_cycle = cycle.saturating_sub(self.cycle);
        // The signals of the cycle hold for all that are skipped, so they end where a bank conflict does.
        let by_conflict =
            if signals.bank_conflict { self.ldst.conflict_cycles(self.cycle) } else { u64::MAX };
        let skipped = by_time.min(by_cycle).min(by_conflict);
        if skipped == 0 {
            return;
        }
        self.clock.skip_to(next + (skipped - 1) * self.clock.period() + 1);
        self.pass(skipped, signals);
        self.counts.skipped_cycles += skipped;
        self.ldst.wait(skipped);
        self.fetch.wait(skipped);
        let reasons = std::mem::take(&mut self.reasons);
        reasons.iter().for_each(|reason| self.stalls.add(*reason, skipped));
        self.reasons = reasons;
    }

    /// Credits and answers that have arrived.
    fn receive(&mut self, now: u64, time: Time) {
        while self.credits.front().is_some_and(|(when, _)| *when <= time) {
            if let Some((_, partition)) = self.credits.pop_front() {
                self.outbox.credit(partition);
            }
        }
        // The port takes one answer after the other.
        while self.inbox.front().is_some_and(|r| r.when.max(self.inlet_free) <= time) {
            if let Some(response) = self.inbox.pop_front() {
                self.inlet_free =
                    response.when.max(self.inlet_free) + self.outbox.transfer_time(response.bytes);
                if let Sent::Line(CacheKind::Instruction, line) =
                    self.ldst.answered(response.token, now, &mut self.hooks)
                {
                    self.instructions_arrived(line, now);
                }
            }
        }
    }

    /// Results of the study's lanes reach the registers.
    fn write_lanes(&mut self, result: &LaneResult) {
        let slot = &self.slots[result.warp];
        let plan = &self.program.code[result.pc as usize].lanes;
        if let (Some(plan), Some(resident)) = (plan, &mut self.blocks[slot.block]) {
            plan.write(&mut resident.state, slot.index, result.executed, &result.results);
        }
    }

    fn take_completions(&mut self, now: u64) {
        let before = self.config.sm.announce_cycles;
        while let Some(done) = self.ldst.completed.pop() {
            if self.hooks.looks_ahead() && done.cycle > now + before {
                let event = Event::Returning { warp: done.warp };
                self.wheel.push(now, done.cycle - before, event);
            }
            let event = Event::Loaded { warp: done.warp, pc: done.pc };
            self.wheel.push(now, done.cycle.max(now + 1), event);
        }
    }

    /// The events of this cycle.
    fn happen(&mut self, now: u64) {
        self.take_completions(now);
        let mut events = std::mem::take(&mut self.events);
        self.wheel.take(now, &mut events);
        for event in events.drain(..) {
            match event {
                Event::Collected(Unit::Sp(_)) => self.sp_collectors += 1,
                Event::Collected(Unit::Sfu) => self.sfu_collectors += 1,
                Event::Collected(Unit::Ldst) => self.ldst_collectors += 1,
                Event::Written { warp, pc } => self.complete(warp, pc),
                Event::Returning { warp } => self.sets.returning |= 1 << warp,
                Event::Loaded { warp, pc } => {
                    self.sets.returning &= !(1 << warp);
                    self.hooks.memory_completed(warp, pc, now);
                    if !self.program.code[pc as usize].writes.is_empty() {
                        self.hooks.load_completed(warp, pc, now);
                    }
                    self.complete(warp, pc);
                }
                Event::Decoded { warp, epoch, count } => self.decoded(warp, epoch, count),
                Event::Resolved { warp } => self.sets.on_branch &= !(1 << warp),
            }
        }
        self.events = events;
    }

    fn complete(&mut self, warp: usize, pc: u32) {
        let slot = &mut self.slots[warp];
        slot.scoreboard.release(&self.program.code[pc as usize].writes);
        slot.in_flight -= 1;
        let (idle, block) = (slot.in_flight == 0, slot.block);
        if idle && self.sets.running >> warp & 1 == 0 {
            self.retire_if_done(block);
        }
        self.refresh(warp);
    }

    /// Works out again what a warp's next instruction waits for.
    pub(super) fn refresh(&mut self, warp: usize) {
        let bit = 1 << warp;
        let sets = &mut self.sets;
        sets.wait_memory &= !bit;
        sets.wait_arithmetic &= !bit;
        sets.next_int &= !bit;
        sets.next_fp &= !bit;
        sets.next_sfu &= !bit;
        sets.full &= !bit;
        if sets.running & sets.buffered & bit == 0 {
            return;
        }
        let slot = &self.slots[warp];
        let Some((pc, active)) = slot.next else { return };
        let decoded = &self.program.code[pc as usize];
        match decoded.unit {
            Unit::Sp(SpPipe::Int) => sets.next_int |= bit,
            Unit::Sp(SpPipe::Fp) => sets.next_fp |= bit,
            Unit::Sfu => sets.next_sfu |= bit,
            Unit::Ldst => {}
        }
        if active.0 == u32::MAX {
            sets.full |= bit;
        }
        self.hooks.next_lanes(warp, active);
        match slot.scoreboard.check(&decoded.hazards) {
            Some(Hazard::Memory) => sets.wait_memory |= bit,
            Some(Hazard::Arithmetic) => sets.wait_arithmetic |= bit,
            None => {}
        }
    }

    fn signals(&self, now: u64, issued: &Issued) -> CycleSignals {
        let fetching = self.fetch.cache.outstanding() > 0;
        let starved = self.sets.running & !self.sets.buffered & !self.sets.on_branch;
        CycleSignals {
            cycle: now,
            empty: false,
            issued: issued.count,
            control_hazard: self.flushed,
            bank_conflict: self.ldst.conflict_cycles(now) > 0,
            load_outstanding: self.ldst.loads_outstanding() || fetching,
            store_outstanding: self.ldst.stores_outstanding(),
            fetch_stall: fetching && starved != 0,
            mshr_full: self.ldst.blocked == Blocked::Miss,
            lsq_full: !self.ldst.has_room() || self.ldst.blocked == Blocked::Stores,
            raw_memory: self.sets.wait_memory != 0,
            raw_arithmetic: self.sets.wait_arithmetic | self.sets.on_branch != 0,
            structural_arithmetic: issued.structural,
            memory_blocked: self.ldst.blocked != Blocked::No,
            census: self.census(if fetching { starved } else { 0 }),
            kinds: self.kinds(),
            soon: if self.hooks.looks_ahead() {
                [self.sets.next_int, self.sets.next_fp].map(|kind| self.soon(kind))
            } else {
                Default::default()
            },
        }
    }

    /// `starved` warps wait for instructions that memory has to bring.
    fn census(&self, starved: WarpSet) -> Census {
        let sets = &self.sets;
        let live = sets.running & !sets.at_barrier;
        let arithmetic = sets.wait_arithmetic | sets.on_branch;
        let memory = sets.wait_memory | sets.wait_atomic & !arithmetic | starved;
        let computing = live & !memory & (arithmetic | !sets.buffered);
        Census { live, computing }
    }

    /// Those of a kind of next instructions that wait for nothing but arithmetic or a hit's data.
    fn soon(&self, kind: WarpSet) -> Soon {
        let sets = &self.sets;
        let waits = sets.wait_memory & !sets.returning | sets.wait_atomic | sets.at_barrier;
        let mut left = kind & sets.running & sets.buffered & !waits;
        let mut soon = Soon { warps: left.count_ones(), lanes: 0 };
        while left != 0 && soon.lanes != u32::MAX {
            let warp = left.trailing_zeros() as usize;
            soon.lanes |= self.slots[warp].next.map_or(0, |(_, active)| active.0);
            left &= left - 1;
        }
        soon
    }
}
