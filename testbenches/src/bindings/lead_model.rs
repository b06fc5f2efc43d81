//! `lead_model`: phases of misses.

use lanewise_sim::units::lead_model::{In, LeadModel, Out};

use super::long_counts::{long_counts, SHORT_RUN};
use super::misses::{Misses, Ports};
use crate::contract::{Binding, Machine, StateOf};
use crate::stimulus::Source;

/// 164 slots, two ports, 32 bits.
pub fn binding() -> Binding<In<8, 2>, Out<32>> {
    long_counts(
        Binding::of::<LeadModel<164, 8, 2, 32>>("lead_model", stimulus::<164, 8, 2>),
        &[("t_mem", 13), ("time", 13)],
    )
    .machine(machine())
}

/// The variant small enough to overflow.
pub fn small() -> Binding<In<3, 2>, Out<5>> {
    Binding::of::<LeadModel<4, 3, 2, 5>>("lead_model__slots_4__width_5", stimulus::<4, 3, 2>)
        .case_cycles(SHORT_RUN)
        .machine(machine())
        .except("leader", 2..3, "slots 4 to 7 do not exist, so none of them leads")
}

/// Whether there is a leader at the start of the cycle.
fn machine<const WIDTH: usize>() -> Machine<Out<WIDTH>> {
    Machine {
        states: &["NoLeader", "Led"],
        of: StateOf::Registers(|registers| vec![registers.get("led") as usize]),
        transitions: vec![(0, 1), (1, 0)],
    }
}

fn stimulus<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize>(
) -> Source<In<SLOT_BITS, PORTS>> {
    let mut misses = Misses::<SLOTS, SLOT_BITS, PORTS>::new();
    Box::new(move |g| {
        let Ports { start_valid, start_slot, end_valid, end_slot } = misses.next(g);
        In { start_valid, start_slot, end_valid, end_slot }
    })
}
