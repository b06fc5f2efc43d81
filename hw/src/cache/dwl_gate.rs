//! Opens only those segments of the selected cache row that an access needs.
//!
//! Power-Aware Caches for GPGPUs, section 3.3.2 (divided word line). The word line of a row is cut into
//! small word lines of 4 bytes; each is the AND of the row decoder's line and a segment enable. The
//! thesis enables by active thread, which is exact only if thread i reads word i; enabling by touched
//! word is exact for any pattern. Refills and instruction fetches open the whole row.
//!
//! At most 128 rows: a larger cache is built from sub-arrays, since no bit line is longer.

use crate::prelude::*;

/// One sub-array of `ROWS` rows of `SEGMENTS` small word lines. `SHARES` threads share a segment in
/// lane mode: 1 with 32 segments, 2 with 16 (a 64-byte line, threads j and j + 16).
#[derive(LogicBlock)]
pub struct DwlGate<const ROWS: usize, const SEGMENTS: usize, const SHARES: usize> {
    pub(crate) row_select: [Signal<In, Bit>; ROWS],
    pub(crate) lane_mask: Signal<In, Bits<32>>,
    pub(crate) word_mask: Signal<In, Bits<SEGMENTS>>,
    pub(crate) full_enable: Signal<In, Bit>,
    pub(crate) cfg_lane_enable: Signal<In, Bit>,
    pub(crate) word_line: [Signal<Out, Bits<SEGMENTS>>; ROWS],
    lane_segments: Signal<Local, Bits<SEGMENTS>>,
    open: Signal<Local, Bits<SEGMENTS>>,
}

rtl_block! {
    DwlGate<const ROWS: usize, const SEGMENTS: usize, const SHARES: usize>,
    "dwl_gate" in "cache", combinational,
    PowerAwareCaches "section 3.3.2: divided word line",
    "Opens only those segments of the selected cache row that an access needs. \
     A segment is 4 bytes of the row. Rows are independent: whatever row the decoder selects opens.",
    input row_select: "word lines from the row decoder, at most one high";
    input lane_mask: "active threads of the access";
    input word_mask: "words that an active thread touches";
    input full_enable: "open the whole row: refill or instruction fetch";
    input cfg_lane_enable: "enable by active thread (1) or by touched word (0)";
    output word_line: "small word lines of each row, segment 0 first";
}

impl<const ROWS: usize, const SEGMENTS: usize, const SHARES: usize> Default
    for DwlGate<ROWS, SEGMENTS, SHARES>
{
    fn default() -> Self {
        Self {
            row_select: std::array::from_fn(|_| Default::default()),
            lane_mask: Default::default(),
            word_mask: Default::default(),
            full_enable: Default::default(),
            cfg_lane_enable: Default::default(),
            word_line: std::array::from_fn(|_| Default::default()),
            lane_segments: Default::default(),
            open: Default::default(),
        }
    }
}

impl<const ROWS: usize, const SEGMENTS: usize, const SHARES: usize> Logic
    for DwlGate<ROWS, SEGMENTS, SHARES>
{
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Thread i reads segment i; where a line has 16 segments, threads j and j + 16 share one.");
        self.lane_segments.next = 0.into();
        for share in 0..SHARES {
            for i in 0..SEGMENTS {
                self.lane_segments.next = self.lane_segments.val().replace_bit(
                    i,
                    self.lane_segments.val().get_bit(i)
                        | self.lane_mask.val().get_bit(16 * share + i),
                );
            }
        }
        self.open.next = self.word_mask.val();
        if self.cfg_lane_enable.val() {
            self.open.next = self.lane_segments.val();
        }
        if self.full_enable.val() {
            self.open.next = !bits::<SEGMENTS>(0);
        }
        for row in 0..ROWS {
            self.word_line[row].next = 0.into();
            if self.row_select[row].val() {
                self.word_line[row].next = self.open.val();
            }
        }
    }
}
