//! Returns the results of each of a warp's eight clusters to the lanes their operands came from.
//!
//! Origami, re-shifting. Eight times `lane_reshift_cluster`, the inverse of `lane_shift` in the same
//! variant.

use super::lane_reshift_cluster::LaneReshiftCluster;
use crate::prelude::*;

/// 32 lanes of `W` bits in eight clusters.
#[derive(LogicBlock)]
pub struct LaneReshift<const VARIANT: usize, const W: usize> {
    pub(crate) temp_mask: Signal<In, Bits<32>>,
    pub(crate) lanes: [Signal<In, Bits<W>>; 32],
    pub(crate) restored: [Signal<Out, Bits<W>>; 32],
    cluster: [LaneReshiftCluster<VARIANT, W>; 8],
}

rtl_block! {
    LaneReshift<const VARIANT: usize, const W: usize>,
    "lane_reshift" in "lanes", combinational,
    Origami "lane re-shifting",
    "Returns the results of each of a warp's eight four-lane clusters to the lanes their operands \
     came from: the inverse of lane_shift in the same variant, from the same mask. \
     Data outside temp_mask_i means nothing.",
    input temp_mask: "lanes that took part, before the shift";
    input lanes: "result of each lane that executed";
    output restored: "results in the lanes of temp_mask";
}

impl<const VARIANT: usize, const W: usize> Default for LaneReshift<VARIANT, W> {
    fn default() -> Self {
        Self {
            temp_mask: Default::default(),
            lanes: std::array::from_fn(|_| Default::default()),
            restored: std::array::from_fn(|_| Default::default()),
            cluster: std::array::from_fn(|_| Default::default()),
        }
    }
}

impl<const VARIANT: usize, const W: usize> Logic for LaneReshift<VARIANT, W> {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..8 {
            self.cluster[i].temp_mask.next = self.temp_mask.val().get_bits::<4>(4 * i);
            for j in 0..4 {
                self.cluster[i].lanes[j].next = self.lanes[4 * i + j].val();
                self.restored[4 * i + j].next = self.cluster[i].restored[j].val();
            }
        }
    }
}
