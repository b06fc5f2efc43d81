//! Charges a fixed latency for each miss that no earlier one hides: the memory time of the MISS model.
//!
//! CRISP, section 2.1, miss model. A miss is initial if it does not fall within the latency of the
//! initial miss before it, whose own cycle is the first of that window; misses inside the window are
//! taken to overlap and are ignored. The product of count and latency is kept as a running sum, so that
//! no multiplier is needed and the latency may change from one initial miss to the next.

use crate::prelude::*;

/// A window and two counters of `WIDTH` bits (10 at least).
///
/// 10 bits of latency reach 1023 core cycles, beyond an unloaded DRAM access at any P-state.
#[derive(LogicBlock, Default)]
pub struct MissModel<const WIDTH: usize> {
    pub(crate) clock: Signal<In, Clock>,
    pub(crate) reset: Signal<In, Bit>,
    pub(crate) miss: Signal<In, Bit>,
    pub(crate) cfg_latency: Signal<In, Bits<10>>,
    pub(crate) t_mem: Signal<Out, Bits<WIDTH>>,
    pub(crate) misses: Signal<Out, Bits<WIDTH>>,
    pub(crate) overflow: Signal<Out, Bit>,
    window: Reg<Bits<10>>,
    time: Reg<Bits<WIDTH>>,
    count: Reg<Bits<WIDTH>>,
    wrapped: Reg<Bit>,
    longer: Signal<Local, Bits<WIDTH>>,
}

rtl_block! {
    MissModel<const WIDTH: usize>,
    "miss_model" in "crisp", clocked,
    Crisp "2.1 miss model (MISS)",
    "Charges a fixed latency for each miss that no earlier one hides: the memory time of the MISS \
     model. A miss within cfg_latency cycles of an initial miss is ignored. \
     Reset it at the start of each kernel.",
    input miss: "one or more misses start in this cycle";
    input cfg_latency: "latency charged, taken at each initial miss; 0 hides nothing and charges nothing";
    output t_mem: "initial misses times latency";
    output misses: "initial misses";
    output overflow: "t_mem or misses has wrapped since reset";
}

impl<const WIDTH: usize> Logic for MissModel<WIDTH> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, window, time, count, wrapped);
        self.longer.next = self.time.q.val() + bit_cast::<WIDTH, 10>(self.cfg_latency.val());
        comment!(
            "The window holds the cycles after this one that the last initial miss still hides."
        );
        if self.window.q.val().any() {
            self.window.d.next = self.window.q.val() - 1;
        } else if self.miss.val() {
            if self.cfg_latency.val().any() {
                self.window.d.next = self.cfg_latency.val() - 1;
            }
            self.time.d.next = self.longer.val();
            self.count.d.next = self.count.q.val() + 1;
            comment!("A sum that shrinks has wrapped.");
            self.wrapped.d.next = self.wrapped.q.val()
                | (self.longer.val() < self.time.q.val())
                | self.count.q.val().all();
        }
        self.t_mem.next = self.time.q.val();
        self.misses.next = self.count.q.val();
        self.overflow.next = self.wrapped.q.val();
    }
}
