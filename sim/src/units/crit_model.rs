//! Measures the longest chain of dependent load misses: the memory time of the CRIT model.
//!
//! CRISP, section 2.1: [`LoadCriticalPath`] without the stall increment. Reset state: no miss
//! outstanding, counters 0.

use super::load_critical_path::{self, LoadCriticalPath};
use super::Unit;

crate::io! {
    /// Inputs of [`CritModel`].
    pub struct In<const SLOT_BITS: usize, const PORTS: usize> {
        /// A miss starts on port p.
        start_valid: [bool; PORTS], 1;
        /// Its slot, free or freed in this cycle.
        start_slot: [u8; PORTS], SLOT_BITS, valid_by start_valid;
        /// A miss ends on port p; this is its last cycle.
        end_valid: [bool; PORTS], 1;
        /// Its slot.
        end_slot: [u8; PORTS], SLOT_BITS, valid_by end_valid;
    }
}

crate::io! {
    /// Outputs of [`CritModel`].
    pub struct Out<const WIDTH: usize> {
        /// Length of the longest chain in cycles.
        t_mem: u32, WIDTH;
        /// Cycles since reset.
        cycles: u32, WIDTH;
        /// A miss is outstanding in this cycle, its first and last included.
        outstanding: bool, 1, from [start_valid, start_slot];
        /// `cycles` has wrapped since reset.
        overflow: bool, 1;
    }
}

/// The critical path of one SM.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CritModel<
    const SLOTS: usize,
    const SLOT_BITS: usize,
    const PORTS: usize,
    const WIDTH: usize,
> {
    path: LoadCriticalPath<SLOTS, SLOT_BITS, PORTS, WIDTH>,
}

impl<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize, const WIDTH: usize> Unit
    for CritModel<SLOTS, SLOT_BITS, PORTS, WIDTH>
{
    type In = In<SLOT_BITS, PORTS>;
    type Out = Out<WIDTH>;

    fn eval(&mut self, inputs: &Self::In) -> Self::Out {
        let path = self.path.eval(&load_critical_path::In {
            start_valid: inputs.start_valid,
            start_slot: inputs.start_slot,
            end_valid: inputs.end_valid,
            end_slot: inputs.end_slot,
            advance: false,
        });
        Out {
            t_mem: path.t_lcp,
            cycles: path.cycles,
            outstanding: path.outstanding,
            overflow: path.overflow,
        }
    }

    fn repeat(&mut self, inputs: &Self::In, cycles: u64) {
        let path = load_critical_path::In {
            start_valid: inputs.start_valid,
            start_slot: inputs.start_slot,
            end_valid: inputs.end_valid,
            end_slot: inputs.end_slot,
            advance: false,
        };
        self.path.repeat(&path, cycles);
    }

    fn tick(&mut self) {
        self.path.tick();
    }

    fn reset(&mut self) {
        self.path.reset();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_two_misses_is_as_long_as_both() {
        let mut model = CritModel::<4, 3, 2, 10>::default();
        let starts = |port| In { start_valid: [port == 0, port == 1], ..In::default() };
        let ends = In { end_valid: [true, false], ..In::default() };
        for inputs in [starts(0), In::default(), ends.clone(), starts(1), ends] {
            model.eval(&inputs);
            model.tick();
        }
        assert_eq!(model.eval(&In::default()).t_mem, 5);
    }
}
