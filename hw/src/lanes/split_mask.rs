//! Chooses the lanes of a warp that go down the pipe together, and refuses folds that gain nothing.
//!
//! Origami, split mask. Folding runs lanes 0 and 1 of every cluster first (sub-warp 0), lanes 2 and 3
//! after (sub-warp 1). A fold that leaves one half empty only costs an issue slot, so `cfg_elision` can
//! cancel it; a cancelled fold sends the whole warp as sub-warp 0 and nothing as sub-warp 1, so that the
//! two halves always add up to the warp.

use crate::prelude::*;

/// Split, sub-warp and active mask to the mask that travels with the operands.
#[derive(LogicBlock, Default)]
pub struct SplitMask {
    pub(crate) active_mask: Signal<In, Bits<32>>,
    pub(crate) split: Signal<In, Bit>,
    pub(crate) sub_warp: Signal<In, Bit>,
    pub(crate) cfg_elision: Signal<In, Bits<2>>,
    pub(crate) temp_mask: Signal<Out, Bits<32>>,
    pub(crate) folded: Signal<Out, Bit>,
    lower: Signal<Local, Bits<32>>,
    upper: Signal<Local, Bits<32>>,
    pairs: Signal<Local, Bits<32>>,
    crowded: Signal<Local, Bits<32>>,
    needless: Signal<Local, Bit>,
}

rtl_block! {
    SplitMask,
    "split_mask" in "lanes", combinational,
    Origami "warp folding: split mask",
    "Chooses the lanes of a warp that go down the pipe together. Lane i is bit i and a cluster is \
     four lanes; a folded warp sends lanes 0 and 1 of every cluster as sub-warp 0 and lanes 2 and 3 \
     as sub-warp 1. A fold that gains nothing is cancelled: sub-warp 0 is then the whole warp and \
     sub-warp 1 is empty.",
    input active_mask: "lanes with an active thread";
    input split: "folding is on for this warp";
    input sub_warp: "which half is asked for";
    input cfg_elision: "cancel: 0 never, 1 a half is empty, 2 threads 0-15 or 16-31 idle, 3 all clusters <= 2";
    output temp_mask: "lanes of this half";
    output folded: "the warp takes two passes";
}

impl Logic for SplitMask {
    #[hdl_gen]
    fn update(&mut self) {
        self.lower.next = self.active_mask.val() & 0x3333_3333;
        self.upper.next = self.active_mask.val() & 0xcccc_cccc_u64;
        comment!("A cluster has more than two active lanes if one pair is full and the other is not empty.");
        self.pairs.next = (self.active_mask.val() & (self.active_mask.val() >> 1)) & 0x5555_5555;
        self.crowded.next = ((self.pairs.val()
            & ((self.active_mask.val() >> 2) | (self.active_mask.val() >> 3)))
            & 0x1111_1111)
            | (((self.pairs.val() >> 2)
                & (self.active_mask.val() | (self.active_mask.val() >> 1)))
                & 0x1111_1111);
        self.needless.next = false;
        match self.cfg_elision.val().index() {
            1 => self.needless.next = !self.lower.val().any() | !self.upper.val().any(),
            2 => {
                self.needless.next = !self.active_mask.val().get_bits::<16>(0).any()
                    | !self.active_mask.val().get_bits::<16>(16).any()
            }
            3 => self.needless.next = !self.crowded.val().any(),
            _ => self.needless.next = false,
        }
        self.folded.next = self.split.val() & !self.needless.val();
        self.temp_mask.next = self.active_mask.val();
        if self.folded.val() {
            if self.sub_warp.val() {
                self.temp_mask.next = self.upper.val();
            } else {
                self.temp_mask.next = self.lower.val();
            }
        } else if self.split.val() & self.sub_warp.val() {
            self.temp_mask.next = 0.into();
        }
    }
}
