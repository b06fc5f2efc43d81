//! Tells for each lane whether it has idled for at least a threshold of cycles.
//!
//! Origami, lane power gating. One 3-bit counter a lane is enough: the paper's idle-detect window is 5
//! cycles, and the adaptive variant of Warped-Gates never moves it past 7. The 32 counters are held as
//! three planes of 32 bits, plane k being bit k of every lane's counter, so that one bitwise operation
//! serves all lanes; the gates are the same as with 32 separate counters.

use crate::prelude::*;

/// 32 saturating 3-bit idle counters.
#[derive(LogicBlock, Default)]
pub struct IdleCounters {
    pub(crate) clock: Signal<In, Clock>,
    pub(crate) reset: Signal<In, Bit>,
    pub(crate) active: Signal<In, Bits<32>>,
    pub(crate) cfg_threshold: Signal<In, Bits<3>>,
    pub(crate) idle: Signal<Out, Bits<32>>,
    count_0: Reg<Bits<32>>,
    count_1: Reg<Bits<32>>,
    count_2: Reg<Bits<32>>,
    step: Signal<Local, Bits<32>>,
    limit_0: Signal<Local, Bits<32>>,
    limit_1: Signal<Local, Bits<32>>,
    limit_2: Signal<Local, Bits<32>>,
}

rtl_block! {
    IdleCounters,
    "idle_counters" in "gating", clocked,
    Origami "lane power gating: idle detection",
    "Tells for each lane whether it has idled for at least cfg_threshold cycles. \
     Each lane has a 3-bit counter that an active cycle clears and that stops at 7; \
     plane k of the counters holds bit k of every lane.",
    input active: "lane i does work in this cycle";
    input cfg_threshold: "idle cycles that raise the flag; 0 raises it always";
    output idle: "lane i has idled for at least cfg_threshold cycles";
}

impl Logic for IdleCounters {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, count_0, count_1, count_2);
        comment!("A lane counts unless it is active or already at 7.");
        self.step.next = !(self.count_0.q.val() & self.count_1.q.val() & self.count_2.q.val());
        self.count_0.d.next = (self.count_0.q.val() ^ self.step.val()) & !self.active.val();
        self.count_1.d.next =
            (self.count_1.q.val() ^ (self.step.val() & self.count_0.q.val())) & !self.active.val();
        self.count_2.d.next = (self.count_2.q.val()
            ^ (self.step.val() & self.count_0.q.val() & self.count_1.q.val()))
            & !self.active.val();
        comment!("The threshold, one plane a bit, the same for every lane.");
        self.limit_0.next = 0.into();
        self.limit_1.next = 0.into();
        self.limit_2.next = 0.into();
        if self.cfg_threshold.val().get_bit(0) {
            self.limit_0.next = 0xffff_ffff_u64.into();
        }
        if self.cfg_threshold.val().get_bit(1) {
            self.limit_1.next = 0xffff_ffff_u64.into();
        }
        if self.cfg_threshold.val().get_bit(2) {
            self.limit_2.next = 0xffff_ffff_u64.into();
        }
        comment!("count >= threshold, from the top bit down.");
        self.idle.next = (self.count_2.q.val() & !self.limit_2.val())
            | (!(self.count_2.q.val() ^ self.limit_2.val())
                & ((self.count_1.q.val() & !self.limit_1.val())
                    | (!(self.count_1.q.val() ^ self.limit_1.val())
                        & (self.count_0.q.val() | !self.limit_0.val()))));
    }
}
