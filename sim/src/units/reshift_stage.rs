//! Takes results back to the lanes their operands came from, in one pipeline stage.
//!
//! Origami, re-shifting stage: [`lane_reshift`](super::lane_reshift) of a result and a flag bit a lane,
//! then a register. Reset state: not valid.

use super::lane_reshift::reshift;
use super::lane_shift_cluster::Variant;
use super::shift_stage::{mask, words};
use super::split_mask::LANES;
use super::Unit;

crate::io! {
    /// Inputs of [`ReshiftStage`].
    pub struct In {
        /// Results leave the execution lanes in this cycle.
        execute_valid: bool, 1;
        /// Tag of the operation.
        execute_tag: u8, 8, valid_by execute_valid;
        /// It is one half of a folded warp.
        execute_folded: bool, 1, valid_by execute_valid;
        /// It is the second half.
        execute_last: bool, 1, valid_by execute_valid;
        /// Lanes of the warp that took part.
        temp_mask: u32, 32, valid_by execute_valid;
        /// Result of each executing lane.
        result: [u32; LANES], 32, valid_by execute_valid;
        /// Predicate or carry result of each executing lane.
        result_flag: u32, 32, valid_by execute_valid;
    }
}

crate::io! {
    /// Outputs of [`ReshiftStage`].
    pub struct Out {
        /// Results are in place.
        valid: bool, 1;
        /// Tag of the operation.
        tag: u8, 8, valid_by valid;
        /// It is one half of a folded warp.
        folded: bool, 1, valid_by valid;
        /// It is the second half.
        last: bool, 1, valid_by valid;
        /// Lanes of the warp that have a result.
        mask: u32, 32, valid_by valid;
        /// Result, by lane of the warp.
        restored: [u32; LANES], 32, valid_by valid;
        /// Flag result, by lane of the warp.
        restored_flag: u32, 32, valid_by valid;
    }
}

/// The re-shifters and the register behind them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReshiftStage {
    variant: Variant,
    now: Out,
    next: Out,
}

impl ReshiftStage {
    /// A stage for lanes that were moved in this way.
    pub fn new(variant: Variant) -> Self {
        Self { variant, ..Self::default() }
    }
}

impl Unit for ReshiftStage {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        let restored = |lanes| reshift(self.variant, inputs.temp_mask, lanes);
        self.next = Out {
            valid: inputs.execute_valid,
            tag: inputs.execute_tag,
            folded: inputs.execute_folded,
            last: inputs.execute_last,
            mask: inputs.temp_mask,
            restored: restored(&inputs.result),
            restored_flag: mask(restored(&words(inputs.result_flag))),
        };
        self.now.clone()
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

    #[test]
    fn results_of_the_second_half_return_to_lanes_2_and_3() {
        for variant in [Variant::Compact, Variant::Fold] {
            let mut stage = ReshiftStage::new(variant);
            let inputs = In {
                execute_valid: true,
                execute_tag: 9,
                execute_folded: true,
                execute_last: true,
                temp_mask: 0xcccc_cccc,
                result: std::array::from_fn(|lane| lane as u32),
                result_flag: 0x2222_2222,
            };
            assert!(!stage.eval(&inputs).valid);
            stage.tick();
            let out = stage.eval(&In::default());
            assert!(out.valid && out.folded && out.last);
            assert_eq!((out.tag, out.mask), (9, 0xcccc_cccc));
            assert_eq!(out.restored[2..4], [0, 1]);
            assert_eq!(out.restored_flag & out.mask, 0x8888_8888);
        }
    }
}
