//! Keeps the counters from which `crisp-plus` predicts run time at another frequency: what warps wait for
//! instead of how long the path of loads is.
//!
//! Ours, beside section 3.6 of CRISP: six counters and that of active cycles, no timestamps. A cycle in which
//! the SM has no warp counts nothing. The other cycles are stalls, cycles of computation under a load that
//! issue nothing or one instruction, or something else; in each the warps that run are counted, and those of
//! them that wait for the pipeline. Three identities hold until the counters overflow, and are proved:
//! `stalls + idle_under_loads + single_under_loads <= active_cycles`, `blocked_cycles <= active_cycles` and
//! `computing_warps <= live_warps`. So two of the seven counters tell of overflow.

use crate::prelude::*;

/// The counters of one SM, `WIDTH` bits each, for `WARPS` warps; `COUNT` bits hold 0 to `WARPS`.
#[derive(LogicBlock, Default)]
pub struct CrispPlus<const WARPS: usize, const COUNT: usize, const WIDTH: usize> {
    pub(crate) clock: Signal<In, Clock>,
    pub(crate) reset: Signal<In, Bit>,
    pub(crate) active: Signal<In, Bit>,
    pub(crate) issued: Signal<In, Bits<2>>,
    pub(crate) load_outstanding: Signal<In, Bit>,
    pub(crate) load_stall: Signal<In, Bit>,
    pub(crate) store_stall: Signal<In, Bit>,
    pub(crate) memory_blocked: Signal<In, Bit>,
    pub(crate) live: Signal<In, Bits<WARPS>>,
    pub(crate) computing: Signal<In, Bits<WARPS>>,
    pub(crate) active_cycles: Signal<Out, Bits<WIDTH>>,
    pub(crate) stalls: Signal<Out, Bits<WIDTH>>,
    pub(crate) idle_under_loads: Signal<Out, Bits<WIDTH>>,
    pub(crate) single_under_loads: Signal<Out, Bits<WIDTH>>,
    pub(crate) blocked_cycles: Signal<Out, Bits<WIDTH>>,
    pub(crate) live_warps: Signal<Out, Bits<WIDTH>>,
    pub(crate) computing_warps: Signal<Out, Bits<WIDTH>>,
    pub(crate) overflow: Signal<Out, Bit>,
    cycle_count: Reg<Bits<WIDTH>>,
    stall_count: Reg<Bits<WIDTH>>,
    idle_count: Reg<Bits<WIDTH>>,
    single_count: Reg<Bits<WIDTH>>,
    blocked_count: Reg<Bits<WIDTH>>,
    live_sum: Reg<Bits<WIDTH>>,
    computing_sum: Reg<Bits<WIDTH>>,
    wrapped: Reg<Bit>,
    stalled: Signal<Local, Bit>,
    computes: Signal<Local, Bit>,
    live_now: Signal<Local, Bits<COUNT>>,
    computing_now: Signal<Local, Bits<COUNT>>,
    live_next: Signal<Local, Bits<WIDTH>>,
}

rtl_block! {
    CrispPlus<const WARPS: usize, const COUNT: usize, const WIDTH: usize>,
    "crisp_plus" in "crisp", clocked,
    Crisp "ours, in place of 3.6: what warps wait for",
    "Keeps the counters from which crisp-plus predicts run time at another frequency: stalls, what the \
     cycles of computation under a load issue, and what warps wait for. Until overflow \
     stalls + idle_under_loads + single_under_loads <= active_cycles, blocked_cycles <= active_cycles \
     and computing_warps <= live_warps. Reset it at the start of each kernel.",
    input active: "a warp is resident; without one the cycle counts nothing";
    input issued: "instructions issued in this cycle: 0, 1 or 2; 3 counts as 2";
    input load_outstanding: "an L1 miss is outstanding, its first and last cycle included";
    input load_stall: "the cycle is lost to a load; ignored with no miss outstanding";
    input store_stall: "the cycle is lost to stores; ignored with a miss outstanding";
    input memory_blocked: "the head of the load-store queue waits for the memory side";
    input live: "warp i has something to run and is not at a barrier";
    input computing: "its next instruction waits for the pipeline; ignored if it is not live";
    output active_cycles: "cycles with a warp";
    output stalls: "of these, lost to loads or stores";
    output idle_under_loads: "of these, computation with a miss outstanding that issued nothing";
    output single_under_loads: "the same, that issued one instruction";
    output blocked_cycles: "of these, with the load-store queue waiting for the memory side";
    output live_warps: "live warps, summed over cycles";
    output computing_warps: "those that wait for the pipeline, summed over cycles";
    output overflow: "a counter has wrapped since reset: they mean nothing any more";
}

impl<const WARPS: usize, const COUNT: usize, const WIDTH: usize> Logic
    for CrispPlus<WARPS, COUNT, WIDTH>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, cycle_count, stall_count, idle_count, single_count, blocked_count);
        dff_setup!(self, clock, live_sum, computing_sum, wrapped);

        comment!("A stall with a miss outstanding is a load's, one without is a store's.");
        self.stalled.next = (self.load_stall.val() & self.load_outstanding.val())
            | (self.store_stall.val() & !self.load_outstanding.val());
        self.computes.next =
            self.active.val() & self.load_outstanding.val() & !self.load_stall.val();
        self.cycle_count.d.next = self.cycle_count.q.val() + self.active.val();
        self.stall_count.d.next =
            self.stall_count.q.val() + (self.active.val() & self.stalled.val());
        self.idle_count.d.next = self.idle_count.q.val()
            + (self.computes.val() & !self.issued.val().get_bit(1) & !self.issued.val().get_bit(0));
        self.single_count.d.next = self.single_count.q.val()
            + (self.computes.val() & !self.issued.val().get_bit(1) & self.issued.val().get_bit(0));
        self.blocked_count.d.next =
            self.blocked_count.q.val() + (self.active.val() & self.memory_blocked.val());

        comment!("Warps are counted by a loop, from which synthesis makes a tree of adders.");
        self.live_now.next = 0.into();
        self.computing_now.next = 0.into();
        if self.active.val() {
            for i in 0..WARPS {
                self.live_now.next = self.live_now.val() + self.live.val().get_bit(i);
                self.computing_now.next = self.computing_now.val()
                    + (self.live.val().get_bit(i) & self.computing.val().get_bit(i));
            }
        }
        self.live_next.next = self.live_sum.q.val() + bit_cast::<WIDTH, COUNT>(self.live_now.val());
        self.live_sum.d.next = self.live_next.val();
        self.computing_sum.d.next =
            self.computing_sum.q.val() + bit_cast::<WIDTH, COUNT>(self.computing_now.val());

        comment!("No counter is larger than that of the cycles or the sum of live warps.");
        self.wrapped.d.next = self.wrapped.q.val()
            | (self.active.val() & self.cycle_count.q.val().all())
            | (self.live_next.val() < self.live_sum.q.val());
        self.active_cycles.next = self.cycle_count.q.val();
        self.stalls.next = self.stall_count.q.val();
        self.idle_under_loads.next = self.idle_count.q.val();
        self.single_under_loads.next = self.single_count.q.val();
        self.blocked_cycles.next = self.blocked_count.q.val();
        self.live_warps.next = self.live_sum.q.val();
        self.computing_warps.next = self.computing_sum.q.val();
        self.overflow.next = self.wrapped.q.val();
    }
}
