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
        }
    }
}

logic_by_variant!(LaneReshiftCluster);

impl<const VARIANT: usize, const W: usize> variant::Compact for LaneReshiftCluster<VARIANT, W> {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The k-th active lane takes from lane k; an idle lane keeps what is there. 10 is lanes 1 and 3.");
        for i in 0..4 {
            self.restored[i].next = self.lanes[i].val();
        }
        match self.temp_mask.val().index() {
            2 => self.restored[1].next = self.lanes[0].val(),
            4 => self.restored[2].next = self.lanes[0].val(),
            5 => self.restored[2].next = self.lanes[1].val(),
            6 => {
                self.restored[1].next = self.lanes[0].val();
                self.restored[2].next = self.lanes[1].val();
            }
            8 => self.restored[3].next = self.lanes[0].val(),
            9 => self.restored[3].next = self.lanes[1].val(),
            10 => {
                self.restored[1].next = self.lanes[0].val();
                self.restored[3].next = self.lanes[1].val();
            }
            11 => self.restored[3].next = self.lanes[2].val(),
            12 => {
                self.restored[2].next = self.lanes[0].val();
                self.restored[3].next = self.lanes[1].val();
            }
            13 => {
                self.restored[2].next = self.lanes[1].val();
                self.restored[3].next = self.lanes[2].val();
            }
            14 => {
                self.restored[1].next = self.lanes[0].val();
                self.restored[2].next = self.lanes[1].val();
                self.restored[3].next = self.lanes[2].val();
            }
            _ => {}
        }
    }
}

impl<const VARIANT: usize, const W: usize> variant::Fold for LaneReshiftCluster<VARIANT, W> {
    #[hdl_gen]
    fn update(&mut self) {
        comment!(
            "Lanes 0 and 1 are wires; lanes 2 and 3 choose between their own result and theirs."
        );
        self.restored[0].next = self.lanes[0].val();
        self.restored[1].next = self.lanes[1].val();
        if self.temp_mask.val().get_bit(0)
            | self.temp_mask.val().get_bit(1)
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
