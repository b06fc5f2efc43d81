//! Chooses the lanes of a warp that go down the pipe together, and refuses folds that gain nothing.
//!
//! Origami, split mask. Lanes 0 and 1 of every cluster are sub-warp 0, lanes 2 and 3 sub-warp 1. A
//! cancelled fold sends the whole warp as sub-warp 0 and nothing as sub-warp 1. Combinational: there is
//! no state to reset.

use super::Unit;

/// Lanes of a warp.
pub const LANES: usize = 32;

/// Lanes that are wired together and exchange operands.
pub const CLUSTER: usize = 4;

/// When a fold is cancelled because it gains nothing; the value of `cfg_elision`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Elision {
    /// Never.
    None = 0,
    /// One of the two halves would be empty.
    #[default]
    Half = 1,
    /// Threads 0-15 or threads 16-31 are all idle: the paper's other wording.
    LiteralHalf = 2,
    /// No cluster has more than two active lanes, so that compaction alone fits it in the lower half.
    Cluster = 3,
}

impl Elision {
    /// The meaning of the two bits of `cfg_elision`.
    pub fn of(bits: u8) -> Self {
        match bits & 3 {
            0 => Elision::None,
            1 => Elision::Half,
            2 => Elision::LiteralHalf,
            _ => Elision::Cluster,
        }
    }

    /// Whether folding a warp of these active lanes would gain nothing.
    pub fn cancels(self, active_mask: u32) -> bool {
        match self {
            Elision::None => false,
            Elision::Half => half(active_mask, false) == 0 || half(active_mask, true) == 0,
            Elision::LiteralHalf => active_mask & 0xffff == 0 || active_mask >> 16 == 0,
            Elision::Cluster => (0..LANES / CLUSTER)
                .all(|cluster| (active_mask >> (cluster * CLUSTER) & 0xf).count_ones() <= 2),
        }
    }
}

/// The active lanes of one half: the upper is lanes 2 and 3 of every cluster.
pub fn half(active_mask: u32, upper: bool) -> u32 {
    (0..LANES)
        .filter(|lane| (lane % CLUSTER >= 2) == upper)
        .fold(0, |mask, lane| mask | active_mask & 1 << lane)
}

crate::io! {
    /// Inputs of [`SplitMask`].
    pub struct In {
        /// Lanes with an active thread.
        active_mask: u32, 32;
        /// Folding is on for this warp.
        split: bool, 1;
        /// Which half is asked for.
        sub_warp: bool, 1;
        /// When to cancel a fold: see [`Elision`].
        cfg_elision: u8, 2;
    }
}

crate::io! {
    /// Outputs of [`SplitMask`].
    pub struct Out {
        /// Lanes of this half.
        temp_mask: u32, 32, from [active_mask, split, sub_warp, cfg_elision];
        /// The warp takes two passes.
        folded: bool, 1, from [active_mask, split, cfg_elision];
    }
}

/// The split of a warp.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SplitMask;

impl Unit for SplitMask {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        let &In { active_mask, split, sub_warp, cfg_elision } = inputs;
        let folded = split && !Elision::of(cfg_elision).cancels(active_mask);
        let temp_mask = if folded {
            half(active_mask, sub_warp)
        } else if split && sub_warp {
            0
        } else {
            active_mask
        };
        Out { temp_mask, folded }
    }

    fn tick(&mut self) {}

    fn reset(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(active_mask: u32, sub_warp: bool, elision: Elision) -> (u32, bool) {
        let inputs = In { active_mask, split: true, sub_warp, cfg_elision: elision as u8 };
        let Out { temp_mask, folded } = SplitMask.eval(&inputs);
        (temp_mask, folded)
    }

    #[test]
    fn a_full_warp_splits_as_in_figure_8() {
        // Lane 0 is leftmost on paper and bit 0 here: 1100 1100 is 0x33.
        assert_eq!(split(u32::MAX, false, Elision::Half), (0x3333_3333, true));
        assert_eq!(split(u32::MAX, true, Elision::Half), (0xcccc_cccc, true));
    }

    #[test]
    fn a_warp_that_is_not_split_goes_whole() {
        for sub_warp in [false, true] {
            let inputs = In { active_mask: 0x1234_5678, sub_warp, ..In::default() };
            let out = SplitMask.eval(&inputs);
            assert_eq!(out, Out { temp_mask: 0x1234_5678, folded: false });
        }
    }

    #[test]
    fn each_elision_cancels_its_own_masks() {
        let cancelling = |mask| {
            [Elision::None, Elision::Half, Elision::LiteralHalf, Elision::Cluster]
                .map(|elision| elision.cancels(mask))
        };
        assert_eq!(cancelling(0x0000_0000), [false, true, true, true]);
        assert_eq!(cancelling(0x3333_3333), [false, true, false, true]);
        assert_eq!(cancelling(0x0000_ffff), [false, false, true, false]);
        assert_eq!(cancelling(0x5a5a_5a5a), [false, false, false, true]);
        assert_eq!(cancelling(0x7000_0001), [false, false, false, false]);
    }

    #[test]
    fn a_cancelled_fold_sends_everything_first() {
        assert_eq!(split(0x0000_0033, false, Elision::Half), (0x33, false));
        assert_eq!(split(0x0000_0033, true, Elision::Half), (0, false));
    }
}
