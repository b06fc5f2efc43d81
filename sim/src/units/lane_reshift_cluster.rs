//! Returns the results of one cluster to the lanes their operands came from.
//!
//! Origami, re-shifting: the inverse of [`lane_shift_cluster`](super::lane_shift_cluster), from the same
//! mask. Data outside `temp_mask` means nothing; the block leaves there what was there, or what
//! [`Variant::Fold`] moved along. Combinational: there is no state to reset.

use super::lane_shift_cluster::Variant;
use super::split_mask::CLUSTER;
use super::Unit;

crate::io! {
    /// Inputs of [`LaneReshiftCluster`].
    pub struct In<const W: usize> {
        /// Lanes that took part, before the shift.
        temp_mask: u8, 4;
        /// Result of each lane that executed.
        lanes: [u32; CLUSTER], W;
    }
}

crate::io! {
    /// Outputs of [`LaneReshiftCluster`].
    pub struct Out<const W: usize> {
        /// Results in the lanes of `temp_mask`.
        restored: [u32; CLUSTER], W, from [temp_mask, lanes];
    }
}

impl Variant {
    /// Where each lane went: element i is the place that lane i was moved to.
    pub fn places(self, temp_mask: u8) -> [usize; CLUSTER] {
        let mut places = [0, 1, 2, 3];
        match self {
            Variant::Compact => {
                let active = (0..CLUSTER).filter(|lane| temp_mask >> lane & 1 != 0);
                for (place, lane) in active.enumerate() {
                    places[lane] = place;
                }
            }
            Variant::Fold => {
                if temp_mask & 0b0011 == 0 && temp_mask & 0b1100 != 0 {
                    (places[2], places[3]) = (0, 1);
                }
            }
        }
        places
    }
}

/// Four lanes of `W` bits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaneReshiftCluster<const W: usize> {
    variant: Variant,
}

impl<const W: usize> LaneReshiftCluster<W> {
    /// A cluster whose lanes were moved in this way.
    pub fn new(variant: Variant) -> Self {
        Self { variant }
    }
}

impl<const W: usize> Unit for LaneReshiftCluster<W> {
    type In = In<W>;
    type Out = Out<W>;

    fn eval(&mut self, inputs: &In<W>) -> Out<W> {
        Out { restored: self.variant.places(inputs.temp_mask).map(|place| inputs.lanes[place]) }
    }

    fn tick(&mut self) {}

    fn reset(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reshift(variant: Variant, temp_mask: u8) -> [u32; CLUSTER] {
        let inputs = In { temp_mask, lanes: [10, 11, 12, 13] };
        LaneReshiftCluster::<32>::new(variant).eval(&inputs).restored
    }

    #[test]
    fn compact_spreads_to_the_right() {
        assert_eq!(reshift(Variant::Compact, 0b1010), [10, 10, 12, 11]);
        assert_eq!(reshift(Variant::Compact, 0b1101), [10, 11, 11, 12]);
        assert_eq!(reshift(Variant::Compact, 0b1111), [10, 11, 12, 13]);
    }

    #[test]
    fn fold_returns_the_pair_it_moved() {
        assert_eq!(reshift(Variant::Fold, 0b0100), [10, 11, 10, 11]);
        assert_eq!(reshift(Variant::Fold, 0b1010), [10, 11, 12, 13]);
    }

    #[test]
    fn active_lanes_come_home() {
        for variant in [Variant::Compact, Variant::Fold] {
            for mask in 0..16u8 {
                let (sources, places) = (variant.sources(mask), variant.places(mask));
                for lane in (0..CLUSTER).filter(|lane| mask >> lane & 1 != 0) {
                    assert_eq!(sources[places[lane]], lane, "{variant:?} {mask:04b}");
                    assert_ne!(variant.lane_mask(mask) >> places[lane] & 1, 0);
                }
                assert_eq!(variant.lane_mask(mask).count_ones(), mask.count_ones());
            }
        }
    }
}
