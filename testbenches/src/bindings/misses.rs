//! Misses that come and go, for the blocks that watch them start and end.
//!
//! Mostly legal traffic, in phases: a lull, single misses in a row, a flood that fills the slots, a drain.
//! Now and then a port names any slot at all: busy, free, the same as the other port, or none there is.

use crate::stimulus::{Gen, Sticky};

/// Traffic on `PORTS` start and as many end ports, for `SLOTS` slots named by `SLOT_BITS` bits.
pub struct Misses<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize> {
    busy: [bool; SLOTS],
    phase: Sticky<Phase>,
}

/// Starts and ends a port sees in 64 cycles.
#[derive(Clone, Copy)]
struct Phase {
    starts: usize,
    ends: usize,
}

const PHASES: [Phase; 6] = [
    Phase { starts: 0, ends: 4 },
    Phase { starts: 4, ends: 8 },
    Phase { starts: 40, ends: 8 },
    Phase { starts: 32, ends: 32 },
    Phase { starts: 0, ends: 60 },
    Phase { starts: 0, ends: 60 },
];

/// The ports of one cycle.
pub struct Ports<const PORTS: usize> {
    /// A miss starts.
    pub start_valid: [bool; PORTS],
    /// Its slot.
    pub start_slot: [u8; PORTS],
    /// A miss ends.
    pub end_valid: [bool; PORTS],
    /// Its slot.
    pub end_slot: [u8; PORTS],
}

impl<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize>
    Misses<SLOTS, SLOT_BITS, PORTS>
{
    /// No miss outstanding; phases last about as long as it takes to fill or to empty the slots.
    pub fn new() -> Self {
        Self { busy: [false; SLOTS], phase: Sticky::new(SLOTS + 20) }
    }

    /// The ports of the next cycle.
    pub fn next(&mut self, g: &mut Gen) -> Ports<PORTS> {
        let phase = self.phase.next(g, |g| g.pick(&PHASES));
        let end_valid = std::array::from_fn(|_| g.below(64) < phase.ends);
        let end_slot = std::array::from_fn(|p| self.turn(g, end_valid[p], false));
        let start_valid = std::array::from_fn(|_| g.below(64) < phase.starts);
        let start_slot = std::array::from_fn(|p| self.turn(g, start_valid[p], true));
        Ports { start_valid, start_slot, end_valid, end_slot }
    }

    /// A slot to make busy or free, and it is so from now on if the port is `valid`.
    fn turn(&mut self, g: &mut Gen, valid: bool, busy: bool) -> u8 {
        let slot = self.slot(g, !busy);
        if let Some(known) = self.busy.get_mut(slot).filter(|_| valid) {
            *known = busy;
        }
        slot as u8
    }

    /// Any slot once in a while, else the first from a random place on that is as asked for.
    fn slot(&self, g: &mut Gen, busy: bool) -> usize {
        let any = g.bits(SLOT_BITS) as usize;
        let mut from_any_on = (0..SLOTS).map(|i| (any + i) % SLOTS);
        let fitting = from_any_on.find(|&slot| self.busy[slot] == busy);
        fitting.filter(|_| !g.once_in(16)).unwrap_or(any)
    }
}
