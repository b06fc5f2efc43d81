//! Packs the active lanes of one cluster to the left, their data with them.

use crate::prelude::*;

/// Four lanes of `W` bits: the k-th active lane moves to lane k.
#[derive(LogicBlock)]
pub struct LaneShiftCluster<const W: usize> {
    pub(crate) temp_mask: Signal<In, Bits<4>>,
    pub(crate) data: [Signal<In, Bits<W>>; 4],
    pub(crate) lane_mask: Signal<Out, Bits<4>>,
    pub(crate) shifted: [Signal<Out, Bits<W>>; 4],
}

rtl_block! {
    LaneShiftCluster<const W: usize>,
    "lane_shift_cluster" in "lanes", combinational,
    Origami "lane shifting",
    "Packs the active lanes of a four-lane cluster to the left.",
    input temp_mask: "lanes that take part";
    input data: "operand of each lane";
    output lane_mask: "lanes that hold an operand after the shift";
    output shifted: "operands after the shift";
}

impl<const W: usize> Default for LaneShiftCluster<W> {
    fn default() -> Self {
        Self {
            temp_mask: Default::default(),
            data: std::array::from_fn(|_| Default::default()),
            lane_mask: Default::default(),
            shifted: std::array::from_fn(|_| Default::default()),
        }
    }
}

impl<const W: usize> Logic for LaneShiftCluster<W> {
    #[hdl_gen]
    fn update(&mut self) {
        self.lane_mask.next = self.temp_mask.val();
        for i in 0..4 {
            self.shifted[i].next = self.data[i].val();
        }
        match self.temp_mask.val().index() {
            2 => {
                self.lane_mask.next = 1.into();
                self.shifted[0].next = self.data[1].val();
            }
            _ => {
                self.shifted[1].next = self.data[2].val();
            }
        }
    }
}
