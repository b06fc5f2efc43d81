//! Fetch and decode: through the instruction cache into the warps' buffers, in turn.

use super::hooks::{CacheAccess, Hooks, Touch};
use super::l1::{CacheKind, Outcome, Waiter, L1};
use super::outbox::Reach;
use super::scheduler::next_from;
use super::{Event, Sm};
use crate::exec::LaneMask;
use crate::machine::config::MachineConfig;
use crate::machine::time::Time;
use crate::machine::uncore::packet::Ask;

/// The fetch stage.
#[derive(Clone, Debug)]
pub struct Fetch {
    pub cache: L1,
    next: usize,
    /// A fetch could not go on in this cycle.
    blocked: bool,
    /// It could not send its miss.
    pub blocked_by_port: bool,
    /// The first cycle in which a study lets a fetch enter again.
    free_at: u64,
}

impl Fetch {
    pub fn new(config: &MachineConfig) -> Self {
        Fetch {
            cache: L1::new(&config.l1_instruction),
            next: 0,
            blocked: false,
            blocked_by_port: false,
            free_at: 0,
        }
    }

    /// The next cycle in which a held fetch can go on.
    pub fn next_cycle(&self, now: u64) -> Option<u64> {
        (self.free_at > now).then_some(self.free_at)
    }

    /// Counts cycles in which a fetch that could not go on still cannot.
    pub fn wait(&mut self, cycles: u64) {
        if self.blocked {
            self.cache.counts.blocked_cycles += cycles;
        }
    }
}

impl<H: Hooks> Sm<H> {
    /// Fetches for as many warps as the stage is wide; true if something was fetched.
    pub(super) fn fetch_some(&mut self, now: u64, time: Time) -> bool {
        self.fetch.blocked = false;
        self.fetch.blocked_by_port = false;
        if self.fetch.free_at > now {
            return false;
        }
        let sets = &self.sets;
        let mut wanting = sets.running & sets.hungry & !sets.fetching & !sets.on_branch;
        let mut left = self.config.sm.fetch_width;
        // A warp that cannot fetch now does not keep the others from it. Empty buffers come first: they take
        // all that a fetch brings, and else the stage would feed no more than one instruction a cycle.
        while wanting != 0 && left > 0 {
            let empty = wanting & !self.sets.buffered;
            let w = next_from(if empty != 0 { empty } else { wanting }, self.fetch.next);
            wanting &= !(1 << w);
            let slot = &self.slots[w];
            let Some((pc, _)) = slot.next else { continue };
            let want = pc as usize + slot.buffered as usize;
            if want >= self.program.code.len() {
                // The last instruction is buffered already.
                self.sets.hungry &= !(1 << w);
            } else if self.access(w, want as u64, now, time) {
                self.fetch.next = w + 1;
                left -= 1;
            }
        }
        self.fetch.wait(1);
        left < self.config.sm.fetch_width
    }

    fn access(&mut self, w: usize, pc: u64, now: u64, time: Time) -> bool {
        let bytes = self.config.sm.instruction_bytes;
        let line_bytes = self.fetch.cache.config.line_bytes as u64;
        let line = (self.program.base + pc * bytes) / line_bytes;
        let l2_line = line * line_bytes / self.config.l2.line_bytes as u64;
        let can_send = self.outbox.can_send(time, l2_line);
        let epoch = self.slots[w].epoch;
        match self.fetch.cache.read(line, Waiter::Fetch { warp: w, epoch }, can_send) {
            Outcome::Hit(block) => {
                let access = CacheAccess {
                    cache: CacheKind::Instruction,
                    cycle: now,
                    known: now,
                    block,
                    lanes: LaneMask::ALL,
                    active: LaneMask::ALL,
                    words: u32::MAX,
                    touch: Touch::Read,
                };
                let held = self.hooks.hold(&access);
                self.fetch.free_at = now + 1 + held.stall;
                let to_line_end = (line_bytes - pc * bytes % line_bytes) / bytes;
                let room = self.config.sm.instruction_buffer as u64 - self.slots[w].buffered as u64;
                let to_end = self.program.code.len() as u64 - pc;
                let count = to_line_end.min(room).min(to_end) as u8;
                let event = Event::Decoded { warp: w, epoch, count };
                let hit_cycles = self.fetch.cache.config.hit_cycles + held.delay;
                let ready = now + hit_cycles + self.config.sm.decode_cycles;
                self.wheel.push(now, (ready - 1).max(now + 1), event);
            }
            Outcome::Merged(_) => {}
            Outcome::Miss { slot, .. } => {
                self.hooks.miss(CacheKind::Instruction, slot, true, now);
                let token = self.ldst.fetch_token(line);
                let reach = Reach { words: u32::MAX, active: LaneMask::ALL, turns: 1 };
                self.outbox.send(time, l2_line, Ask::Read, reach, token);
            }
            Outcome::Blocked => {
                self.fetch.blocked = true;
                self.fetch.blocked_by_port |= !can_send;
                return false;
            }
        }
        self.sets.fetching |= 1 << w;
        true
    }

    /// A line of instructions has come: those who still wait for it fetch again.
    pub(super) fn instructions_arrived(&mut self, line: u64, now: u64) {
        if let Some((block, slot, waiters)) = self.fetch.cache.fill(line) {
            self.hooks.hold(&CacheAccess::refill(CacheKind::Instruction, now, block));
            self.hooks.miss(CacheKind::Instruction, slot, false, now);
            for waiter in waiters {
                if let Waiter::Fetch { warp, epoch } = waiter {
                    if self.slots[warp].epoch == epoch {
                        self.sets.fetching &= !(1 << warp);
                    }
                }
            }
        }
    }

    /// Decoded instructions enter the buffer, unless the warp has gone elsewhere meanwhile.
    pub(super) fn decoded(&mut self, w: usize, epoch: u32, count: u8) {
        let slot = &mut self.slots[w];
        if slot.epoch != epoch {
            return;
        }
        self.sets.fetching &= !(1 << w);
        let was_empty = slot.buffered == 0;
        slot.buffered += count;
        self.sets.buffered |= 1 << w;
        if usize::from(slot.buffered) >= self.config.sm.instruction_buffer {
            self.sets.hungry &= !(1 << w);
        }
        if was_empty {
            self.refresh(w);
        }
    }
}
