//! Measures the longest chain of dependent load misses: the memory time of the CRIT model.
//!
//! CRISP, section 2.1, critical path: the timestamps of `crisp_counters` without the stall increment.

use super::load_critical_path::LoadCriticalPath;
use crate::prelude::*;

/// The critical path of one SM. For the parameters see [`LoadCriticalPath`].
#[derive(LogicBlock)]
pub struct CritModel<
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
    pub(crate) t_mem: Signal<Out, Bits<WIDTH>>,
    pub(crate) cycles: Signal<Out, Bits<WIDTH>>,
    pub(crate) outstanding: Signal<Out, Bit>,
    pub(crate) overflow: Signal<Out, Bit>,
    path: LoadCriticalPath<SLOTS, SLOT_BITS, PORTS, WIDTH>,
}

rtl_block! {
    CritModel<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize, const WIDTH: usize>,
    "crit_model" in "crisp", clocked,
    Crisp "2.1 critical path (CRIT)",
    "Measures the longest chain of dependent load misses: the memory time of the CRIT model. \
     Reset it at the start of each kernel.",
    input start_valid: "a miss starts on port p";
    input start_slot: "its slot, free or freed in this cycle; anything else is ignored";
    input end_valid: "a miss ends on port p; this is its last cycle";
    input end_slot: "its slot; ignored if no miss is in it";
    output t_mem: "length of the longest chain in cycles";
    output cycles: "cycles since reset";
    output outstanding: "a miss is outstanding in this cycle, its first and last included";
    output overflow: "cycles has wrapped since reset: the counters mean nothing any more";
}

impl<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize, const WIDTH: usize> Default
    for CritModel<SLOTS, SLOT_BITS, PORTS, WIDTH>
{
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            start_valid: std::array::from_fn(|_| Default::default()),
            start_slot: std::array::from_fn(|_| Default::default()),
            end_valid: std::array::from_fn(|_| Default::default()),
            end_slot: std::array::from_fn(|_| Default::default()),
            t_mem: Default::default(),
            cycles: Default::default(),
            outstanding: Default::default(),
            overflow: Default::default(),
            path: Default::default(),
        }
    }
}

impl<const SLOTS: usize, const SLOT_BITS: usize, const PORTS: usize, const WIDTH: usize> Logic
    for CritModel<SLOTS, SLOT_BITS, PORTS, WIDTH>
{
    #[hdl_gen]
    fn update(&mut self) {
        self.path.clock.next = self.clock.val();
        self.path.reset.next = self.reset.val();
        for p in 0..PORTS {
            self.path.start_valid[p].next = self.start_valid[p].val();
            self.path.start_slot[p].next = self.start_slot[p].val();
            self.path.end_valid[p].next = self.end_valid[p].val();
            self.path.end_slot[p].next = self.end_slot[p].val();
        }
        self.path.advance.next = false;
        self.t_mem.next = self.path.t_lcp.val();
        self.cycles.next = self.path.cycles.val();
        self.outstanding.next = self.path.outstanding.val();
        self.overflow.next = self.path.overflow.val();
    }
}
