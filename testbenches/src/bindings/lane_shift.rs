//! `lane_shift`: corner masks of a warp with random operands, in both variants and widths.

use lanewise_sim::units::lane_shift::{In, LaneShift, Out};
use lanewise_sim::units::lane_shift_cluster::Variant;

use crate::contract::Binding;
use crate::stimulus::Source;

/// Variant compact, 32 bits a lane.
pub fn compact() -> Binding<In<32>, Out<32>> {
    Binding::new("lane_shift", || Box::new(LaneShift::new(Variant::Compact)), stimulus)
}

/// Variant compact, one bit a lane.
pub fn compact_width_1() -> Binding<In<1>, Out<1>> {
    Binding::new("lane_shift__width_1", || Box::new(LaneShift::new(Variant::Compact)), stimulus)
}

/// Variant fold, 32 bits a lane.
pub fn fold() -> Binding<In<32>, Out<32>> {
    Binding::new("lane_shift__variant_fold", || Box::new(LaneShift::new(Variant::Fold)), stimulus)
}

/// Variant fold, one bit a lane.
pub fn fold_width_1() -> Binding<In<1>, Out<1>> {
    Binding::new(
        "lane_shift__variant_fold__width_1",
        || Box::new(LaneShift::new(Variant::Fold)),
        stimulus,
    )
}

fn stimulus<const W: usize>() -> Source<In<W>> {
    Box::new(|g| In { temp_mask: g.mask32(), data: std::array::from_fn(|_| g.bits(W) as u32) })
}
