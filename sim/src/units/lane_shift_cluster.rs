//! Moves the active lanes of one cluster to the left, their data with them.
//!
//! Origami, lane shifting. Data in a lane outside `lane_mask` means nothing; the block leaves there what
//! was there, or what [`Variant::Fold`] moved along. Combinational: there is no state to reset.

use super::split_mask::CLUSTER;
use super::Unit;

/// Which lanes of a cluster move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    /// The k-th active lane moves to lane k.
    #[default]
    Compact,
    /// Lanes 2 and 3 move to lanes 0 and 1 if those are idle and one of lanes 2 and 3 is not.
    Fold,
}

impl Variant {
    /// From where each lane comes: element k is the lane whose operand moves to lane k.
    pub fn sources(self, temp_mask: u8) -> [usize; CLUSTER] {
        let mut sources = [0, 1, 2, 3];
        match self {
            Variant::Compact => {
                let active = (0..CLUSTER).filter(|lane| temp_mask >> lane & 1 != 0);
                for (place, lane) in active.enumerate() {
                    sources[place] = lane;
                }
            }
            Variant::Fold => {
                if temp_mask & 0b0011 == 0 && temp_mask & 0b1100 != 0 {
                    (sources[0], sources[1]) = (2, 3);
                }
            }
        }
        sources
    }

    /// The lanes that are active after the move.
    pub fn lane_mask(self, temp_mask: u8) -> u8 {
        match self {
            Variant::Compact => (1 << (temp_mask & 0xf).count_ones()) - 1,
            Variant::Fold => match temp_mask & 0b0011 {
                0 => temp_mask >> 2 & 0b0011,
                _ => temp_mask & 0xf,
            },
        }
    }
}

crate::io! {
    /// Inputs of [`LaneShiftCluster`].
    pub struct In<const W: usize> {
        /// Lanes that take part.
        temp_mask: u8, 4;
        /// Operand of each lane.
        data: [u32; CLUSTER], W;
    }
}

crate::io! {
    /// Outputs of [`LaneShiftCluster`].
    pub struct Out<const W: usize> {
        /// Lanes that hold an operand after the shift.
        lane_mask: u8, 4, from [temp_mask];
        /// Operands after the shift.
        shifted: [u32; CLUSTER], W, from [temp_mask, data];
    }
}

/// Four lanes of `W` bits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaneShiftCluster<const W: usize> {
    variant: Variant,
}

impl<const W: usize> LaneShiftCluster<W> {
    /// A cluster that moves its lanes in this way.
    pub fn new(variant: Variant) -> Self {
        Self { variant }
    }
}

impl<const W: usize> Unit for LaneShiftCluster<W> {
    type In = In<W>;
    type Out = Out<W>;

    fn eval(&mut self, inputs: &In<W>) -> Out<W> {
        let lane_mask = self.variant.lane_mask(inputs.temp_mask);
        let shifted = self.variant.sources(inputs.temp_mask).map(|lane| inputs.data[lane]);
        Out { lane_mask, shifted }
    }

    fn tick(&mut self) {}

    fn reset(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shift(variant: Variant, temp_mask: u8) -> (u8, [u32; CLUSTER]) {
        let inputs = In { temp_mask, data: [10, 11, 12, 13] };
        let Out { lane_mask, shifted } = LaneShiftCluster::<32>::new(variant).eval(&inputs);
        (lane_mask, shifted)
    }

    #[test]
    fn compact_packs_to_the_left() {
        assert_eq!(shift(Variant::Compact, 0b1010), (0b0011, [11, 13, 12, 13]));
        assert_eq!(shift(Variant::Compact, 0b1100), (0b0011, [12, 13, 12, 13]));
        assert_eq!(shift(Variant::Compact, 0b1101), (0b0111, [10, 12, 13, 13]));
        assert_eq!(shift(Variant::Compact, 0b1111), (0b1111, [10, 11, 12, 13]));
        assert_eq!(shift(Variant::Compact, 0b0000), (0b0000, [10, 11, 12, 13]));
    }

    #[test]
    fn fold_moves_the_upper_pair_or_nothing() {
        assert_eq!(shift(Variant::Fold, 0b1100), (0b0011, [12, 13, 12, 13]));
        assert_eq!(shift(Variant::Fold, 0b1000), (0b0010, [12, 13, 12, 13]));
        assert_eq!(shift(Variant::Fold, 0b1010), (0b1010, [10, 11, 12, 13]));
        assert_eq!(shift(Variant::Fold, 0b0000), (0b0000, [10, 11, 12, 13]));
    }
}
