//! `shift_stage`: warps that come in bursts, whole or in halves, sometimes a half that does not exist.

use lanewise_sim::units::lane_shift_cluster::Variant;
use lanewise_sim::units::shift_stage::{In, Out, ShiftStage};

use crate::contract::Binding;
use crate::stimulus::{Burst, Gen, Source, Sticky};

/// Variant compact.
pub fn compact() -> Binding<In, Out> {
    Binding::new("shift_stage", || Box::new(ShiftStage::new(Variant::Compact)), stimulus)
}

/// Variant fold.
pub fn fold() -> Binding<In, Out> {
    Binding::new("shift_stage__variant_fold", || Box::new(ShiftStage::new(Variant::Fold)), stimulus)
}

fn stimulus() -> Source<In> {
    let mut valid = Burst::new(30, 3);
    let mut elision = Sticky::new(50);
    // A warp stays for its second half, as issue would keep it.
    let mut active_mask = Sticky::new(2);
    let operand = |g: &mut Gen| std::array::from_fn(|_| g.bits(32) as u32);
    Box::new(move |g| In {
        issue_valid: valid.next(g),
        issue_tag: g.bits(8) as u8,
        active_mask: active_mask.next(g, |g| g.mask32()),
        split: !g.once_in(4),
        sub_warp: g.once_in(2),
        operand_a: operand(g),
        operand_b: operand(g),
        operand_c: operand(g),
        operand_flag: g.bits(32) as u32,
        cfg_elision: elision.next(g, |g| g.bits(2) as u8),
    })
}
