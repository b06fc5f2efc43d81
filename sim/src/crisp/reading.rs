//! What the counters of CRISP, of `crisp-plus` and of the models they are compared with have counted.

use super::prediction::Counters;
use crate::machine::counters::counters;

counters! {
    /// Counters of one SM, or their sum over several, since the start or over an interval.
    pub struct Reading {
        /// Core cycles.
        cycles,
        /// Adjusted load critical path of CRISP.
        t_lcp,
        /// Cycles lost to loads.
        load_stalls,
        /// Cycles lost to stores.
        store_stalls,
        /// Cycles in which the SM had warps: the time that there is to divide. An SM without warps waits for the
        /// others, so its cycles say nothing about what limits the kernel. This and the next six are counted by
        /// `crisp_plus`, in such cycles only.
        active_cycles,
        /// Cycles lost to loads or stores.
        stalls,
        /// Cycles with a miss outstanding that count as computation though nothing issued.
        idle_under_loads,
        /// Cycles with a miss outstanding that count as computation and issued one instruction.
        single_under_loads,
        /// Cycles in which the head of the LD/ST queue waits for the memory side.
        blocked_cycles,
        /// Warps with something to run that are not at a barrier, summed over cycles.
        live_warps,
        /// Live warps that wait for the pipeline, summed over cycles.
        computing_warps,
        /// Load critical path of CRISP-L: cycles with a miss outstanding.
        light_lcp,
        /// Memory time of STALL.
        stall,
        /// Memory time of MISS.
        miss,
        /// Memory time of LEAD.
        lead,
        /// Memory time of CRIT.
        crit,
    }
}

impl Reading {
    /// What CRISP predicts from.
    pub fn counters(&self) -> Counters {
        Counters {
            cycles: self.active_cycles,
            lcp: self.t_lcp,
            load_stalls: self.load_stalls,
            store_stalls: self.store_stalls,
        }
    }
}
