//! `crit_model`: phases of misses.

use lanewise_sim::units::crit_model::{CritModel, In, Out};

use super::long_counts::{long_counts, SHORT_RUN};
use super::misses::{Misses, Ports};
use crate::contract::Binding;
use crate::stimulus::Source;

/// 164 slots, two ports, 32 bits.
pub fn binding() -> Binding<In<8, 2>, Out<32>> {
    long_counts(
        Binding::of::<CritModel<164, 8, 2, 32>>("crit_model", stimulus::<164, 8, 2>),
        &[("cycles", 14), ("path.cycle", 14), ("t_mem", 14), ("path.path", 14)],
    )
}

/// The variant small enough to overflow.
pub fn small() -> Binding<In<3, 2>, Out<5>> {
    Binding::of::<CritModel<4, 3, 2, 5>>("crit_model__slots_4__width_5", stimulus::<4, 3, 2>)
        .case_cycles(SHORT_RUN)
}

fn stimulus<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize>(
) -> Source<In<SLOT_BITS, PORTS>> {
    let mut misses = Misses::<SLOTS, SLOT_BITS, PORTS>::new();
    Box::new(move |g| {
        let Ports { start_valid, start_slot, end_valid, end_slot } = misses.next(g);
        In { start_valid, start_slot, end_valid, end_slot }
    })
}
