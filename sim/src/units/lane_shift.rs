//! Moves the active lanes of each of a warp's eight clusters to the left.
//!
//! Origami, lane shifting: eight times [`lane_shift_cluster`](super::lane_shift_cluster).
//! Combinational: there is no state to reset.

use super::lane_shift_cluster::Variant;
use super::split_mask::{CLUSTER, LANES};
use super::Unit;

crate::io! {
    /// Inputs of [`LaneShift`].
    pub struct In<const W: usize> {
        /// Lanes that take part.
        temp_mask: u32, 32;
        /// Operand of each lane.
        data: [u32; LANES], W;
    }
}

crate::io! {
    /// Outputs of [`LaneShift`].
    pub struct Out<const W: usize> {
        /// Lanes that hold an operand after the shift.
        lane_mask: u32, 32, from [temp_mask];
        /// Operands after the shift.
        shifted: [u32; LANES], W, from [temp_mask, data];
    }
}

/// 32 lanes of `W` bits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaneShift<const W: usize> {
    variant: Variant,
}

impl<const W: usize> LaneShift<W> {
    /// Lanes that move in this way within their clusters.
    pub fn new(variant: Variant) -> Self {
        Self { variant }
    }
}

/// Shifts one operand of a warp.
pub(super) fn shift(variant: Variant, temp_mask: u32, data: &[u32; LANES]) -> [u32; LANES] {
    let mut shifted = [0; LANES];
    for first in (0..LANES).step_by(CLUSTER) {
        let sources = variant.sources((temp_mask >> first & 0xf) as u8);
        for place in 0..CLUSTER {
            shifted[first + place] = data[first + sources[place]];
        }
    }
    shifted
}

/// The lanes of a warp that are active after the shift.
pub fn lane_mask(variant: Variant, temp_mask: u32) -> u32 {
    (0..LANES).step_by(CLUSTER).fold(0, |mask, first| {
        mask | u32::from(variant.lane_mask((temp_mask >> first & 0xf) as u8)) << first
    })
}

impl<const W: usize> Unit for LaneShift<W> {
    type In = In<W>;
    type Out = Out<W>;

    fn eval(&mut self, inputs: &In<W>) -> Out<W> {
        Out {
            lane_mask: lane_mask(self.variant, inputs.temp_mask),
            shifted: shift(self.variant, inputs.temp_mask, &inputs.data),
        }
    }

    fn tick(&mut self) {}

    fn reset(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_shift_by_themselves() {
        let data = std::array::from_fn(|lane| lane as u32);
        let inputs = In { temp_mask: 0x8000_00ca, data };
        let out = LaneShift::<32>::new(Variant::Compact).eval(&inputs);
        assert_eq!(out.lane_mask, 0x1000_0033);
        assert_eq!(out.shifted[..8], [1, 3, 2, 3, 6, 7, 6, 7]);
        assert_eq!(out.shifted[28..], [31, 29, 30, 31]);
        let out = LaneShift::<32>::new(Variant::Fold).eval(&inputs);
        assert_eq!(out.lane_mask, 0x2000_003a);
        assert_eq!(out.shifted[..8], [0, 1, 2, 3, 6, 7, 6, 7]);
        assert_eq!(out.shifted[28..], [30, 31, 30, 31]);
    }
}
