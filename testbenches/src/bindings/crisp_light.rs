//! `crisp_light`: loads and stalls in bursts, whether they fit together or not.

use lanewise_sim::units::crisp_light::{CrispLight, In, Out};

use super::long_counts::long_counts;
use crate::contract::Binding;
use crate::stimulus::{Burst, Source};

/// 32 bits.
pub fn binding() -> Binding<In, Out<32>> {
    long_counts(
        Binding::of::<CrispLight<32>>("crisp_light", stimulus),
        &[
            ("lcp", 14),
            ("path", 14),
            ("load_stalls", 13),
            ("load_count", 13),
            ("store_stalls", 13),
            ("store_count", 13),
        ],
    )
}

/// The variant small enough to overflow.
pub fn small() -> Binding<In, Out<10>> {
    Binding::of::<CrispLight<10>>("crisp_light__width_10", stimulus)
}

fn stimulus() -> Source<In> {
    let (mut load, mut load_stall, mut store_stall) =
        (Burst::new(20, 20), Burst::new(12, 6), Burst::new(12, 6));
    Box::new(move |g| In {
        load_outstanding: load.next(g),
        load_stall: load_stall.next(g),
        store_stall: store_stall.next(g),
    })
}
