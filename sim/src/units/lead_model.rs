//! Counts the cycles that a leading load is outstanding: the memory time of the LEAD model.
//!
//! CRISP, section 2.1. With no leader the next miss that starts leads, that of the first port if several
//! do; one that starts in the leader's last cycle does not. A slot that does not exist and ends of other
//! misses are ignored. Reset state: no leader, 0.

use super::counter::Counter;
use super::{one_by_one, Unit};

crate::io! {
    /// Inputs of [`LeadModel`].
    pub struct In<const SLOT_BITS: usize, const PORTS: usize> {
        /// A miss starts on port p.
        start_valid: [bool; PORTS], 1;
        /// Its slot.
        start_slot: [u8; PORTS], SLOT_BITS, valid_by start_valid;
        /// A miss ends on port p; this is its last cycle.
        end_valid: [bool; PORTS], 1;
        /// Its slot.
        end_slot: [u8; PORTS], SLOT_BITS, valid_by end_valid;
    }
}

crate::io! {
    /// Outputs of [`LeadModel`].
    pub struct Out<const WIDTH: usize> {
        /// Cycles with a leading load outstanding.
        t_mem: u32, WIDTH;
        /// A leading load is outstanding in this cycle, its first and last included.
        leading: bool, 1, from [start_valid, start_slot];
        /// `t_mem` has wrapped since reset.
        overflow: bool, 1;
    }
}

/// The leader's slot and the counter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeadModel<
    const SLOTS: usize,
    const SLOT_BITS: usize,
    const PORTS: usize,
    const WIDTH: usize,
> {
    leader: Option<u8>,
    t_mem: Counter<WIDTH>,
    inputs: In<SLOT_BITS, PORTS>,
}

impl<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize, const WIDTH: usize>
    LeadModel<SLOTS, SLOT_BITS, PORTS, WIDTH>
{
    /// The miss of this cycle that leads if none does.
    fn candidate(&self) -> Option<u8> {
        let In { start_valid, start_slot, .. } = self.inputs;
        (0..PORTS)
            .find(|&p| start_valid[p] && usize::from(start_slot[p]) < SLOTS)
            .map(|p| start_slot[p])
    }
}

impl<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize, const WIDTH: usize> Unit
    for LeadModel<SLOTS, SLOT_BITS, PORTS, WIDTH>
{
    type In = In<SLOT_BITS, PORTS>;
    type Out = Out<WIDTH>;

    fn eval(&mut self, inputs: &Self::In) -> Self::Out {
        self.inputs = inputs.clone();
        Out {
            t_mem: self.t_mem.value(),
            leading: self.leader.or(self.candidate()).is_some(),
            overflow: self.t_mem.wrapped(),
        }
    }

    fn repeat(&mut self, inputs: &Self::In, cycles: u64) {
        if inputs.start_valid.iter().chain(&inputs.end_valid).any(|valid| *valid) {
            return one_by_one(self, inputs, cycles);
        }
        self.t_mem.add(u64::from(self.leader.is_some()) * cycles);
    }

    fn tick(&mut self) {
        let In { end_valid, end_slot, .. } = self.inputs;
        let leading = self.leader.or(self.candidate());
        self.t_mem.add(leading.is_some().into());
        let returns = (0..PORTS).any(|p| end_valid[p] && self.leader == Some(end_slot[p]));
        self.leader = if returns { None } else { leading };
    }

    fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cycles of `(start, end)`; the memory time afterwards.
    fn t_mem(cycles: &[(Option<u8>, Option<u8>)]) -> u32 {
        let mut model = LeadModel::<4, 3, 2, 10>::default();
        for &(start, end) in cycles {
            model.eval(&In {
                start_valid: [false, start.is_some()],
                start_slot: [0, start.unwrap_or(0)],
                end_valid: [end.is_some(), false],
                end_slot: [end.unwrap_or(0), 0],
            });
            model.tick();
        }
        model.eval(&In::default()).t_mem
    }

    #[test]
    fn the_next_miss_after_the_leader_returned_leads() {
        // Slot 1 starts under slot 0 and does not lead; slot 2 starts after it and does.
        let cycles =
            [(Some(0), None), (Some(1), Some(0)), (None, None), (Some(2), None), (None, Some(2))];
        assert_eq!(t_mem(&cycles), 4);
    }

    #[test]
    fn ends_of_others_and_slots_that_do_not_exist_are_ignored() {
        assert_eq!(
            t_mem(&[(Some(4), None), (None, Some(4)), (Some(1), Some(1)), (None, Some(2))]),
            2
        );
    }

    #[test]
    fn the_first_port_leads_if_two_misses_start() {
        let mut model = LeadModel::<4, 3, 2, 10>::default();
        let both = In { start_valid: [true; 2], start_slot: [3, 1], ..In::default() };
        model.eval(&both);
        model.tick();
        assert_eq!(model.leader, Some(3));
    }

    #[test]
    fn cycles_at_once_are_cycles_one_by_one() {
        let [mut single, mut bulk] = [LeadModel::<4, 3, 2, 10>::default(), Default::default()];
        for n in 0..60u64 {
            let inputs = In {
                start_valid: [n % 6 == 0, false],
                end_valid: [n % 6 == 3, false],
                ..In::default()
            };
            for _ in 0..n % 4 {
                single.eval(&inputs);
                single.tick();
            }
            bulk.repeat(&inputs, n % 4);
            assert_eq!(single.eval(&In::default()), bulk.eval(&In::default()), "step {n}");
        }
    }
}
