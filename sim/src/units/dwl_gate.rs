//! Opens only those segments of the selected cache row that an access needs.
//!
//! Power-Aware Caches for GPGPUs, section 3.3.2. Combinational: there is no state and no reset.

use super::Unit;

/// Threads of a warp.
pub const THREADS: usize = 32;

crate::io! {
    /// Inputs of [`DwlGate`].
    pub struct In<const ROWS: usize, const SEGMENTS: usize> {
        /// Word lines from the row decoder, at most one high.
        row_select: [bool; ROWS], 1;
        /// Active threads of the access.
        lane_mask: u32, 32;
        /// Words that an active thread touches.
        word_mask: u32, SEGMENTS;
        /// Open the whole row: refill or instruction fetch.
        full_enable: bool, 1;
        /// Enable by active thread, not by touched word.
        cfg_lane_enable: bool, 1;
    }
}

crate::io! {
    /// Outputs of [`DwlGate`].
    pub struct Out<const ROWS: usize, const SEGMENTS: usize> {
        /// Small word lines of each row, segment 0 in bit 0.
        word_line: [u32; ROWS], SEGMENTS,
            from [row_select, lane_mask, word_mask, full_enable, cfg_lane_enable];
    }
}

/// The segment gates of a sub-array of `ROWS` rows with `SEGMENTS` segments each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DwlGate<const ROWS: usize, const SEGMENTS: usize>;

impl<const ROWS: usize, const SEGMENTS: usize> Unit for DwlGate<ROWS, SEGMENTS> {
    type In = In<ROWS, SEGMENTS>;
    type Out = Out<ROWS, SEGMENTS>;

    fn eval(&mut self, inputs: &Self::In) -> Self::Out {
        // Thread i reads word i of its line; a short line comes around again.
        let by_lane = (0..THREADS)
            .fold(0, |by, thread| by | (inputs.lane_mask >> thread & 1) << (thread % SEGMENTS));
        let wanted = if inputs.cfg_lane_enable { by_lane } else { inputs.word_mask };
        let all = u32::MAX >> (32 - SEGMENTS);
        let enable = if inputs.full_enable { all } else { wanted & all };
        Out { word_line: inputs.row_select.map(|selected| if selected { enable } else { 0 }) }
    }

    fn tick(&mut self) {}

    fn reset(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn third_of_four<const SEGMENTS: usize>() -> In<4, SEGMENTS> {
        In {
            row_select: [false, false, true, false],
            lane_mask: 0x8001_0006,
            word_mask: 0x0000_1234,
            ..In::default()
        }
    }

    #[test]
    fn words_threads_or_all() {
        let mut gate = DwlGate::<4, 32>;
        let mut inputs = third_of_four();
        assert_eq!(gate.eval(&inputs).word_line, [0, 0, 0x1234, 0]);
        inputs.cfg_lane_enable = true;
        assert_eq!(gate.eval(&inputs).word_line, [0, 0, 0x8001_0006, 0]);
        inputs.full_enable = true;
        assert_eq!(gate.eval(&inputs).word_line, [0, 0, u32::MAX, 0]);
        inputs.row_select = [false; 4];
        assert_eq!(gate.eval(&inputs).word_line, [0; 4]);
    }

    #[test]
    fn two_threads_share_a_segment_of_a_short_line() {
        let mut gate = DwlGate::<4, 16>;
        let inputs = In { cfg_lane_enable: true, ..third_of_four() };
        assert_eq!(gate.eval(&inputs).word_line, [0, 0, 0x8007, 0]);
    }
}
