//! Measures the longest chain of load misses that follow one another, with one timestamp a miss.
//!
//! CRISP, sections 3.5 and 3.6. A miss remembers the path when it started and the first cycle that it
//! adds; when it ends, the path is at least the one remembered plus its cycles. In one cycle `advance`
//! comes first, then ends, then starts; a miss that starts in a cycle by which the path has already grown
//! adds to it from the next cycle on. Illegal inputs are ignored: an end of a slot without a miss, a start
//! in a slot that has one and does not end now, a slot that does not exist, `advance` with no miss
//! outstanding. Reset state: no miss, everything 0.

use super::counter::Counter;
use super::{one_by_one, Unit};

crate::io! {
    /// Inputs of [`LoadCriticalPath`].
    pub struct In<const SLOT_BITS: usize, const PORTS: usize> {
        /// A miss starts on port p.
        start_valid: [bool; PORTS], 1;
        /// Its slot, free or freed in this cycle.
        start_slot: [u8; PORTS], SLOT_BITS, valid_by start_valid;
        /// A miss ends on port p; this is its last cycle.
        end_valid: [bool; PORTS], 1;
        /// Its slot.
        end_slot: [u8; PORTS], SLOT_BITS, valid_by end_valid;
        /// Lengthen the path by this cycle.
        advance: bool, 1;
    }
}

crate::io! {
    /// Outputs of [`LoadCriticalPath`].
    pub struct Out<const WIDTH: usize> {
        /// Length of the path in cycles.
        t_lcp: u32, WIDTH;
        /// Cycles since reset.
        cycles: u32, WIDTH;
        /// A miss is outstanding in this cycle, its first and last included.
        outstanding: bool, 1, from [start_valid, start_slot];
        /// `cycles` has wrapped since reset.
        overflow: bool, 1;
    }
}

/// A miss on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Miss {
    /// The path when it started.
    path: u32,
    /// The first cycle that it adds to the path.
    first_cycle: u32,
}

/// The path and the outstanding misses.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadCriticalPath<
    const SLOTS: usize,
    const SLOT_BITS: usize,
    const PORTS: usize,
    const WIDTH: usize,
> {
    misses: [Option<Miss>; SLOTS],
    /// How many of them there are.
    under_way: usize,
    path: u32,
    cycle: Counter<WIDTH>,
    inputs: In<SLOT_BITS, PORTS>,
}

impl<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize, const WIDTH: usize> Default
    for LoadCriticalPath<SLOTS, SLOT_BITS, PORTS, WIDTH>
{
    fn default() -> Self {
        Self {
            misses: [None; SLOTS],
            under_way: 0,
            path: 0,
            cycle: Counter::default(),
            inputs: In::default(),
        }
    }
}

/// The slots that the valid ports name, without those that do not exist.
fn named<const PORTS: usize>(
    valid: [bool; PORTS],
    slot: [u8; PORTS],
    slots: usize,
) -> impl Iterator<Item = usize> {
    (0..PORTS).filter(move |&p| valid[p]).map(move |p| slot[p] as usize).filter(move |&s| s < slots)
}

impl<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize, const WIDTH: usize>
    LoadCriticalPath<SLOTS, SLOT_BITS, PORTS, WIDTH>
{
    fn outstanding(&self) -> bool {
        let In { start_valid, start_slot, .. } = self.inputs;
        self.under_way > 0 || named(start_valid, start_slot, SLOTS).next().is_some()
    }

    /// Counters hold `WIDTH` bits.
    fn wrap(value: u32) -> u32 {
        (u64::from(value) % (1 << WIDTH)) as u32
    }
}

impl<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize, const WIDTH: usize> Unit
    for LoadCriticalPath<SLOTS, SLOT_BITS, PORTS, WIDTH>
{
    type In = In<SLOT_BITS, PORTS>;
    type Out = Out<WIDTH>;

    fn eval(&mut self, inputs: &Self::In) -> Self::Out {
        self.inputs = inputs.clone();
        Out {
            t_lcp: self.path,
            cycles: self.cycle.value(),
            outstanding: self.outstanding(),
            overflow: self.cycle.wrapped(),
        }
    }

    fn tick(&mut self) {
        let In { start_valid, start_slot, end_valid, end_slot, advance } = self.inputs.clone();
        let now = self.cycle.value();
        let before = self.path;
        if advance && self.outstanding() {
            self.path = Self::wrap(self.path.wrapping_add(1));
        }
        for slot in named(end_valid, end_slot, SLOTS) {
            if let Some(miss) = self.misses[slot].take() {
                self.under_way -= 1;
                let length = now.wrapping_add(1).wrapping_sub(miss.first_cycle);
                self.path = self.path.max(Self::wrap(miss.path.wrapping_add(length)));
            }
        }
        let first_cycle = if self.path == before { now } else { now.wrapping_add(1) };
        for slot in named(start_valid, start_slot, SLOTS) {
            if self.misses[slot].is_none() {
                self.misses[slot] = Some(Miss { path: self.path, first_cycle });
                self.under_way += 1;
            }
        }
        self.cycle.add(1);
    }

    fn repeat(&mut self, inputs: &Self::In, cycles: u64) {
        let moves = inputs.start_valid.iter().chain(&inputs.end_valid).any(|valid| *valid);
        if moves {
            return one_by_one(self, inputs, cycles);
        }
        self.inputs = inputs.clone();
        if inputs.advance && self.outstanding() {
            self.path = Self::wrap(self.path.wrapping_add(cycles as u32));
        }
        self.cycle.add(cycles);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Small = LoadCriticalPath<4, 3, 2, 10>;

    /// Cycles of `(starts, ends, advance)`; the path afterwards.
    fn path_after(cycles: &[(&[u8], &[u8], bool)]) -> u32 {
        let mut path = Small::default();
        for &(starts, ends, advance) in cycles {
            let mut inputs = In { advance, ..In::default() };
            for (p, &slot) in starts.iter().enumerate() {
                (inputs.start_valid[p], inputs.start_slot[p]) = (true, slot);
            }
            for (p, &slot) in ends.iter().enumerate() {
                (inputs.end_valid[p], inputs.end_slot[p]) = (true, slot);
            }
            path.eval(&inputs);
            path.tick();
        }
        path.eval(&In::default()).t_lcp
    }

    const NONE: (&[u8], &[u8], bool) = (&[], &[], false);

    #[test]
    fn misses_in_a_row_add_and_misses_side_by_side_do_not() {
        assert_eq!(path_after(&[(&[0], &[], false), NONE, (&[], &[0], false)]), 3);
        let row = [
            (&[0u8][..], &[][..], false),
            (&[], &[0], false),
            (&[1], &[], false),
            (&[], &[1], false),
        ];
        assert_eq!(path_after(&row), 4);
        assert_eq!(path_after(&[(&[0, 1], &[], false), (&[], &[1], false), (&[], &[0], false)]), 3);
    }

    #[test]
    fn a_miss_that_starts_where_another_ends_does_not_count_that_cycle_again() {
        // Cycles 0-1 and 1-2: three in all, though 2 + 2 by latency.
        assert_eq!(path_after(&[(&[0], &[], false), (&[1], &[0], false), (&[], &[1], false)]), 3);
        // The same through one slot, and after a stall instead of an end.
        assert_eq!(path_after(&[(&[0], &[], false), (&[0], &[0], false), (&[], &[0], false)]), 3);
        assert_eq!(path_after(&[(&[0], &[], true), (&[], &[0], false)]), 2);
    }

    #[test]
    fn illegal_inputs_change_nothing() {
        assert_eq!(path_after(&[(&[], &[0, 5], true), (&[7], &[], true)]), 0);
        // A second start of a busy slot does not move its timestamp.
        assert_eq!(
            path_after(&[(&[0], &[], false), (&[0, 0], &[], false), (&[], &[0, 0], false)]),
            3
        );
    }

    #[test]
    fn overflow_is_raised_by_the_cycle_after_the_last_number() {
        let mut path = Small::default();
        for _ in 0..1024 {
            assert!(!path.eval(&In::default()).overflow);
            path.tick();
        }
        let out = path.eval(&In::default());
        assert_eq!((out.cycles, out.overflow), (0, true));
    }
}
