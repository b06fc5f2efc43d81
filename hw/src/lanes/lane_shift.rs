//! Moves the active lanes of each of a warp's eight clusters to the left.
//!
//! Origami, lane shifting. Clusters do not exchange data, so 32 lanes are eight times
//! `lane_shift_cluster`; see there for what each variant moves.

use super::lane_shift_cluster::LaneShiftCluster;
use crate::prelude::*;

/// 32 lanes of `W` bits in eight clusters.
#[derive(LogicBlock)]
pub struct LaneShift<const VARIANT: usize, const W: usize> {
    pub(crate) temp_mask: Signal<In, Bits<32>>,
    pub(crate) data: [Signal<In, Bits<W>>; 32],
    pub(crate) lane_mask: Signal<Out, Bits<32>>,
    pub(crate) shifted: [Signal<Out, Bits<W>>; 32],
    cluster: [LaneShiftCluster<VARIANT, W>; 8],
}

rtl_block! {
    LaneShift<const VARIANT: usize, const W: usize>,
    "lane_shift" in "lanes", combinational,
    Origami "lane shifting",
    "Moves the active lanes of each of a warp's eight four-lane clusters to the left, their data \
     with them. Variant compact takes the k-th active lane of a cluster to its lane k; variant fold \
     takes lanes 2 and 3 to lanes 0 and 1 if those are idle and moves nothing else. \
     Data outside lane_mask_o means nothing.",
    input temp_mask: "lanes that take part";
    input data: "operand of each lane";
    output lane_mask: "lanes that hold an operand after the shift";
    output shifted: "operands after the shift";
}

impl<const VARIANT: usize, const W: usize> Default for LaneShift<VARIANT, W> {
    fn default() -> Self {
        Self {
            temp_mask: Default::default(),
            data: std::array::from_fn(|_| Default::default()),
            lane_mask: Default::default(),
            shifted: std::array::from_fn(|_| Default::default()),
            cluster: std::array::from_fn(|_| Default::default()),
        }
    }
}

impl<const VARIANT: usize, const W: usize> Logic for LaneShift<VARIANT, W> {
    #[hdl_gen]
    fn update(&mut self) {
        self.lane_mask.next = 0.into();
        for i in 0..8 {
            self.cluster[i].temp_mask.next = self.temp_mask.val().get_bits::<4>(4 * i);
            for j in 0..4 {
                self.cluster[i].data[j].next = self.data[4 * i + j].val();
                self.shifted[4 * i + j].next = self.cluster[i].shifted[j].val();
                self.lane_mask.next = self
                    .lane_mask
                    .val()
                    .replace_bit(4 * i + j, self.cluster[i].lane_mask.val().get_bit(j));
            }
        }
    }
}
