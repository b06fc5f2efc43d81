//! `crisp_plus`: loads and stalls in bursts, whether they fit together or not, with warps that wait for a while.

use lanewise_sim::units::crisp_plus::{CrispPlus, In, Out};

use super::long_counts::long_counts;
use crate::contract::Binding;
use crate::stimulus::{Burst, Source, Sticky};

/// The first bit of each counter that the stimulus does not reach, as observed.
const COUNTS: [(&str, usize); 14] = [
    ("active_cycles", 14),
    ("cycle_count", 14),
    ("stalls", 14),
    ("stall_count", 14),
    ("idle_under_loads", 10),
    ("idle_count", 10),
    ("single_under_loads", 10),
    ("single_count", 10),
    ("blocked_cycles", 14),
    ("blocked_count", 14),
    ("live_warps", 19),
    ("live_sum", 19),
    ("computing_warps", 18),
    ("computing_sum", 18),
];

/// As many warps as a machine may have.
pub fn warps_64() -> Binding<In<64>, Out<32>> {
    long_counts(Binding::of::<CrispPlus<64, 32>>("crisp_plus", stimulus), &COUNTS)
}

/// The GTX480's.
pub fn warps_48() -> Binding<In<48>, Out<32>> {
    long_counts(Binding::of::<CrispPlus<48, 32>>("crisp_plus__warps_48", stimulus), &COUNTS)
}

/// The variant small enough to overflow, and to be proved.
pub fn small() -> Binding<In<4>, Out<5>> {
    Binding::of::<CrispPlus<4, 5>>("crisp_plus__warps_4__width_5", stimulus)
}

fn stimulus<const WARPS: usize>() -> Source<In<WARPS>> {
    let (mut active, mut loads) = (Burst::new(60, 6), Burst::new(20, 20));
    let (mut load_stall, mut store_stall) = (Burst::new(12, 6), Burst::new(12, 6));
    let mut blocked = Burst::new(20, 10);
    let (mut live, mut computing) = (Sticky::new(8), Sticky::new(4));
    Box::new(move |g| In {
        active: active.next(g),
        issued: g.bits(2) as u8,
        load_outstanding: loads.next(g),
        load_stall: load_stall.next(g),
        store_stall: store_stall.next(g),
        memory_blocked: blocked.next(g),
        live: live.next(g, |g| g.mask(WARPS)),
        computing: computing.next(g, |g| g.mask(WARPS)),
    })
}
