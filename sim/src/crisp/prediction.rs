//! Predicts the run time of a kernel at another core frequency from counters at the present one.
//!
//! CRISP, sections 3.1 to 3.3 and 5.2. All times are in cycles of the present frequency, since memory
//! does not share the core's clock.

/// A change of the core clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rescale {
    /// The frequency at which the counters were taken.
    pub from_mhz: u32,
    /// The frequency asked about.
    pub to_mhz: u32,
}

impl Rescale {
    /// How much longer a core cycle gets.
    pub fn stretch(self) -> f64 {
        f64::from(self.from_mhz) / f64::from(self.to_mhz)
    }

    fn is_slower(self) -> bool {
        self.to_mhz < self.from_mhz
    }
}

/// The counters of `crisp_counters` (or, with its `lcp`, of `crisp_light`) over an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counters {
    /// All cycles.
    pub cycles: u64,
    /// Load critical path.
    pub lcp: u64,
    /// Cycles lost to loads, at most `lcp`.
    pub load_stalls: u64,
    /// Cycles lost to stores, at most `cycles - lcp`.
    pub store_stalls: u64,
}

impl Counters {
    /// Splits the interval into the parts that scale differently.
    ///
    /// Since kernel start the counters' identities make every part non-negative. Over an interval the path can
    /// grow by more than the interval, when a miss that began before it ends in it; what is too much is cut.
    pub fn parts(self) -> Parts {
        let store_stalls = self.store_stalls.min(self.cycles);
        let lcp = self.lcp.min(self.cycles - store_stalls);
        Parts {
            lcp,
            lcp_compute: lcp.saturating_sub(self.load_stalls),
            csp_compute: self.cycles - lcp - store_stalls,
            store_stalls,
        }
    }
}

/// Time on the load critical path and on the compute/store path (CSP), and the computation in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Load critical path: its length does not depend on the core clock, as long as the computation
    /// under it fits.
    pub lcp: u64,
    /// Computation hidden under the load critical path.
    pub lcp_compute: u64,
    /// Computation on the compute/store path.
    pub csp_compute: u64,
    /// Stalls on the compute/store path; they shrink as its computation stretches.
    pub store_stalls: u64,
}

impl Parts {
    /// Run time after the change.
    ///
    /// Towards a higher frequency it cannot be told which computation would become hidden, so the paper
    /// takes stalls for fixed there.
    pub fn time(self, change: Rescale) -> f64 {
        let stretch = change.stretch();
        let [lcp, lcp_compute, csp_compute, store_stalls] =
            [self.lcp, self.lcp_compute, self.csp_compute, self.store_stalls]
                .map(|cycles| cycles as f64);
        if change.is_slower() {
            lcp.max(lcp_compute * stretch) + (csp_compute + store_stalls).max(csp_compute * stretch)
        } else {
            lcp + store_stalls + csp_compute * stretch
        }
    }
}

/// Run time by STALL, MISS, LEAD and CRIT: all but the memory time stretches with the clock.
///
/// MISS can charge more memory time than there was, so computation may come out negative; that is the
/// model's error to show, not ours to hide.
pub fn linear_time(cycles: u64, t_mem: u64, change: Rescale) -> f64 {
    let (cycles, t_mem) = (cycles as f64, t_mem as f64);
    (cycles - t_mem) * change.stretch() + t_mem
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: Rescale = Rescale { from_mhz: 700, to_mhz: 350 };
    const DOUBLE: Rescale = Rescale { from_mhz: 350, to_mhz: 700 };
    const SAME: Rescale = Rescale { from_mhz: 700, to_mhz: 700 };

    #[test]
    fn the_present_frequency_predicts_the_present_time() {
        let counters = Counters { cycles: 31, lcp: 21, load_stalls: 4, store_stalls: 1 };
        assert_eq!(counters.parts().time(SAME), 31.0);
        assert_eq!(linear_time(31, 18, SAME), 31.0);
    }

    #[test]
    fn a_higher_frequency_shortens_only_exposed_computation() {
        let counters = Counters { cycles: 31, lcp: 21, load_stalls: 4, store_stalls: 1 };
        assert_eq!(counters.parts().time(DOUBLE), 21.0 + 1.0 + 4.5);
    }

    #[test]
    fn memory_bound_kernels_have_two_slopes() {
        // Half of the critical path is computation: flat down to half the clock, then linear.
        let parts = Counters { cycles: 100, lcp: 100, load_stalls: 50, store_stalls: 0 }.parts();
        assert_eq!(parts.time(HALF), 100.0);
        assert_eq!(parts.time(Rescale { from_mhz: 700, to_mhz: 175 }), 200.0);
    }

    #[test]
    fn store_stalls_vanish_as_computation_stretches() {
        let parts = Counters { cycles: 10, lcp: 0, load_stalls: 0, store_stalls: 6 }.parts();
        assert_eq!(parts.time(HALF), 10.0);
        assert_eq!(parts.time(Rescale { from_mhz: 700, to_mhz: 175 }), 16.0);
    }
}
