//! Issue: each scheduler picks a ready warp, its instruction executes functionally, and the pipeline
//! works out when its operands are read, when its unit takes it and when its results are there.

use super::decode::{Flow, SpPipe, Unit};
use super::hooks::{Candidate, Hooks, Issue, LaneWork, WarpKinds};
use super::ldst::Arrival;
use super::scheduler::View;
use super::scoreboard::Hazard;
use super::{Event, Sm, Stall};
use crate::exec::{step, step_over, Effect, Fault, GlobalMemory, GlobalView, Rows, Step};
use crate::machine::config::Pipe;
use crate::ptx::Space;

/// When the parts of an SP are free.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpState {
    /// One instruction a cycle enters the SP.
    port: u64,
    /// Each pipeline keeps its initiation interval.
    int: u64,
    fp: u64,
}

impl SpState {
    fn free(&self, pipe: SpPipe) -> u64 {
        self.port.max(match pipe {
            SpPipe::Int => self.int,
            SpPipe::Fp => self.fp,
        })
    }

    /// An instruction enters: the port is taken for some cycles and its pipeline for others.
    fn take(&mut self, pipe: SpPipe, start: u64, port: u64, busy: u64) {
        self.port = start + port;
        match pipe {
            SpPipe::Int => self.int = start + busy,
            SpPipe::Fp => self.fp = start + busy,
        }
    }
}

/// What the schedulers did in a cycle.
#[derive(Default)]
pub struct Issued {
    /// Instructions issued.
    pub count: u32,
    /// Whether a warp was held back that could go on by itself in the next cycle.
    pub possible: bool,
    /// Whether a ready warp waits for an arithmetic unit's collector.
    pub structural: bool,
}

impl<H: Hooks> Sm<H> {
    /// One cycle of all schedulers.
    pub(super) fn issue(&mut self, now: u64, global: &GlobalMemory) -> Result<Issued, Box<Fault>> {
        let mut issued = Issued::default();
        self.flushed = false;
        self.reasons.clear();
        for s in 0..self.schedulers.len() {
            let reason = self.schedule(s, now, global, &mut issued)?;
            self.stalls.add(reason, 1);
            self.reasons.push(reason);
        }
        Ok(issued)
    }

    fn schedule(
        &mut self,
        s: usize,
        now: u64,
        global: &GlobalMemory,
        issued: &mut Issued,
    ) -> Result<Stall, Box<Fault>> {
        let sets = &self.sets;
        let mine = self.shares[s] & sets.resident;
        if mine == 0 {
            return Ok(Stall::Empty);
        }
        let waits = sets.at_barrier | sets.wait_memory | sets.wait_arithmetic | sets.wait_atomic;
        let clear = mine & sets.running & sets.buffered & !waits;
        let mut ready = clear;
        if self.sp_collectors == 0 {
            ready &= !sets.next_sp();
        }
        if self.sfu_collectors == 0 {
            ready &= !sets.next_sfu;
        }
        issued.structural |= ready != clear;
        if self.ldst_collectors == 0 || !self.ldst.has_room() {
            ready &= sets.next_sp() | sets.next_sfu;
        }
        let waiting = sets.wait_memory | sets.wait_atomic | sets.at_barrier;
        let running = mine & sets.running;
        let view = View { ages: &self.ages, waiting, running };
        let mut eligible = self.schedulers[s].eligible(ready, &view);
        while eligible != 0 {
            let preferred = match H::PREFERS {
                true => self.hooks.prefer(s, eligible, &self.kinds()) & eligible,
                false => eligible,
            };
            let choice = if preferred != 0 { preferred } else { eligible };
            let view = View { ages: &self.ages, waiting, running };
            let warp = self.schedulers[s].pick(choice, &view);
            if let Some(candidate) = self.candidate(warp, now) {
                if self.hooks.may_issue(&candidate, now)
                    && self.issue_warp(&candidate, now, global)?
                {
                    issued.count += 1;
                    return Ok(Stall::Issued);
                }
            }
            issued.possible = true;
            eligible &= !(1 << warp);
        }
        Ok(self.reason(mine, clear, ready))
    }

    /// Why a scheduler with these warps issued nothing.
    fn reason(&self, mine: u64, clear: u64, ready: u64) -> Stall {
        let sets = &self.sets;
        let here = mine & sets.running & !sets.at_barrier;
        if mine & sets.wait_atomic != 0 && ready & !sets.wait_atomic == 0 {
            Stall::Memory
        } else if ready != 0 {
            Stall::Held
        } else if clear != 0 {
            Stall::Structural
        } else if here & sets.wait_memory != 0 {
            Stall::Memory
        } else if here & sets.wait_arithmetic != 0 {
            Stall::Arithmetic
        } else if here & sets.on_branch != 0 {
            Stall::Control
        } else if here & !sets.buffered != 0 {
            Stall::Fetch
        } else {
            Stall::Barrier
        }
    }

    /// What the next instructions of the warps are.
    pub(super) fn kinds(&self) -> WarpKinds {
        WarpKinds {
            buffered: self.sets.running & self.sets.buffered,
            int: self.sets.next_int,
            fp: self.sets.next_fp,
            sfu: self.sets.next_sfu,
            full: self.sets.full,
        }
    }

    /// A warp's next instruction, and the first of the SPs in which it would start earliest.
    fn candidate(&mut self, warp: usize, now: u64) -> Option<Candidate> {
        let (pc, active) = self.slots[warp].next?;
        let unit = self.program.code[pc as usize].unit;
        let at = |sp| Candidate { warp, pc, unit, sp, active };
        let Unit::Sp(pipe) = unit else { return Some(at(0)) };
        let operand_cycles = self.config.sm.operand_cycles;
        let sps = 0..self.sps.len();
        sps.map(at).min_by_key(|candidate| {
            let operands = now + operand_cycles + self.hooks.wake_delay(candidate);
            operands.max(self.sps[candidate.sp].free(pipe))
        })
    }

    /// Issues an instruction; false if its bytes wait for an atomic.
    fn issue_warp(
        &mut self,
        candidate: &Candidate,
        now: u64,
        global: &GlobalMemory,
    ) -> Result<bool, Box<Fault>> {
        let Candidate { warp, pc, .. } = *candidate;
        let (block, index) = (self.slots[warp].block, self.slots[warp].index);
        let Some(resident) = &mut self.blocks[block] else { return Ok(false) };
        let lanes = self.program.code[pc as usize].lanes.as_ref();
        let lanes = lanes.filter(|_| self.hooks.has_lanes(candidate));
        let done = if lanes.is_some() {
            step_over(&self.launch, &mut resident.state, index)
        } else {
            self.pending.owner = warp as u32;
            let mut view =
                GlobalView::Shared { memory: global, pending: &mut self.pending, cycle: now };
            step(&self.launch, &mut view, &mut resident.state, index, &mut self.access)?
        };
        let operands = lanes.map(|plan| plan.read(&resident.state, index));
        if done.effect == Effect::Busy {
            self.sets.wait_atomic |= 1 << warp;
            return Ok(false);
        }
        self.slots[warp].next = resident.state.warps()[index].position();
        self.counts.warp_instructions += 1;
        self.counts.thread_instructions += u64::from(done.executed.count());
        let decoded = &self.program.code[pc as usize];
        let (pipe, flow) = (decoded.pipe, decoded.flow);
        let operands_at = self.banks.read(warp, &decoded.operands, now);
        let (start, end, occupies) = match decoded.unit {
            Unit::Sp(kind) => match operands {
                Some(operands) => {
                    self.enter_lanes(candidate, kind, &done, operands, operands_at, now)
                }
                None => self.enter_sp(candidate, kind, operands_at, now),
            },
            Unit::Sfu => {
                let start = operands_at.max(self.sfu_free);
                self.sfu_free = start + pipe.interval;
                self.sfu_collectors -= 1;
                self.wheel.push(now, start, Event::Collected(Unit::Sfu));
                let end = start + self.hooks.scaled_latency(warp, pipe.latency);
                self.finish_at(warp, pc, end, now);
                (start, end, pipe.interval)
            }
            Unit::Ldst => {
                self.enter_ldst(warp, pc, &done, operands_at, now);
                (operands_at, operands_at, 1)
            }
        };
        self.hooks.issued(&Issue {
            candidate: *candidate,
            line: self.launch.kernel().insts[pc as usize].line,
            executed: done.executed,
            cycle: now,
            start,
            end,
            occupies,
        });
        self.follow(warp, block, pc, flow, &done, now)?;
        Ok(true)
    }

    /// Hands an instruction to the study's lanes.
    fn enter_lanes(
        &mut self,
        candidate: &Candidate,
        pipe: SpPipe,
        done: &Step,
        operands: Rows,
        operands_at: u64,
        now: u64,
    ) -> (u64, u64, u64) {
        let Candidate { warp, pc, sp, .. } = *candidate;
        let timing = self.program.code[pc as usize].pipe;
        let latency = self.hooks.scaled_latency(warp, timing.latency);
        let slot = self.hooks.enter_lanes(LaneWork {
            candidate: *candidate,
            executed: done.executed,
            cycle: now,
            ready: operands_at.max(self.sps[sp].free(pipe)),
            timing: Pipe { latency, ..timing },
            operands,
        });
        let occupies = timing.interval * slot.passes;
        self.sps[sp].take(pipe, slot.start, slot.passes, occupies);
        self.sp_collectors -= 1;
        self.wheel.push(now, slot.start, Event::Collected(Unit::Sp(pipe)));
        self.finish_at(warp, pc, slot.end, now);
        (slot.start, slot.end, occupies)
    }

    fn enter_sp(
        &mut self,
        candidate: &Candidate,
        pipe: SpPipe,
        operands_at: u64,
        now: u64,
    ) -> (u64, u64, u64) {
        let passes = self.hooks.passes(candidate, now);
        let Candidate { warp, pc, sp, .. } = *candidate;
        let timing = self.program.code[pc as usize].pipe;
        let state = &mut self.sps[sp];
        let start = state.free(pipe).max(operands_at);
        let occupies = timing.interval * passes.count;
        state.take(pipe, start, passes.count, occupies);
        self.sp_collectors -= 1;
        self.wheel.push(now, start, Event::Collected(Unit::Sp(pipe)));
        let latency = self.hooks.scaled_latency(warp, timing.latency) + passes.extra_latency;
        let end = start + latency + timing.interval * (passes.count - 1);
        self.finish_at(warp, pc, end, now);
        (start, end, occupies)
    }

    fn finish_at(&mut self, warp: usize, pc: u32, cycle: u64, now: u64) {
        let slot = &mut self.slots[warp];
        slot.in_flight += 1;
        slot.scoreboard.reserve(&self.program.code[pc as usize].writes, Hazard::Arithmetic);
        self.wheel.push(now, cycle.max(now + 1), Event::Written { warp, pc });
    }

    fn enter_ldst(&mut self, warp: usize, pc: u32, done: &Step, operands_at: u64, now: u64) {
        let mut rows = 1;
        let access = match done.effect {
            Effect::Memory => {
                if self.access.space == Space::Local {
                    rows = self.localise(warp);
                }
                Some(&self.access)
            }
            Effect::Fence => None,
            // Every lane's guard was false: the instruction ends here.
            _ => return self.finish_at(warp, pc, operands_at, now),
        };
        let writes = &self.program.code[pc as usize].writes;
        let slot = &mut self.slots[warp];
        slot.in_flight += 1;
        // Shared memory answers at the pipeline's own speed.
        let shared = access.is_some_and(|access| access.space == Space::Shared);
        let hazard = if shared { Hazard::Arithmetic } else { Hazard::Memory };
        slot.scoreboard.reserve(writes, hazard);
        self.ldst_collectors -= 1;
        self.wheel.push(now, operands_at, Event::Collected(Unit::Ldst));
        let result = !writes.is_empty();
        self.ldst.push(&Arrival {
            warp,
            pc,
            issued: now,
            ready: operands_at,
            access,
            rows,
            result,
        });
    }

    /// Local memory lies interleaved, so that lanes at the same offset share a line. Returns in how many of these
    /// rows a lane's element lies; its address is that of its first word.
    fn localise(&mut self, warp: usize) -> u64 {
        const LOCAL_BASE: u64 = 1 << 48;
        let words = u64::from(self.launch.kernel().local_bytes).div_ceil(4);
        let slot = (self.id * self.slots.len() + warp) as u64;
        for lane in self.access.lanes.lanes() {
            let offset = self.access.addresses[lane] & 0xff_ffff;
            self.access.addresses[lane] =
                LOCAL_BASE + (slot * words + offset / 4) * 128 + lane as u64 * 4 + offset % 4;
        }
        let rows = u64::from(self.access.bytes).div_ceil(4);
        self.access.bytes = self.access.bytes.min(4);
        rows
    }

    /// What comes after the instruction in its warp.
    fn follow(
        &mut self,
        warp: usize,
        block: usize,
        pc: u32,
        flow: Flow,
        done: &Step,
        now: u64,
    ) -> Result<(), Box<Fault>> {
        let bit = 1 << warp;
        let slot = &mut self.slots[warp];
        let next = slot.next.map(|n| n.0);
        slot.buffered -= 1;
        if flow == Flow::Branch || next != Some(pc + 1) {
            // Fetch goes straight on, as if no branch were taken: what it brought is for nothing.
            let fetched = slot.buffered > 0 || self.sets.fetching & bit != 0;
            self.flushed |= fetched && next.is_some_and(|next| next != pc + 1);
            slot.buffered = 0;
            slot.epoch = slot.epoch.wrapping_add(1);
            self.sets.fetching &= !bit;
        }
        if slot.buffered == 0 {
            self.sets.buffered &= !bit;
        }
        self.sets.hungry |= bit;
        if next.is_none() {
            self.sets.running &= !bit;
        }
        if flow == Flow::Branch {
            self.sets.on_branch |= bit;
            let resolved = now + self.config.sm.branch_cycles;
            self.wheel.push(now, resolved.max(now + 1), Event::Resolved { warp });
        }
        match done.effect {
            Effect::Barrier(_) => {
                self.hooks.barrier(warp, now);
                self.follow_barriers(block)?;
            }
            Effect::Exit(_) => self.follow_barriers(block)?,
            _ => {}
        }
        self.refresh(warp);
        Ok(())
    }
}
