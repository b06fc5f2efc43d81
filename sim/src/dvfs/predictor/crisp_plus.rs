//! Ours: two bounds on the run time, the core's and memory's, and how sharply one takes over from the other.
//!
//! - *Core.* Cycles of computation stretch with the clock. Under a load, cycles that issued nothing do not count, for
//!   other warps fill them once memory is relatively faster; nor does [`FILLED`] of those that issued one
//!   instruction.
//! - *Memory.* What memory needs, queues included, does not depend on the core's clock.
//!
//! The run time is the norm of the two. An order of one is their sum: nothing overlaps. A high order is the larger
//! of them: computation is hidden until it fills the time that memory takes, and no longer, as CRISP has it for all that lies
//! on its load critical path. Three shares say which order a kernel has:
//!
//! - cycles in which the head of the LD/ST queue waits for the memory side: there is always a next access, memory is
//!   the limit and computation is hidden;
//! - stalls: if memory is not the limit, warps wait for its latency, and computation delays their next access;
//! - warps that wait for the pipeline: the way of a warp is mostly computation.
//!
//! One rule serves both directions. Block `crisp_plus` has all of it: six 32-bit counters, 24 bytes or 3.6 % of CRISP's 668, that
//! of active cycles apart, as the paper counts. Of CRISP only the classifier is needed beside it.

use super::Predictor;
use crate::crisp::prediction::Rescale;
use crate::crisp::Reading;

/// Of the cycles under loads that issue one instruction, how many find a second one at a lower clock. This and the
/// weights below were fitted to the kernels of the study.
const FILLED: f64 = 0.25;
/// Logarithm of the order less one, where nothing blocks, stalls or computes.
const BASE: f64 = 2.2;
/// By how much the share of blocked cycles raises it.
const BLOCKED: f64 = 3.5;
/// By how much the share of stalls lowers it.
const STALLED: f64 = 5.5;
/// By how much the share of computing warps lowers it.
const COMPUTING: f64 = 5.9;
/// A norm of higher order is not to be told from the maximum.
const HIGHEST: f64 = 12.0;

/// See the module's text.
pub struct CrispPlus;

impl Predictor for CrispPlus {
    fn name(&self) -> &'static str {
        "crisp-plus"
    }

    fn cycles(&self, interval: &Reading, change: Rescale) -> f64 {
        let cycles = interval.active_cycles as f64;
        let stretch = change.stretch();
        if interval.live_warps == 0 {
            return cycles * stretch;
        }
        let share = |cycles_so: u64| cycles_so as f64 / cycles;
        let stalls = share(interval.stalls);
        let free = share(interval.idle_under_loads) + FILLED * share(interval.single_under_loads);
        // What is left of all cycles may be rounded to less than nothing.
        let core = (1.0 - stalls - free).max(0.0);
        let computing = interval.computing_warps as f64 / interval.live_warps as f64;
        let sharp = BASE + BLOCKED * share(interval.blocked_cycles)
            - STALLED * stalls
            - COMPUTING * computing;
        let order = (1.0 + sharp.exp()).min(HIGHEST);
        let memory = 1.0 - core.powf(order);
        cycles * (memory + (core * stretch).powf(order)).powf(1.0 / order)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: Rescale = Rescale { from_mhz: 700, to_mhz: 350 };
    const TWICE: Rescale = Rescale { from_mhz: 350, to_mhz: 700 };

    /// A thousand cycles of ten warps, so many of which compute; so many cycles stall, and in so many the LD/ST
    /// queue is blocked.
    fn reading(computing: u64, stalls: u64, blocked: u64) -> Reading {
        Reading {
            active_cycles: 1000,
            stalls,
            blocked_cycles: blocked,
            live_warps: 10_000,
            computing_warps: 1000 * computing,
            ..Reading::default()
        }
    }

    fn stretch(reading: Reading, change: Rescale) -> f64 {
        CrispPlus.stretch(&reading, change)
    }

    #[test]
    fn computation_takes_time_by_the_clock_and_waiting_does_not() {
        let computing = reading(10, 0, 0);
        assert!((stretch(computing, HALF) - 2.0).abs() < 1e-9);
        assert!((stretch(computing, TWICE) - 0.5).abs() < 1e-9);
        let waiting = reading(0, 1000, 1000);
        assert!((stretch(waiting, HALF) - 1.0).abs() < 1e-9);
        assert!((stretch(waiting, TWICE) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_warp_that_waits_for_each_load_feels_all_of_its_computation() {
        // One warp, a tenth of its way computation, nothing in the queue.
        let found = stretch(reading(1, 900, 0), HALF);
        assert!((found - 1.1).abs() < 0.03, "{found}");
    }

    #[test]
    fn a_full_queue_hides_computation_until_it_fills_the_time() {
        let queue = reading(1, 600, 1000);
        let slower = |mhz: u32| stretch(queue, Rescale { from_mhz: 700, to_mhz: mhz });
        assert!(slower(500) < 1.03, "{}", slower(500));
        // At the lowest clock 0.4 of the cycles are seven times as long.
        assert!((slower(100) / 2.8 - 1.0).abs() < 0.02, "{}", slower(100));
        let latency = Reading { blocked_cycles: 0, ..queue };
        assert!(stretch(latency, HALF) > stretch(queue, HALF) + 0.1);
    }

    #[test]
    fn cycles_under_loads_that_issue_less_than_they_could_do_not_stretch_in_full() {
        let under = |idle: u64, single: u64| {
            let queue = reading(0, 600, 1000);
            let counted = Reading { idle_under_loads: idle, single_under_loads: single, ..queue };
            stretch(counted, Rescale { from_mhz: 700, to_mhz: 100 })
        };
        assert!(under(100, 0) < 0.8 * under(0, 0));
        assert!(under(0, 100) < under(0, 0) && under(0, 100) > under(100, 0));
    }

    #[test]
    fn an_interval_without_warps_that_run_is_the_cores() {
        let draining = Reading { active_cycles: 1000, ..Reading::default() };
        assert!((stretch(draining, HALF) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn no_share_breaks_it() {
        let under = Reading { idle_under_loads: 300, ..reading(10, 700, 1000) };
        for wild in [reading(10, 0, 1000), reading(0, 1000, 1000), reading(10, 1000, 0), under] {
            let found = stretch(wild, Rescale { from_mhz: 700, to_mhz: 1 });
            assert!(found.is_finite() && found >= 1.0, "{found}");
        }
    }
}
