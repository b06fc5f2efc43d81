//! Tells for each of two warps whether all of its 32 threads are active.
//!
//! Origami, section 3.4. Combinational: there is no state and no reset.

use super::Unit;

crate::io! {
    /// Inputs of [`AllOnesDetector`].
    pub struct In {
        /// The active mask of each warp.
        mask: [u32; 2], 32;
    }
}

crate::io! {
    /// Outputs of [`AllOnesDetector`].
    pub struct Out {
        /// Mask i is all ones.
        full: [bool; 2], 1, from [mask];
    }
}

/// Two masks to two group bits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AllOnesDetector;

impl Unit for AllOnesDetector {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        Out { full: inputs.mask.map(|mask| mask == u32::MAX) }
    }

    fn tick(&mut self) {}

    fn reset(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_full_mask_is_full() {
        let mut detector = AllOnesDetector;
        assert_eq!(detector.eval(&In { mask: [u32::MAX, u32::MAX >> 1] }).full, [true, false]);
        assert_eq!(detector.eval(&In { mask: [0, u32::MAX] }).full, [false, true]);
    }
}
