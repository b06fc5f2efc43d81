//! Counts the warps of each mask group that wait in one scheduler's instruction buffer.
//!
//! Origami, section 3.4. Two 5-bit counters a scheduler: a Fermi scheduler has 24 warps. Up to two
//! entries are filled and up to two leave in a cycle; the net change is applied at once, so that a warp
//! that leaves while another enters never makes a counter dip. Stopping at 0 and 31 is ours: a counter
//! that wraps would send the scheduler to the wrong group for whole phases.

use crate::prelude::*;

/// The sizes of the full-mask and the partial-mask group.
#[derive(LogicBlock, Default)]
pub struct GroupCounters {
    pub(crate) clock: Signal<In, Clock>,
    pub(crate) reset: Signal<In, Bit>,
    pub(crate) enter_valid: Signal<In, Bits<2>>,
    pub(crate) enter_full: Signal<In, Bits<2>>,
    pub(crate) leave_valid: Signal<In, Bits<2>>,
    pub(crate) leave_full: Signal<In, Bits<2>>,
    pub(crate) full_count: Signal<Out, Bits<5>>,
    pub(crate) partial_count: Signal<Out, Bits<5>>,
    count: RegArray<5, 2>,
    enter: [Signal<Local, Bits<2>>; 2],
    leave: [Signal<Local, Bits<2>>; 2],
    wide: [Signal<Local, Bits<6>>; 2],
    gain: [Signal<Local, Bits<6>>; 2],
    loss: [Signal<Local, Bits<6>>; 2],
    net: [Signal<Local, Bits<6>>; 2],
}

rtl_block! {
    GroupCounters,
    "group_counters" in "folding", clocked,
    Origami "section 3.4: warp classification",
    "Counts the warps of each mask group that wait in one scheduler's instruction buffer. \
     Up to two enter and two leave in a cycle; the net change is applied, then held within 0 and 31. \
     Counter 0 is the partial-mask group and counter 1 the full-mask group.",
    input enter_valid: "entry i is filled in this cycle";
    input enter_full: "its mask is all ones";
    input leave_valid: "a warp leaves through issue port i in this cycle";
    input leave_full: "its mask is all ones";
    output full_count: "waiting warps with a full mask";
    output partial_count: "waiting warps with a partial mask";
}

impl Logic for GroupCounters {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, count);
        self.enter[0].next = self.enter_valid.val() & !self.enter_full.val();
        self.enter[1].next = self.enter_valid.val() & self.enter_full.val();
        self.leave[0].next = self.leave_valid.val() & !self.leave_full.val();
        self.leave[1].next = self.leave_valid.val() & self.leave_full.val();
        comment!("Six bits hold 31 and two more.");
        self.wide[0].next = bit_cast::<6, 5>(self.count.q[0].val());
        self.wide[1].next = bit_cast::<6, 5>(self.count.q[1].val());
        for g in 0..2 {
            self.gain[g].next = self.wide[g].val()
                + self.enter[g].val().get_bit(0)
                + self.enter[g].val().get_bit(1);
        }
        for g in 0..2 {
            self.loss[g].next =
                bits::<6>(0) + self.leave[g].val().get_bit(0) + self.leave[g].val().get_bit(1);
        }
        for g in 0..2 {
            self.net[g].next = self.gain[g].val() - self.loss[g].val();
        }
        for g in 0..2 {
            self.count.d[g].next = self.net[g].val().get_bits::<5>(0);
            if self.gain[g].val() < self.loss[g].val() {
                self.count.d[g].next = 0.into();
            } else if self.net[g].val().get_bit(5) {
                self.count.d[g].next = 31.into();
            }
        }
        self.partial_count.next = self.count.q[0].val();
        self.full_count.next = self.count.q[1].val();
    }
}
