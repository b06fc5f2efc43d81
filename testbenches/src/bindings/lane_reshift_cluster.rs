//! `lane_reshift_cluster`: every mask of a cluster with random results, in both variants and widths.

use lanewise_sim::units::lane_reshift_cluster::{In, LaneReshiftCluster, Out};
use lanewise_sim::units::lane_shift_cluster::Variant;

use crate::contract::Binding;
use crate::stimulus::Source;

/// Variant compact, 32 bits a lane.
pub fn compact() -> Binding<In<32>, Out<32>> {
    Binding::new(
        "lane_reshift_cluster",
        || Box::new(LaneReshiftCluster::new(Variant::Compact)),
        stimulus,
    )
}

/// Variant compact, one bit a lane.
pub fn compact_width_1() -> Binding<In<1>, Out<1>> {
    Binding::new(
        "lane_reshift_cluster__width_1",
        || Box::new(LaneReshiftCluster::new(Variant::Compact)),
        stimulus,
    )
}

/// Variant fold, 32 bits a lane.
pub fn fold() -> Binding<In<32>, Out<32>> {
    Binding::new(
        "lane_reshift_cluster__variant_fold",
        || Box::new(LaneReshiftCluster::new(Variant::Fold)),
        stimulus,
    )
}

/// Variant fold, one bit a lane.
pub fn fold_width_1() -> Binding<In<1>, Out<1>> {
    Binding::new(
        "lane_reshift_cluster__variant_fold__width_1",
        || Box::new(LaneReshiftCluster::new(Variant::Fold)),
        stimulus,
    )
}

fn stimulus<const W: usize>() -> Source<In<W>> {
    Box::new(|g| In {
        temp_mask: g.mask(4) as u8,
        lanes: std::array::from_fn(|_| g.bits(W) as u32),
    })
}
