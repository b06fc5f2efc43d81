//! The two worked examples of the CRISP paper, and what every model has to make of them.
//!
//! Figures 1 and 6. They serve as exact tests of the golden models, the RTL and the exported Verilog.

/// A miss: its first cycle and how many cycles it is outstanding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Miss {
    /// The cycle in which it starts.
    pub start: u32,
    /// Cycles until its data is back, the first and the last included.
    pub length: u32,
}

/// What happens in which cycle of an example, and what the counters must say afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Cycles from start to end.
    pub cycles: u32,
    /// The misses; slot i holds the i-th.
    pub misses: &'static [Miss],
    /// Cycles lost to loads.
    pub load_stalls: &'static [u32],
    /// Cycles lost to stores.
    pub store_stalls: &'static [u32],
    /// What the counters hold at the end.
    pub counters: Expected,
}

/// The counters of every model at the end of an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// CRISP's adjusted load critical path.
    pub t_lcp: u32,
    /// CRISP-L's load critical path.
    pub light_lcp: u32,
    /// Load stalls of CRISP and CRISP-L; the memory time of STALL.
    pub load_stalls: u32,
    /// Store stalls of CRISP and CRISP-L.
    pub store_stalls: u32,
    /// Memory time of LEAD.
    pub lead: u32,
    /// Memory time of MISS.
    pub miss: u32,
    /// Memory time of CRIT.
    pub crit: u32,
}

/// The latency that the examples charge in the MISS model.
pub const MISS_LATENCY: u16 = 8;

/// The CPU program of figure 1: misses A, B and C.
pub const CPU: Example = Example {
    cycles: 33,
    misses: &[
        Miss { start: 0, length: 8 },
        Miss { start: 12, length: 7 },
        Miss { start: 14, length: 12 },
    ],
    load_stalls: &[1, 2, 3, 4, 5, 6, 7, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25],
    store_stalls: &[],
    counters: Expected {
        t_lcp: 22,
        light_lcp: 22,
        load_stalls: 18,
        store_stalls: 0,
        lead: 15,
        miss: 16,
        crit: 20,
    },
};

/// The GPU program of figure 6: misses A, B, C and D.
pub const GPU: Example = Example {
    cycles: 31,
    misses: &[
        Miss { start: 0, length: 8 },
        Miss { start: 12, length: 5 },
        Miss { start: 14, length: 12 },
        Miss { start: 23, length: 5 },
    ],
    load_stalls: &[7, 24, 25, 27],
    store_stalls: &[29],
    counters: Expected {
        t_lcp: 21,
        light_lcp: 24,
        load_stalls: 4,
        store_stalls: 1,
        lead: 18,
        miss: 24,
        crit: 20,
    },
};

impl Example {
    /// Slots whose miss starts in this cycle.
    pub fn starts(&self, cycle: u32) -> impl Iterator<Item = u8> + '_ {
        self.slots(move |miss| miss.start == cycle)
    }

    /// Slots whose miss has its last cycle now.
    pub fn ends(&self, cycle: u32) -> impl Iterator<Item = u8> + '_ {
        self.slots(move |miss| miss.start + miss.length - 1 == cycle)
    }

    /// Whether a miss is outstanding in this cycle.
    pub fn outstanding(&self, cycle: u32) -> bool {
        self.misses.iter().any(|miss| (miss.start..miss.start + miss.length).contains(&cycle))
    }

    /// Whether the cycle is lost to a load.
    pub fn load_stall(&self, cycle: u32) -> bool {
        self.load_stalls.contains(&cycle)
    }

    /// Whether the cycle is lost to stores.
    pub fn store_stall(&self, cycle: u32) -> bool {
        self.store_stalls.contains(&cycle)
    }

    fn slots(&self, which: impl Fn(&Miss) -> bool) -> impl Iterator<Item = u8> {
        (0u8..).zip(self.misses).filter(move |(_, miss)| which(miss)).map(|(slot, _)| slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crisp::prediction::{linear_time, Counters, Parts, Rescale};

    const HALF: Rescale = Rescale { from_mhz: 700, to_mhz: 350 };

    /// Time at half the frequency by LEAD, MISS, CRIT, STALL, CRISP and CRISP-L.
    fn times_at_half(example: &Example) -> [f64; 6] {
        let &Example { cycles, counters, .. } = example;
        let cycles = cycles.into();
        let linear = |t_mem: u32| linear_time(cycles, t_mem.into(), HALF);
        let crisp = |lcp: u32| {
            let (load_stalls, store_stalls) =
                (counters.load_stalls.into(), counters.store_stalls.into());
            Counters { cycles, lcp: lcp.into(), load_stalls, store_stalls }.parts().time(HALF)
        };
        [
            linear(counters.lead),
            linear(counters.miss),
            linear(counters.crit),
            linear(counters.load_stalls),
            crisp(counters.t_lcp),
            crisp(counters.light_lcp),
        ]
    }

    #[test]
    fn cpu_example_at_half_the_frequency() {
        assert_eq!(times_at_half(&CPU), [51.0, 50.0, 46.0, 48.0, 44.0, 44.0]);
    }

    #[test]
    fn gpu_example_at_half_the_frequency() {
        assert_eq!(times_at_half(&GPU), [44.0, 38.0, 42.0, 58.0, 52.0, 52.0]);
    }

    #[test]
    fn the_two_evaluations_of_the_gpu_example_differ_by_cycle_27() {
        // The hardware's counters: cycle 27 is a load stall and lengthens the path.
        let hardware = Counters { cycles: 31, lcp: 21, load_stalls: 4, store_stalls: 1 }.parts();
        let adjusted = Parts { lcp: 21, lcp_compute: 17, csp_compute: 9, store_stalls: 1 };
        assert_eq!(hardware, adjusted);
        assert_eq!(adjusted.time(HALF), 52.0);
        // The paper's text: the path without stalls, and cycle 27 among the computation.
        let unadjusted = Parts { lcp: 20, lcp_compute: 17, csp_compute: 10, store_stalls: 1 };
        assert_eq!(unadjusted.time(HALF), 54.0);
    }
}
