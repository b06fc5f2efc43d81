//! Counts the cycles that the core waits for loads: the memory time of the STALL model.
//!
//! CRISP, section 2.1, stall time. Computation under a miss before the core stalls is not seen, so STALL
//! overpredicts run time; it is the cheapest of the compared models.

use crate::prelude::*;

/// One counter of `WIDTH` bits.
#[derive(LogicBlock, Default)]
pub struct StallModel<const WIDTH: usize> {
    pub(crate) clock: Signal<In, Clock>,
    pub(crate) reset: Signal<In, Bit>,
    pub(crate) load_stall: Signal<In, Bit>,
    pub(crate) t_mem: Signal<Out, Bits<WIDTH>>,
    pub(crate) overflow: Signal<Out, Bit>,
    count: Reg<Bits<WIDTH>>,
    wrapped: Reg<Bit>,
}

rtl_block! {
    StallModel<const WIDTH: usize>,
    "stall_model" in "crisp", clocked,
    Crisp "2.1 stall time (STALL)",
    "Counts the cycles that the core waits for loads: the memory time of the STALL model. \
     Reset it at the start of each kernel.",
    input load_stall: "the cycle is lost to a load";
    output t_mem: "cycles lost to loads";
    output overflow: "t_mem has wrapped since reset";
}

impl<const WIDTH: usize> Logic for StallModel<WIDTH> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, count, wrapped);
        self.count.d.next = self.count.q.val() + self.load_stall.val();
        self.wrapped.d.next =
            self.wrapped.q.val() | (self.load_stall.val() & self.count.q.val().all());
        self.t_mem.next = self.count.q.val();
        self.overflow.next = self.wrapped.q.val();
    }
}
