//! `stall_model`: stalls in bursts.

use lanewise_sim::units::stall_model::{In, Out, StallModel};

use super::long_counts::long_counts;
use crate::contract::Binding;
use crate::stimulus::{Burst, Source};

/// 32 bits.
pub fn binding() -> Binding<In, Out<32>> {
    long_counts(
        Binding::of::<StallModel<32>>("stall_model", stimulus),
        &[("t_mem", 13), ("count", 13)],
    )
}

/// The variant small enough to overflow.
pub fn small() -> Binding<In, Out<10>> {
    Binding::of::<StallModel<10>>("stall_model__width_10", stimulus)
}

fn stimulus() -> Source<In> {
    let mut stall = Burst::new(9, 9);
    Box::new(move |g| In { load_stall: stall.next(g) })
}
