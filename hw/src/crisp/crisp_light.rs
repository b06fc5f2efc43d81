//! Keeps the counters of CRISP-L, which takes every cycle with a load outstanding for critical.
//!
//! CRISP, section 5.3. Three counters and no timestamps: 98 % of CRISP's storage is gone, for a slightly
//! larger error and more slowdown at the best operating point. As in `crisp_counters` a stall with a miss
//! outstanding is a load's and one without is a store's, so that `load_stalls <= lcp` holds and
//! `lcp + store_stalls` never exceeds the cycles since reset; the other combination counts nothing.

use crate::prelude::*;

/// The counters of one SM, `WIDTH` bits each.
#[derive(LogicBlock, Default)]
pub struct CrispLight<const WIDTH: usize> {
    pub(crate) clock: Signal<In, Clock>,
    pub(crate) reset: Signal<In, Bit>,
    pub(crate) load_outstanding: Signal<In, Bit>,
    pub(crate) load_stall: Signal<In, Bit>,
    pub(crate) store_stall: Signal<In, Bit>,
    pub(crate) lcp: Signal<Out, Bits<WIDTH>>,
    pub(crate) load_stalls: Signal<Out, Bits<WIDTH>>,
    pub(crate) store_stalls: Signal<Out, Bits<WIDTH>>,
    pub(crate) overflow: Signal<Out, Bit>,
    path: Reg<Bits<WIDTH>>,
    load_count: Reg<Bits<WIDTH>>,
    store_count: Reg<Bits<WIDTH>>,
    wrapped: Reg<Bit>,
    counts_store: Signal<Local, Bit>,
}

rtl_block! {
    CrispLight<const WIDTH: usize>,
    "crisp_light" in "crisp", clocked,
    Crisp "5.3 simplified CRISP model (CRISP-L)",
    "Keeps the counters of CRISP-L, which takes every cycle with a load outstanding for critical: \
     no timestamps, three counters. Reset it at the start of each kernel.",
    input load_outstanding: "an L1 miss is outstanding, its first and last cycle included";
    input load_stall: "the cycle is lost to a load; ignored with no miss outstanding";
    input store_stall: "the cycle is lost to stores; ignored with a miss outstanding";
    output lcp: "cycles with a miss outstanding";
    output load_stalls: "cycles lost to loads";
    output store_stalls: "cycles lost to stores";
    output overflow: "a counter has wrapped since reset: they mean nothing any more";
}

impl<const WIDTH: usize> Logic for CrispLight<WIDTH> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, path, load_count, store_count, wrapped);
        self.counts_store.next = self.store_stall.val() & !self.load_outstanding.val();
        self.path.d.next = self.path.q.val() + self.load_outstanding.val();
        self.load_count.d.next =
            self.load_count.q.val() + (self.load_stall.val() & self.load_outstanding.val());
        self.store_count.d.next = self.store_count.q.val() + self.counts_store.val();
        comment!("Load stalls are among the cycles of the path, which wraps first.");
        self.wrapped.d.next = self.wrapped.q.val()
            | (self.load_outstanding.val() & self.path.q.val().all())
            | (self.counts_store.val() & self.store_count.q.val().all());
        self.lcp.next = self.path.q.val();
        self.load_stalls.next = self.load_count.q.val();
        self.store_stalls.next = self.store_count.q.val();
        self.overflow.next = self.wrapped.q.val();
    }
}
