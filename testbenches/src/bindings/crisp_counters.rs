//! `crisp_counters`: phases of misses, with runs of stalls of either kind whether legal or not.

use lanewise_sim::units::crisp_counters::{CrispCounters, In, Out};

use super::long_counts::{long_counts, SHORT_RUN};
use super::misses::{Misses, Ports};
use crate::contract::Binding;
use crate::stimulus::{Burst, Source};

/// The first bit of each counter that the stimulus does not reach, as observed: store stalls get further
/// with four ports than with two.
fn counts(store: usize) -> [(&'static str, usize); 8] {
    [
        ("cycles", 14),
        ("path.cycle", 14),
        ("t_lcp", 13),
        ("path.path", 13),
        ("load_stalls", 12),
        ("load_count", 12),
        ("store_stalls", store),
        ("store_count", store),
    ]
}

/// 164 slots, two ports, 32 bits.
pub fn binding() -> Binding<In<8, 2>, Out<32>> {
    let name = "crisp_counters";
    let block = Binding::of::<CrispCounters<164, 8, 2, 32>>(name, stimulus::<164, 8, 2>);
    long_counts(block, &counts(12))
}

/// The same with four ports.
pub fn ports_4() -> Binding<In<8, 4>, Out<32>> {
    let name = "crisp_counters__ports_4";
    let block = Binding::of::<CrispCounters<164, 8, 4, 32>>(name, stimulus::<164, 8, 4>);
    long_counts(block, &counts(13))
}

/// The variant small enough to overflow, and to be proved.
pub fn small() -> Binding<In<3, 2>, Out<5>> {
    let name = "crisp_counters__slots_4__width_5";
    Binding::of::<CrispCounters<4, 3, 2, 5>>(name, stimulus::<4, 3, 2>).case_cycles(SHORT_RUN)
}

fn stimulus<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize>(
) -> Source<In<SLOT_BITS, PORTS>> {
    let mut misses = Misses::<SLOTS, SLOT_BITS, PORTS>::new();
    let (mut load_stall, mut store_stall) = (Burst::new(6, 6), Burst::new(12, 6));
    Box::new(move |g| {
        let Ports { start_valid, start_slot, end_valid, end_slot } = misses.next(g);
        In {
            start_valid,
            start_slot,
            end_valid,
            end_slot,
            load_stall: load_stall.next(g),
            store_stall: store_stall.next(g),
        }
    })
}
