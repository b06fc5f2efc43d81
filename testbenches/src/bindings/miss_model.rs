//! `miss_model`: bursts of misses under latencies that change now and then, short ones mostly.

use lanewise_sim::units::miss_model::{In, MissModel, Out};

use super::long_counts::long_counts;
use crate::contract::Binding;
use crate::stimulus::{Burst, Source, Sticky};

/// 32 bits.
pub fn binding() -> Binding<In, Out<32>> {
    long_counts(
        Binding::of::<MissModel<32>>("miss_model", stimulus),
        &[("t_mem", 13), ("time", 13), ("misses", 10), ("count", 10)],
    )
}

/// The variant small enough to overflow.
pub fn small() -> Binding<In, Out<10>> {
    // Long enough for the count of misses to wrap, not only the time.
    Binding::of::<MissModel<10>>("miss_model__width_10", stimulus).case_cycles(50_000)
}

fn stimulus() -> Source<In> {
    let mut miss = Burst::new(4, 12);
    let mut latency = Sticky::new(100);
    Box::new(move |g| In {
        miss: miss.next(g),
        cfg_latency: latency.next(g, |g| {
            let width = g.pick(&[1, 3, 3, 6, 10]);
            g.number(width) as u16
        }),
    })
}
