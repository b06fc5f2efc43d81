//! Keeps the three counters from which CRISP predicts run time at another frequency.
//!
//! CRISP, section 3.6. A stall with a miss outstanding is a load's, one without is a store's; the other
//! combination is illegal and counts nothing. Until overflow `load_stalls <= t_lcp` and
//! `t_lcp + store_stalls <= cycles`. Reset state: no miss outstanding, every counter 0.

use super::counter::Counter;
use super::load_critical_path::{self, LoadCriticalPath};
use super::{one_by_one, Unit};

crate::io! {
    /// Inputs of [`CrispCounters`].
    pub struct In<const SLOT_BITS: usize, const PORTS: usize> {
        /// A miss starts on port p.
        start_valid: [bool; PORTS], 1;
        /// Its slot, free or freed in this cycle.
        start_slot: [u8; PORTS], SLOT_BITS, valid_by start_valid;
        /// A miss ends on port p; this is its last cycle.
        end_valid: [bool; PORTS], 1;
        /// Its slot.
        end_slot: [u8; PORTS], SLOT_BITS, valid_by end_valid;
        /// The cycle is lost to a load.
        load_stall: bool, 1;
        /// The cycle is lost to stores.
        store_stall: bool, 1;
    }
}

crate::io! {
    /// Outputs of [`CrispCounters`].
    pub struct Out<const WIDTH: usize> {
        /// Adjusted load critical path.
        t_lcp: u32, WIDTH;
        /// Cycles lost to loads.
        load_stalls: u32, WIDTH;
        /// Cycles lost to stores.
        store_stalls: u32, WIDTH;
        /// Cycles since reset.
        cycles: u32, WIDTH;
        /// A miss is outstanding in this cycle, its first and last included.
        outstanding: bool, 1, from [start_valid, start_slot];
        /// `cycles` has wrapped since reset.
        overflow: bool, 1;
    }
}

/// The counters of one SM.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrispCounters<
    const SLOTS: usize,
    const SLOT_BITS: usize,
    const PORTS: usize,
    const WIDTH: usize,
> {
    path: LoadCriticalPath<SLOTS, SLOT_BITS, PORTS, WIDTH>,
    load_stalls: Counter<WIDTH>,
    store_stalls: Counter<WIDTH>,
    load_stall: bool,
    store_stall: bool,
}

impl<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize, const WIDTH: usize> Unit
    for CrispCounters<SLOTS, SLOT_BITS, PORTS, WIDTH>
{
    type In = In<SLOT_BITS, PORTS>;
    type Out = Out<WIDTH>;

    fn eval(&mut self, inputs: &Self::In) -> Self::Out {
        let path = self.path.eval(&load_critical_path::In {
            start_valid: inputs.start_valid,
            start_slot: inputs.start_slot,
            end_valid: inputs.end_valid,
            end_slot: inputs.end_slot,
            advance: inputs.load_stall,
        });
        self.load_stall = inputs.load_stall && path.outstanding;
        self.store_stall = inputs.store_stall && !path.outstanding;
        Out {
            t_lcp: path.t_lcp,
            load_stalls: self.load_stalls.value(),
            store_stalls: self.store_stalls.value(),
            cycles: path.cycles,
            outstanding: path.outstanding,
            overflow: path.overflow,
        }
    }

    fn repeat(&mut self, inputs: &Self::In, cycles: u64) {
        let In { start_valid, end_valid, .. } = inputs;
        if cycles == 0 || start_valid.iter().chain(end_valid).any(|valid| *valid) {
            return one_by_one(self, inputs, cycles);
        }
        self.eval(inputs);
        self.path.repeat(
            &load_critical_path::In { advance: inputs.load_stall, ..Default::default() },
            cycles,
        );
        self.load_stalls.add(u64::from(self.load_stall) * cycles);
        self.store_stalls.add(u64::from(self.store_stall) * cycles);
    }

    fn tick(&mut self) {
        self.path.tick();
        self.load_stalls.add(self.load_stall.into());
        self.store_stalls.add(self.store_stall.into());
    }

    fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stall_counts_for_loads_or_for_stores_never_for_both() {
        let mut counters = CrispCounters::<4, 3, 2, 10>::default();
        let stalled = In { load_stall: true, store_stall: true, ..In::default() };
        // No miss: a store stall. A miss in its first cycle: a load stall.
        counters.eval(&stalled);
        counters.tick();
        counters.eval(&In { start_valid: [true, false], ..stalled });
        counters.tick();
        let out = counters.eval(&In::default());
        assert_eq!((out.load_stalls, out.store_stalls, out.t_lcp, out.cycles), (1, 1, 1, 2));
    }

    #[test]
    fn cycles_at_once_are_cycles_one_by_one() {
        let [mut single, mut bulk] = [CrispCounters::<4, 3, 2, 10>::default(), Default::default()];
        for n in 0..200u64 {
            let starts = n % 7 == 0;
            let ends = n % 7 == 4;
            let inputs = In {
                start_valid: [starts, false],
                start_slot: [(n % 3) as u8, 0],
                end_valid: [false, ends],
                end_slot: [0, ((n - n % 7) % 3) as u8],
                load_stall: n % 2 == 0,
                store_stall: n % 5 < 2,
            };
            let cycles = if starts || ends { 1 } else { n % 23 };
            for _ in 0..cycles {
                single.eval(&inputs);
                single.tick();
            }
            bulk.repeat(&inputs, cycles);
            assert_eq!(single.eval(&In::default()), bulk.eval(&In::default()), "step {n}");
        }
        assert!(bulk.eval(&In::default()).overflow, "the counters have wrapped on the way");
    }
}
