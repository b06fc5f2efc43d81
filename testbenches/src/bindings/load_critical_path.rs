//! `load_critical_path`: phases of misses, with runs of stalls.

use lanewise_sim::units::load_critical_path::{In, LoadCriticalPath, Out};

use super::long_counts::{long_counts, SHORT_RUN};
use super::misses::{Misses, Ports};
use crate::contract::Binding;
use crate::stimulus::{Burst, Source};

const COUNTS: &[(&str, usize)] = &[("cycles", 14), ("cycle", 14), ("t_lcp", 13), ("path", 13)];

/// 164 slots, two ports, 32 bits.
pub fn binding() -> Binding<In<8, 2>, Out<32>> {
    let name = "load_critical_path";
    long_counts(Binding::of::<LoadCriticalPath<164, 8, 2, 32>>(name, stimulus::<164, 8, 2>), COUNTS)
}

/// The same with four ports.
pub fn ports_4() -> Binding<In<8, 4>, Out<32>> {
    let name = "load_critical_path__ports_4";
    long_counts(Binding::of::<LoadCriticalPath<164, 8, 4, 32>>(name, stimulus::<164, 8, 4>), COUNTS)
}

/// The variant small enough to overflow, and to be proved.
pub fn small() -> Binding<In<3, 2>, Out<5>> {
    let name = "load_critical_path__slots_4__width_5";
    Binding::of::<LoadCriticalPath<4, 3, 2, 5>>(name, stimulus::<4, 3, 2>).case_cycles(SHORT_RUN)
}

fn stimulus<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize>(
) -> Source<In<SLOT_BITS, PORTS>> {
    let mut misses = Misses::<SLOTS, SLOT_BITS, PORTS>::new();
    let mut stall = Burst::new(6, 6);
    Box::new(move |g| {
        let Ports { start_valid, start_slot, end_valid, end_slot } = misses.next(g);
        In { start_valid, start_slot, end_valid, end_slot, advance: stall.next(g) }
    })
}
