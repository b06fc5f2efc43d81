//! Returns the results of one cluster to the lanes their operands came from.
//!
//! Origami, re-shifting. The inverse of `lane_shift_cluster`, from the same mask: that mask travels
//! down the pipe with the operands, so nothing else has to remember where a lane went. A result only
//! ever moves to the right, so lane k chooses among lanes 0 to k and lane 0 needs no multiplexer. Data
//! outside `temp_mask` means nothing.

use super::variant::{self, logic_by_variant};
use crate::prelude::*;

/// Four lanes of `W` bits.
#[derive(LogicBlock)]
pub struct LaneReshiftCluster<const VARIANT: usize, const W: usize> {
    pub(crate) temp_mask: Signal<In, Bits<4>>,
    pub(crate) lanes: [Signal<In, Bits<W>>; 4],
    pub(crate) restored: [Signal<Out, Bits<W>>; 4],
    left_any: Signal<Local, Bit>,
}

rtl_block! {
    LaneReshiftCluster<const VARIANT: usize, const W: usize>,
    "lane_reshift_cluster" in "lanes", combinational,
    Origami "lane re-shifting",
    "Returns the results of a four-lane cluster to the lanes their operands came from: \
     the inverse of lane_shift_cluster in the same variant, from the same mask. \
     Data outside temp_mask_i means nothing.",
    input temp_mask: "lanes that took part, before the shift";
    input lanes: "result of each lane that executed";
    output restored: "results in the lanes of temp_mask";
}

impl<const VARIANT: usize, const W: usize> Default for LaneReshiftCluster<VARIANT, W> {
    fn default() -> Self {
        Self {
            temp_mask: Default::default(),
            lanes: std::array::from_fn(|_| Default::default()),
            restored: std::array::from_fn(|_| Default::default()),
            left_any: Default::default(),
        }
    }
}

logic_by_variant!(LaneReshiftCluster);

impl<const VARIANT: usize, const W: usize> variant::Compact for LaneReshiftCluster<VARIANT, W> {
    #[hdl_gen]
    fn update(&mut self) {
        self.left_any.next = self.temp_mask.val().get_bit(0) | self.temp_mask.val().get_bit(1);
        comment!(
            "A lane went to the place that counts the active lanes on its left: 0 for lane 0."
        );
        self.restored[0].next = self.lanes[0].val();
        if self.temp_mask.val().get_bit(1) & !self.temp_mask.val().get_bit(0) {
            self.restored[1].next = self.lanes[0].val();
        } else {
            self.restored[1].next = self.lanes[1].val();
        }
        comment!("An idle lane keeps what is in its place.");
        if !self.temp_mask.val().get_bit(2)
            | (self.temp_mask.val().get_bit(0) & self.temp_mask.val().get_bit(1))
        {
            self.restored[2].next = self.lanes[2].val();
        } else if self.left_any.val() {
            self.restored[2].next = self.lanes[1].val();
        } else {
            self.restored[2].next = self.lanes[0].val();
        }
        comment!("Lane 3 has three, two, one or no active lanes on its left.");
        if !self.temp_mask.val().get_bit(3)
            | (self.temp_mask.val().get_bit(0)
                & self.temp_mask.val().get_bit(1)
                & self.temp_mask.val().get_bit(2))
        {
            self.restored[3].next = self.lanes[3].val();
        } else if (self.temp_mask.val().get_bit(0) & self.temp_mask.val().get_bit(1))
            | (self.left_any.val() & self.temp_mask.val().get_bit(2))
        {
            self.restored[3].next = self.lanes[2].val();
        } else if self.left_any.val() | self.temp_mask.val().get_bit(2) {
            self.restored[3].next = self.lanes[1].val();
        } else {
            self.restored[3].next = self.lanes[0].val();
        }
    }
}

impl<const VARIANT: usize, const W: usize> variant::Fold for LaneReshiftCluster<VARIANT, W> {
    #[hdl_gen]
    fn update(&mut self) {
        self.left_any.next = self.temp_mask.val().get_bit(0) | self.temp_mask.val().get_bit(1);
        comment!(
            "Lanes 0 and 1 are wires; lanes 2 and 3 choose between their own result and theirs."
        );
        self.restored[0].next = self.lanes[0].val();
        self.restored[1].next = self.lanes[1].val();
        if self.left_any.val()
            | !(self.temp_mask.val().get_bit(2) | self.temp_mask.val().get_bit(3))
        {
            self.restored[2].next = self.lanes[2].val();
            self.restored[3].next = self.lanes[3].val();
        } else {
            self.restored[2].next = self.lanes[0].val();
            self.restored[3].next = self.lanes[1].val();
        }
    }
}
