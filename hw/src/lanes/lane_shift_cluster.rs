//! Moves the active lanes of one cluster to the left, their data with them.
//!
//! Origami, lane shifting. GPUs wire lanes in clusters of four, and the paper keeps the shift inside a
//! cluster: a crossbar over all 32 lanes would be about three times as large and six times as slow.
//!
//! An operand only ever moves to the left, so lane k chooses among lanes k to 3 and lane 3 needs no
//! multiplexer. Data outside `lane_mask` means nothing; a lane that nobody moves to keeps its own, for
//! which the wires are there anyway.

use super::variant::{self, logic_by_variant};
use crate::prelude::*;

/// Four lanes of `W` bits.
#[derive(LogicBlock)]
pub struct LaneShiftCluster<const VARIANT: usize, const W: usize> {
    pub(crate) temp_mask: Signal<In, Bits<4>>,
    pub(crate) data: [Signal<In, Bits<W>>; 4],
    pub(crate) lane_mask: Signal<Out, Bits<4>>,
    pub(crate) shifted: [Signal<Out, Bits<W>>; 4],
    left_any: Signal<Local, Bit>,
    right_any: Signal<Local, Bit>,
}

rtl_block! {
    LaneShiftCluster<const VARIANT: usize, const W: usize>,
    "lane_shift_cluster" in "lanes", combinational,
    Origami "lane shifting",
    "Moves the active lanes of a four-lane cluster to the left, their data with them. \
     Variant compact takes the k-th active lane to lane k; variant fold takes lanes 2 and 3 to \
     lanes 0 and 1 if those are idle and moves nothing else. \
     Data outside lane_mask_o means nothing.",
    input temp_mask: "lanes that take part";
    input data: "operand of each lane";
    output lane_mask: "lanes that hold an operand after the shift";
    output shifted: "operands after the shift";
}

impl<const VARIANT: usize, const W: usize> Default for LaneShiftCluster<VARIANT, W> {
    fn default() -> Self {
        Self {
            temp_mask: Default::default(),
            data: std::array::from_fn(|_| Default::default()),
            lane_mask: Default::default(),
            shifted: std::array::from_fn(|_| Default::default()),
            left_any: Default::default(),
            right_any: Default::default(),
        }
    }
}

logic_by_variant!(LaneShiftCluster);

impl<const VARIANT: usize, const W: usize> variant::Compact for LaneShiftCluster<VARIANT, W> {
    #[hdl_gen]
    fn update(&mut self) {
        self.left_any.next = self.temp_mask.val().get_bit(0) | self.temp_mask.val().get_bit(1);
        self.right_any.next = self.temp_mask.val().get_bit(2) | self.temp_mask.val().get_bit(3);
        comment!("Lane k is taken if more than k lanes are active.");
        self.lane_mask.next = 0.into();
        self.lane_mask.next =
            self.lane_mask.val().replace_bit(0, self.left_any.val() | self.right_any.val());
        self.lane_mask.next = self.lane_mask.val().replace_bit(
            1,
            (self.left_any.val() & self.right_any.val())
                | (self.temp_mask.val().get_bit(0) & self.temp_mask.val().get_bit(1))
                | (self.temp_mask.val().get_bit(2) & self.temp_mask.val().get_bit(3)),
        );
        self.lane_mask.next = self.lane_mask.val().replace_bit(
            2,
            (self.temp_mask.val().get_bit(0)
                & self.temp_mask.val().get_bit(1)
                & self.right_any.val())
                | (self.left_any.val()
                    & self.temp_mask.val().get_bit(2)
                    & self.temp_mask.val().get_bit(3)),
        );
        self.lane_mask.next = self.lane_mask.val().replace_bit(3, self.temp_mask.val().all());
        comment!("The k-th active lane goes to lane k; a packed mask moves nothing. 10 is lanes 1 and 3.");
        for i in 0..4 {
            self.shifted[i].next = self.data[i].val();
        }
        match self.temp_mask.val().index() {
            2 => self.shifted[0].next = self.data[1].val(),
            4 => self.shifted[0].next = self.data[2].val(),
            5 => self.shifted[1].next = self.data[2].val(),
            6 => {
                self.shifted[0].next = self.data[1].val();
                self.shifted[1].next = self.data[2].val();
            }
            8 => self.shifted[0].next = self.data[3].val(),
            9 => self.shifted[1].next = self.data[3].val(),
            10 => {
                self.shifted[0].next = self.data[1].val();
                self.shifted[1].next = self.data[3].val();
            }
            11 => self.shifted[2].next = self.data[3].val(),
            12 => {
                self.shifted[0].next = self.data[2].val();
                self.shifted[1].next = self.data[3].val();
            }
            13 => {
                self.shifted[1].next = self.data[2].val();
                self.shifted[2].next = self.data[3].val();
            }
            14 => {
                self.shifted[0].next = self.data[1].val();
                self.shifted[1].next = self.data[2].val();
                self.shifted[2].next = self.data[3].val();
            }
            _ => {}
        }
    }
}

impl<const VARIANT: usize, const W: usize> variant::Fold for LaneShiftCluster<VARIANT, W> {
    #[hdl_gen]
    fn update(&mut self) {
        self.left_any.next = self.temp_mask.val().get_bit(0) | self.temp_mask.val().get_bit(1);
        self.right_any.next = self.temp_mask.val().get_bit(2) | self.temp_mask.val().get_bit(3);
        comment!("The cluster moves if lanes 0 and 1 are idle and lane 2 or 3 is not.");
        if self.left_any.val() | !self.right_any.val() {
            self.lane_mask.next = self.temp_mask.val();
        } else {
            self.lane_mask.next = self.temp_mask.val() >> 2;
        }
        comment!(
            "Lanes 2 and 3 are wires; lanes 0 and 1 choose between their own data and theirs."
        );
        if self.left_any.val() | !self.right_any.val() {
            self.shifted[0].next = self.data[0].val();
            self.shifted[1].next = self.data[1].val();
        } else {
            self.shifted[0].next = self.data[2].val();
            self.shifted[1].next = self.data[3].val();
        }
        self.shifted[2].next = self.data[2].val();
        self.shifted[3].next = self.data[3].val();
    }
}
