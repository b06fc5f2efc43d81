//! Slots of the result path, reserved at issue so that nothing stalls behind it.

use std::collections::{BTreeSet, VecDeque};

/// How one instruction goes through an SP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// 1, or 2 for a folded warp.
    pub halves: u64,
    /// Cycles from the start of one half to the start of the next.
    pub interval: u64,
    /// Cycles that a half's operands take to enter.
    pub beats_in: u64,
    /// Cycles that a half's results take to leave.
    pub beats_out: u64,
    /// Cycles in the execution pipeline.
    pub latency: u64,
}

impl Passage {
    /// The cycle in which beat `beat` of half `half` enters the shift stage, counted from the start.
    pub fn enters(&self, half: u64, beat: u64) -> u64 {
        half * self.interval + beat
    }

    /// The cycle in which it enters the re-shift stage: a half executes once all its operands are shifted.
    pub fn leaves(&self, half: u64, beat: u64) -> u64 {
        half * self.interval + self.beats_in + self.latency + beat
    }

    /// The cycle in which the last result is on the bus.
    pub fn end(&self) -> u64 {
        self.leaves(self.halves - 1, self.beats_out - 1) + 1
    }
}

/// What is reserved on one SP.
#[derive(Clone, Debug, Default)]
pub struct Reservation {
    shift: BTreeSet<u64>,
    reshift: BTreeSet<u64>,
    /// Collector entries: from when to when each is held.
    held: VecDeque<(u64, u64)>,
}

impl Reservation {
    /// Forgets what is past.
    pub fn forget(&mut self, now: u64) {
        for set in [&mut self.shift, &mut self.reshift] {
            while set.first().is_some_and(|cycle| *cycle < now) {
                set.pop_first();
            }
        }
        self.held.retain(|(_, to)| *to >= now);
    }

    /// The first start at or after `ready` that fits, with `entries` entries in the collector; reserved.
    pub fn reserve(&mut self, ready: u64, passage: &Passage, entries: usize) -> u64 {
        let start = (ready..).find(|start| self.fits(*start, passage, entries)).unwrap_or(ready);
        for half in 0..passage.halves {
            self.shift.extend((0..passage.beats_in).map(|beat| start + passage.enters(half, beat)));
            self.reshift
                .extend((0..passage.beats_out).map(|beat| start + passage.leaves(half, beat)));
        }
        self.held.extend(Self::holds(start, passage));
        start
    }

    /// From when to when each result beat of a first half waits in the collector.
    fn holds(start: u64, passage: &Passage) -> impl Iterator<Item = (u64, u64)> + use<> {
        let passage = *passage;
        let beats = if passage.halves == 2 { passage.beats_out } else { 0 };
        (0..beats).map(move |beat| {
            (start + passage.leaves(0, beat) + 1, start + passage.leaves(1, beat) + 1)
        })
    }

    fn fits(&self, start: u64, passage: &Passage, entries: usize) -> bool {
        let free = |set: &BTreeSet<u64>, at: u64| !set.contains(&(start + at));
        let halves = 0..passage.halves;
        halves.clone().all(|half| {
            (0..passage.beats_in).all(|beat| free(&self.shift, passage.enters(half, beat)))
                && (0..passage.beats_out)
                    .all(|beat| free(&self.reshift, passage.leaves(half, beat)))
        }) && {
            let mine: Vec<_> = Self::holds(start, passage).collect();
            let overlaps = |a: &(u64, u64), b: &(u64, u64)| a.0 <= b.1 && b.0 <= a.1;
            let others =
                self.held.iter().filter(|held| mine.iter().any(|own| overlaps(own, held))).count();
            mine.is_empty() || others + mine.len() <= entries
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADD: Passage = Passage { halves: 1, interval: 1, beats_in: 1, beats_out: 1, latency: 4 };

    #[test]
    fn two_results_never_leave_together() {
        let mut sp = Reservation::default();
        let mad = Passage { latency: 5, ..ADD };
        assert_eq!(sp.reserve(10, &mad, 4), 10);
        assert_eq!(ADD.end(), 6, "shift, four cycles, re-shift");
        // Started one later, an add would leave with the multiply-add.
        assert_eq!(sp.reserve(11, &ADD, 4), 12);
    }

    #[test]
    fn a_folded_warp_takes_two_intervals_and_an_entry() {
        let mut sp = Reservation::default();
        let folded = Passage { halves: 2, ..ADD };
        assert_eq!(folded.end(), 7);
        let divide = Passage { halves: 2, interval: 8, latency: 145, ..ADD };
        assert_eq!(sp.reserve(0, &divide, 1), 0);
        // Its first half waits from 147 to 155: with one entry no other warp may fold its way in.
        assert_eq!(sp.reserve(140, &folded, 1), 150);
        sp.forget(1000);
        assert_eq!(sp.reserve(1000, &folded, 1), 1000);
    }
}
