//! Golden model of `gang_reformer`: groups what has met again, and holds warps that wait for company.

use super::Unit;

crate::io! {
    /// Inputs.
    pub struct In<const SETS: usize, const SET: usize, const PC: usize> {
        /// GangMask of each way of `look_set`.
        gang_mask: [u8; 4], 8;
        /// Their program counters.
        gang_pc: [u32; 4], PC;
        /// The way's gang may be merged.
        gang_open: u8, 4;
        /// Warps of `look_set` on their own.
        single_mask: u8, 8;
        /// Their program counters.
        single_pc: [u32; 8], PC;
        /// The warp may be merged.
        single_open: u8, 8;
        /// The gang table carries the proposal out.
        merge_taken: bool, 1;
        /// Warps reach a reconvergence point.
        sync_valid: bool, 1;
        /// Their set.
        sync_set: u8, SET;
        /// Their slices.
        sync_mask: u8, 8;
        /// Gangs are reformed at all.
        cfg_reform: bool, 1;
        /// Merge all that have met, not two.
        cfg_merge_all: bool, 1;
        /// Cycles to wait at a reconvergence point.
        cfg_sync_wait: u8, 8;
    }
}

crate::io! {
    /// Outputs.
    pub struct Out<const SETS: usize, const SET: usize, const PC: usize> {
        /// Set to be shown.
        look_set: u8, SET;
        /// There is a proposal.
        merge_valid: bool, 1, from [gang_mask, gang_pc, gang_open, single_mask, single_pc, single_open, cfg_reform];
        /// Gangs to merge.
        merge_ways: u8, 4, from [gang_mask, gang_pc, gang_open, single_mask, single_pc, single_open, cfg_reform, cfg_merge_all];
        /// Single warps to merge.
        merge_singles: u8, 8, from [gang_mask, gang_pc, gang_open, single_mask, single_pc, single_open, cfg_reform, cfg_merge_all];
        /// Program counter that they share, 0 without a proposal.
        merge_pc: u32, PC, from [gang_mask, gang_pc, gang_open, single_mask, single_pc, single_open, cfg_reform];
        /// Warps that wait for company: bit i of element s is slice s of set i.
        hold: [u32; 8], SETS;
    }
}

/// Warps of one set that wait, and for how long still.
#[derive(Clone, Debug, Default, PartialEq)]
struct Wait {
    warps: u8,
    cycles: u8,
}

/// Looks at set 0 after reset; nobody waits.
#[derive(Clone, Debug, PartialEq)]
pub struct GangReformer<const SETS: usize, const SET: usize, const PC: usize> {
    turn: usize,
    waits: Vec<Wait>,
    next: (usize, Vec<Wait>),
}

impl<const SETS: usize, const SET: usize, const PC: usize> Default for GangReformer<SETS, SET, PC> {
    fn default() -> Self {
        let waits = vec![Wait::default(); SETS];
        Self { turn: 0, waits: waits.clone(), next: (0, waits) }
    }
}

fn has(mask: u8, bit: usize) -> bool {
    mask >> bit & 1 != 0
}

impl<const SETS: usize, const SET: usize, const PC: usize> In<SETS, SET, PC> {
    /// Where slice s is: its mates, itself included, and their program counter.
    fn member(&self, s: usize) -> (u8, u32) {
        // Masks that overlap are illegal; the last way counts.
        match (0..4).rev().find(|&w| has(self.gang_mask[w], s)) {
            Some(w) => (self.gang_mask[w], self.gang_pc[w]),
            None => (1 << s, self.single_pc[s]),
        }
    }

    fn open(&self, s: usize) -> bool {
        has(self.single_mask & self.single_open, s)
            || (0..4).any(|w| has(self.gang_open, w) && has(self.gang_mask[w], s))
    }

    /// The warps to merge and their program counter.
    fn proposal(&self) -> Option<(u8, u32)> {
        if !self.cfg_reform {
            return None;
        }
        (0..8).filter(|&s| self.open(s)).find_map(|s| {
            let (mates, pc) = self.member(s);
            let met: Vec<usize> = (0..8)
                .filter(|&t| self.open(t) && !has(mates, t) && self.member(t).1 == pc)
                .collect();
            let others = if self.cfg_merge_all { &met[..] } else { met.get(..1)? };
            (!met.is_empty())
                .then(|| (others.iter().fold(mates, |mask, &t| mask | self.member(t).0), pc))
        })
    }
}

impl<const SETS: usize, const SET: usize, const PC: usize> Unit for GangReformer<SETS, SET, PC> {
    type In = In<SETS, SET, PC>;
    type Out = Out<SETS, SET, PC>;

    fn eval(&mut self, inputs: &Self::In) -> Self::Out {
        let proposal = inputs.proposal();
        let (merged, merge_pc) = proposal.unwrap_or((0, 0));
        let stay = proposal.is_some() && !inputs.merge_taken;
        let turn = if stay { self.turn } else { (self.turn + 1) % SETS };

        let gangs = inputs.gang_mask.iter().filter(|mask| **mask != 0).count();
        let whole = gangs == 1 && inputs.single_mask == 0;
        let mut waits = self.waits.clone();
        for (set, wait) in waits.iter_mut().enumerate() {
            if wait.cycles <= 1 || whole && set == self.turn {
                *wait = Wait::default();
            } else {
                wait.cycles -= 1;
            }
        }
        if inputs.sync_valid && inputs.sync_mask != 0 && inputs.cfg_sync_wait != 0 {
            let wait = &mut waits[inputs.sync_set as usize];
            if wait.warps == 0 {
                wait.cycles = inputs.cfg_sync_wait;
            }
            wait.warps |= inputs.sync_mask;
        }
        self.next = (turn, waits);

        Out {
            look_set: self.turn as u8,
            merge_valid: proposal.is_some(),
            merge_ways: (0..4)
                .filter(|&w| inputs.gang_mask[w] & merged != 0)
                .fold(0, |ways, w| ways | 1 << w),
            merge_singles: merged & inputs.single_mask,
            merge_pc,
            hold: std::array::from_fn(|s| {
                (0..SETS).fold(0, |bits, i| bits | (has(self.waits[i].warps, s) as u32) << i)
            }),
        }
    }

    fn tick(&mut self) {
        (self.turn, self.waits) = self.next.clone();
    }

    fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Reformer = GangReformer<32, 5, 32>;

    fn met() -> In<32, 5, 32> {
        In {
            gang_mask: [0b0011, 0b1100, 0, 0],
            gang_pc: [5, 9, 0, 0],
            gang_open: 0b0011,
            single_mask: 0xf0,
            single_pc: [0, 0, 0, 0, 9, 5, 9, 7],
            single_open: 0xff,
            cfg_reform: true,
            ..In::default()
        }
    }

    #[test]
    fn two_that_met_are_merged_or_all() {
        let mut reformer = Reformer::default();
        let out = reformer.eval(&met());
        assert_eq!((out.merge_ways, out.merge_singles, out.merge_pc), (0b0001, 0x20, 5));
        let without = In { single_open: 0xdf, ..met() };
        let out = reformer.eval(&without);
        assert_eq!((out.merge_ways, out.merge_singles, out.merge_pc), (0b0010, 0x10, 9));
        let out = reformer.eval(&In { cfg_merge_all: true, ..without });
        assert_eq!((out.merge_ways, out.merge_singles), (0b0010, 0x50));
    }

    #[test]
    fn the_turn_stays_until_a_proposal_is_taken() {
        let mut reformer = Reformer::default();
        for (merge_taken, turn) in [(false, 0), (false, 0), (true, 0), (true, 1)] {
            assert_eq!(reformer.eval(&In { merge_taken, ..met() }).look_set, turn);
            reformer.tick();
        }
    }

    #[test]
    fn a_warp_waits_for_as_long_as_configured() {
        let mut reformer = Reformer::default();
        let wait = In { cfg_sync_wait: 3, ..In::default() };
        let arrive = In { sync_valid: true, sync_set: 6, sync_mask: 0b10, ..wait.clone() };
        let held: Vec<bool> = (0..6)
            .map(|cycle| {
                let out = reformer.eval(if cycle == 0 { &arrive } else { &wait });
                reformer.tick();
                out.hold[1] == 1 << 6
            })
            .collect();
        assert_eq!(held, [false, true, true, true, false, false]);
    }
}
