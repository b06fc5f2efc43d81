//! `reshift_stage`: results that come in bursts, of whole warps and of halves.

use lanewise_sim::units::lane_shift_cluster::Variant;
use lanewise_sim::units::reshift_stage::{In, Out, ReshiftStage};

use crate::contract::Binding;
use crate::stimulus::{Burst, Source};

/// Variant compact.
pub fn compact() -> Binding<In, Out> {
    Binding::new("reshift_stage", || Box::new(ReshiftStage::new(Variant::Compact)), stimulus)
}

/// Variant fold.
pub fn fold() -> Binding<In, Out> {
    Binding::new(
        "reshift_stage__variant_fold",
        || Box::new(ReshiftStage::new(Variant::Fold)),
        stimulus,
    )
}

fn stimulus() -> Source<In> {
    let mut valid = Burst::new(30, 3);
    Box::new(move |g| In {
        execute_valid: valid.next(g),
        execute_tag: g.bits(8) as u8,
        execute_folded: g.once_in(2),
        execute_last: g.once_in(2),
        temp_mask: g.mask32(),
        result: std::array::from_fn(|_| g.bits(32) as u32),
        result_flag: g.bits(32) as u32,
    })
}
