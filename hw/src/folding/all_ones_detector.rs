//! Tells for each of two warps whether all of its 32 threads are active.
//!
//! Origami, section 3.4. The scheduler keeps warps with full masks apart from the others; one bit an
//! instruction-buffer entry says which they are. Two masks a cycle are enough, because the front end
//! fills at most two entries a cycle.

use crate::prelude::*;

/// Two active masks to two group bits.
#[derive(LogicBlock, Default)]
pub struct AllOnesDetector {
    pub(crate) mask: [Signal<In, Bits<32>>; 2],
    pub(crate) full: Signal<Out, Bits<2>>,
}

rtl_block! {
    AllOnesDetector,
    "all_ones_detector" in "folding", combinational,
    Origami "section 3.4: warp classification",
    "Tells for each of two warps whether all of its 32 threads are active.",
    input mask: "active mask of each warp";
    output full: "mask i is all ones";
}

impl Logic for AllOnesDetector {
    #[hdl_gen]
    fn update(&mut self) {
        self.full.next = 0.into();
        for i in 0..2 {
            self.full.next = self.full.val().replace_bit(i, self.mask[i].val().all());
        }
    }
}
