//! Keeps the three counters from which CRISP predicts run time at another frequency.
//!
//! CRISP, section 3.6: the adjusted load critical path, which a load stall lengthens by one cycle, and
//! the stalls of loads and of stores. Everything else of the model follows from these and the number of
//! cycles by subtraction. Two identities hold until the counters overflow, and are proved:
//! `load_stalls <= t_lcp` and `t_lcp + store_stalls <= cycles`.
//!
//! They rest on one rule, the same as in the classifier: a stall with a miss outstanding is a load's, a
//! stall without one is a store's. The other combination is illegal and counts nothing.

use super::load_critical_path::LoadCriticalPath;
use crate::prelude::*;

/// The counters of one SM. For the parameters see [`LoadCriticalPath`].
#[derive(LogicBlock)]
pub struct CrispCounters<
    const SLOTS: usize,
    const SLOT_BITS: usize,
    const PORTS: usize,
    const WIDTH: usize,
> {
    pub(crate) clock: Signal<In, Clock>,
    pub(crate) reset: Signal<In, Bit>,
    pub(crate) start_valid: [Signal<In, Bit>; PORTS],
    pub(crate) start_slot: [Signal<In, Bits<SLOT_BITS>>; PORTS],
    pub(crate) end_valid: [Signal<In, Bit>; PORTS],
    pub(crate) end_slot: [Signal<In, Bits<SLOT_BITS>>; PORTS],
    pub(crate) load_stall: Signal<In, Bit>,
    pub(crate) store_stall: Signal<In, Bit>,
    pub(crate) t_lcp: Signal<Out, Bits<WIDTH>>,
    pub(crate) load_stalls: Signal<Out, Bits<WIDTH>>,
    pub(crate) store_stalls: Signal<Out, Bits<WIDTH>>,
    pub(crate) cycles: Signal<Out, Bits<WIDTH>>,
    pub(crate) outstanding: Signal<Out, Bit>,
    pub(crate) overflow: Signal<Out, Bit>,
    path: LoadCriticalPath<SLOTS, SLOT_BITS, PORTS, WIDTH>,
    load_count: Reg<Bits<WIDTH>>,
    store_count: Reg<Bits<WIDTH>>,
}

rtl_block! {
    CrispCounters<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize, const WIDTH: usize>,
    "crisp_counters" in "crisp", clocked,
    Crisp "3.6 hardware mechanism and overhead",
    "Keeps the three counters from which CRISP predicts run time at another frequency: the adjusted \
     load critical path, load stalls and store stalls. Until overflow load_stalls <= t_lcp and \
     t_lcp + store_stalls <= cycles. Reset it at the start of each kernel.",
    input start_valid: "a miss starts on port p";
    input start_slot: "its slot, free or freed in this cycle; anything else is ignored";
    input end_valid: "a miss ends on port p; this is its last cycle";
    input end_slot: "its slot; ignored if no miss is in it";
    input load_stall: "the cycle is lost to a load; ignored with no miss outstanding";
    input store_stall: "the cycle is lost to stores; ignored with a miss outstanding";
    output t_lcp: "adjusted load critical path";
    output load_stalls: "cycles lost to loads";
    output store_stalls: "cycles lost to stores";
    output cycles: "cycles since reset";
    output outstanding: "a miss is outstanding in this cycle, its first and last included";
    output overflow: "cycles has wrapped since reset: the counters mean nothing any more";
}

impl<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize, const WIDTH: usize> Default
    for CrispCounters<SLOTS, SLOT_BITS, PORTS, WIDTH>
{
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            start_valid: std::array::from_fn(|_| Default::default()),
            start_slot: std::array::from_fn(|_| Default::default()),
            end_valid: std::array::from_fn(|_| Default::default()),
            end_slot: std::array::from_fn(|_| Default::default()),
            load_stall: Default::default(),
            store_stall: Default::default(),
            t_lcp: Default::default(),
            load_stalls: Default::default(),
            store_stalls: Default::default(),
            cycles: Default::default(),
            outstanding: Default::default(),
            overflow: Default::default(),
            path: Default::default(),
            load_count: Default::default(),
            store_count: Default::default(),
        }
    }
}

impl<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize, const WIDTH: usize> Logic
    for CrispCounters<SLOTS, SLOT_BITS, PORTS, WIDTH>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, load_count, store_count);
        self.path.clock.next = self.clock.val();
        self.path.reset.next = self.reset.val();
        for p in 0..PORTS {
            self.path.start_valid[p].next = self.start_valid[p].val();
            self.path.start_slot[p].next = self.start_slot[p].val();
            self.path.end_valid[p].next = self.end_valid[p].val();
            self.path.end_slot[p].next = self.end_slot[p].val();
        }
        self.path.advance.next = self.load_stall.val();
        self.t_lcp.next = self.path.t_lcp.val();
        self.cycles.next = self.path.cycles.val();
        self.outstanding.next = self.path.outstanding.val();
        self.overflow.next = self.path.overflow.val();

        comment!("A stall with a miss outstanding is a load's, one without is a store's.");
        self.load_count.d.next =
            self.load_count.q.val() + (self.load_stall.val() & self.outstanding.val());
        self.store_count.d.next =
            self.store_count.q.val() + (self.store_stall.val() & !self.outstanding.val());
        self.load_stalls.next = self.load_count.q.val();
        self.store_stalls.next = self.store_count.q.val();
    }
}
