//! Blocks that come, wait for each other at barriers, and go.

use super::hooks::Hooks;
use super::{Resident, Sm};
use crate::exec::{deadlock, runaway, Block, Fault, WarpStatus};

impl<H: Hooks> Sm<H> {
    /// Whether a block fits now.
    pub fn has_room(&self) -> bool {
        self.blocks.iter().flatten().count() < self.max_blocks
    }

    /// The fault of a kernel that has executed too many instructions, seen from here.
    pub fn runaway(&self, limit: u64) -> Box<Fault> {
        let running = self.blocks.iter().flatten().find_map(|resident| {
            let warps = resident.state.warps();
            let w = warps.iter().position(|w| w.status() != WarpStatus::Done)?;
            Some(runaway(&self.launch, &resident.state, w, limit))
        });
        running.unwrap_or_else(|| runaway(&self.launch, &Block::new(&self.launch, 0), 0, limit))
    }

    /// Whether nothing runs here and no answer is on its way.
    pub fn is_quiet(&self) -> bool {
        self.sets.resident == 0 && self.inbox.is_empty() && !self.ldst.stores_outstanding()
    }

    /// Starts a block; the caller has checked [`Sm::has_room`].
    pub fn launch_block(&mut self, number: u64) {
        let warps = self.launch.warps() as usize;
        let state = match self.spare.pop() {
            Some(mut block) => {
                block.restart(&self.launch, number);
                block
            }
            None => Block::new(&self.launch, number),
        };
        let free = |w: &usize| self.sets.resident >> w & 1 == 0;
        let slots: Vec<usize> = (0..self.slots.len()).filter(free).take(warps).collect();
        assert_eq!(slots.len(), warps, "occupancy was computed for these slots");
        let at = match self.blocks.iter().position(Option::is_none) {
            Some(at) => at,
            None => {
                self.blocks.push(None);
                self.blocks.len() - 1
            }
        };
        for (index, &w) in slots.iter().enumerate() {
            let slot = &mut self.slots[w];
            slot.block = at;
            slot.index = index;
            slot.next = state.warps()[index].position();
            slot.scoreboard.clear(self.program.names);
            slot.buffered = 0;
            slot.epoch = slot.epoch.wrapping_add(1);
            slot.in_flight = 0;
            self.ages[w] = number * warps as u64 + index as u64;
            self.sets.clear(w);
            self.sets.resident |= 1 << w;
            self.sets.running |= 1 << w;
            self.sets.hungry |= 1 << w;
        }
        self.blocks[at] = Some(Resident { state, slots });
    }

    /// Takes a block away once all its warps have ended and all their instructions are complete.
    pub(super) fn retire_if_done(&mut self, block: usize) {
        let Some(resident) = &self.blocks[block] else { return };
        let idle = resident.slots.iter().all(|&w| self.slots[w].in_flight == 0);
        if !idle || !resident.state.is_done() {
            return;
        }
        if let Some(resident) = self.blocks[block].take() {
            for &w in &resident.slots {
                self.sets.clear(w);
                self.slots[w].epoch = self.slots[w].epoch.wrapping_add(1);
            }
            self.spare.push(resident.state);
            self.counts.blocks += 1;
            // The block occupies this cycle to its end.
            self.last_end = (self.cycle + 1, self.clock.next_edge() + self.clock.period());
            self.finished += 1;
        }
    }

    /// Takes over which warps of a block wait at a barrier; a block in which none can go on is stuck.
    pub(super) fn follow_barriers(&mut self, block: usize) -> Result<(), Box<Fault>> {
        let Some(resident) = &self.blocks[block] else { return Ok(()) };
        let (mut ready, mut waiting) = (false, false);
        for (index, &w) in resident.slots.iter().enumerate() {
            match resident.state.warps()[index].status() {
                WarpStatus::AtBarrier(_) => {
                    self.sets.at_barrier |= 1 << w;
                    waiting = true;
                }
                status => {
                    self.sets.at_barrier &= !(1 << w);
                    ready |= status == WarpStatus::Ready;
                }
            }
        }
        if waiting && !ready {
            return Err(deadlock(&self.launch, &resident.state));
        }
        Ok(())
    }
}
