//! Takes a warp's operands from issue to the lanes that will execute them, in one pipeline stage.
//!
//! Origami, shifting stage: `split_mask`, then
//! [`lane_shift`](super::lane_shift) of three operands and a flag bit a lane, then a register. Sub-warp 1
//! of a warp that is not folded does not exist and is ignored. Reset state: not valid.

use super::lane_shift::{lane_mask, shift};
use super::lane_shift_cluster::Variant;
use super::split_mask::{self, SplitMask, LANES};
use super::Unit;

crate::io! {
    /// Inputs of [`ShiftStage`].
    pub struct In {
        /// A warp or half-warp is issued in this cycle.
        issue_valid: bool, 1;
        /// Names the operation until its results are joined.
        issue_tag: u8, 8, valid_by issue_valid;
        /// Lanes with an active thread.
        active_mask: u32, 32;
        /// Folding is on for this warp.
        split: bool, 1;
        /// Which half is issued; 0 for a warp that is not folded.
        sub_warp: bool, 1;
        /// First operand of each lane.
        operand_a: [u32; LANES], 32, valid_by issue_valid;
        /// Second operand of each lane.
        operand_b: [u32; LANES], 32, valid_by issue_valid;
        /// Third operand of each lane.
        operand_c: [u32; LANES], 32, valid_by issue_valid;
        /// Predicate, carry or select bit of each lane.
        operand_flag: u32, 32, valid_by issue_valid;
        /// When to cancel a fold: see [`split_mask::Elision`].
        cfg_elision: u8, 2;
    }
}

crate::io! {
    /// Outputs of [`ShiftStage`].
    pub struct Out {
        /// The warp now offered is folded: sub-warp 1 must follow.
        takes_two: bool, 1, from [active_mask, split, cfg_elision];
        /// Operands are ready to execute.
        valid: bool, 1;
        /// Tag of this operation.
        tag: u8, 8, valid_by valid;
        /// It is one half of a folded warp.
        folded: bool, 1, valid_by valid;
        /// It is the second half.
        last: bool, 1, valid_by valid;
        /// Lanes of the warp that take part, for the re-shift stage.
        temp_mask: u32, 32, valid_by valid;
        /// Lanes that execute.
        lane_mask: u32, 32, valid_by valid;
        /// First operand, by executing lane.
        shifted_a: [u32; LANES], 32, valid_by valid;
        /// Second operand, by executing lane.
        shifted_b: [u32; LANES], 32, valid_by valid;
        /// Third operand, by executing lane.
        shifted_c: [u32; LANES], 32, valid_by valid;
        /// Flag, by executing lane.
        shifted_flag: u32, 32, valid_by valid;
    }
}

/// The split, the shifters and the register behind them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShiftStage {
    variant: Variant,
    /// What is shown now; `takes_two` is not registered and not used here.
    now: Out,
    next: Out,
}

impl ShiftStage {
    /// A stage whose clusters move their lanes in this way.
    pub fn new(variant: Variant) -> Self {
        Self { variant, ..Self::default() }
    }
}

/// A mask as one word a lane.
pub(super) fn words(mask: u32) -> [u32; LANES] {
    std::array::from_fn(|lane| mask >> lane & 1)
}

/// One word a lane as a mask.
pub(super) fn mask(words: [u32; LANES]) -> u32 {
    (0..LANES).fold(0, |mask, lane| mask | words[lane] << lane)
}

impl Unit for ShiftStage {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        let &In { active_mask, split, sub_warp, cfg_elision, .. } = inputs;
        let warp = split_mask::In { active_mask, split, sub_warp, cfg_elision };
        let split_mask::Out { temp_mask, folded } = SplitMask.eval(&warp);
        let shifted = |operand| shift(self.variant, temp_mask, operand);
        self.next = Out {
            takes_two: false,
            valid: inputs.issue_valid && (folded || !sub_warp),
            tag: inputs.issue_tag,
            folded,
            last: folded && sub_warp,
            temp_mask,
            lane_mask: lane_mask(self.variant, temp_mask),
            shifted_a: shifted(&inputs.operand_a),
            shifted_b: shifted(&inputs.operand_b),
            shifted_c: shifted(&inputs.operand_c),
            shifted_flag: mask(shifted(&words(inputs.operand_flag))),
        };
        Out { takes_two: folded, ..self.now.clone() }
    }

    fn tick(&mut self) {
        self.now = self.next.clone();
    }

    fn reset(&mut self) {
        self.now.valid = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn issue(sub_warp: bool, active_mask: u32) -> In {
        In {
            issue_valid: true,
            issue_tag: 9,
            active_mask,
            split: true,
            sub_warp,
            operand_a: std::array::from_fn(|lane| lane as u32),
            operand_flag: 0x8,
            cfg_elision: split_mask::Elision::Half as u8,
            ..In::default()
        }
    }

    #[test]
    fn the_second_half_of_a_full_warp_runs_on_lanes_0_and_1() {
        let mut stage = ShiftStage::new(Variant::Fold);
        assert!(stage.eval(&issue(true, u32::MAX)).takes_two);
        stage.tick();
        let out = stage.eval(&In::default());
        assert!(out.valid && out.folded && out.last && !out.takes_two);
        assert_eq!((out.tag, out.temp_mask, out.lane_mask), (9, 0xcccc_cccc, 0x3333_3333));
        assert_eq!(out.shifted_a[..4], [2, 3, 2, 3]);
        assert_eq!(out.shifted_flag & 0xf, 0b1010);
        stage.tick();
        assert!(!stage.eval(&In::default()).valid);
    }

    #[test]
    fn a_second_half_that_does_not_exist_is_ignored() {
        let mut stage = ShiftStage::new(Variant::Compact);
        assert!(!stage.eval(&issue(true, 0x33)).takes_two);
        stage.tick();
        assert!(!stage.eval(&issue(false, 0x33)).valid);
        stage.tick();
        let out = stage.eval(&In::default());
        assert!(out.valid && !out.folded && !out.last);
    }
}
