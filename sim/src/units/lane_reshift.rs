//! Returns the results of each of a warp's eight clusters to the lanes their operands came from.
//!
//! Origami, re-shifting: eight times [`lane_reshift_cluster`](super::lane_reshift_cluster).
//! Combinational: there is no state to reset.

use super::lane_shift_cluster::Variant;
use super::split_mask::{CLUSTER, LANES};
use super::Unit;

crate::io! {
    /// Inputs of [`LaneReshift`].
    pub struct In<const W: usize> {
        /// Lanes that took part, before the shift.
        temp_mask: u32, 32;
        /// Result of each lane that executed.
        lanes: [u32; LANES], W;
    }
}

crate::io! {
    /// Outputs of [`LaneReshift`].
    pub struct Out<const W: usize> {
        /// Results in the lanes of `temp_mask`.
        restored: [u32; LANES], W, from [temp_mask, lanes];
    }
}

/// 32 lanes of `W` bits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaneReshift<const W: usize> {
    variant: Variant,
}

impl<const W: usize> LaneReshift<W> {
    /// Lanes that were moved in this way within their clusters.
    pub fn new(variant: Variant) -> Self {
        Self { variant }
    }
}

/// Re-shifts one result of a warp.
pub(super) fn reshift(variant: Variant, temp_mask: u32, lanes: &[u32; LANES]) -> [u32; LANES] {
    let mut restored = [0; LANES];
    for first in (0..LANES).step_by(CLUSTER) {
        let places = variant.places((temp_mask >> first & 0xf) as u8);
        for lane in 0..CLUSTER {
            restored[first + lane] = lanes[first + places[lane]];
        }
    }
    restored
}

impl<const W: usize> Unit for LaneReshift<W> {
    type In = In<W>;
    type Out = Out<W>;

    fn eval(&mut self, inputs: &In<W>) -> Out<W> {
        Out { restored: reshift(self.variant, inputs.temp_mask, &inputs.lanes) }
    }

    fn tick(&mut self) {}

    fn reset(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_return_by_themselves() {
        let lanes = std::array::from_fn(|lane| lane as u32);
        let inputs = In { temp_mask: 0x8000_00ca, lanes };
        let restored = LaneReshift::<32>::new(Variant::Compact).eval(&inputs).restored;
        assert_eq!(restored[..8], [0, 0, 2, 1, 4, 5, 4, 5]);
        assert_eq!(restored[28..], [28, 29, 30, 28]);
    }
}
