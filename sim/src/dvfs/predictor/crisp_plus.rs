//! Ours: bounds on the run time from what warps wait for, beside CRISP's classes of cycles.
//!
//! A warp goes round: it computes, queues for memory, and waits for what it loads. Three things bound how fast all
//! warps get round, and as the clock changes each bound moves in its own way:
//!
//! - *Latency.* The way of one warp, without queueing: its share of waiting for memory stays, its share of
//!   computing stretches with the cycle.
//! - *Memory.* What memory serves, at most, does not depend on the core's clock. There is a queue as far as memory is
//!   the limit: warps that wait for the LD/ST unit, and in stalls also those that are ready, since nothing else
//!   keeps them.
//! - *Core.* Cycles of computation stretch. Under a load, cycles that issued nothing do not count, for other warps fill
//!   them once memory is relatively faster; and of those that issued one instruction, as many find a second one
//!   as there are stalls now.
//!
//! The larger bound rules, and near where two meet both are felt: the run time is the norm of order [`ORDER`] of the
//! three. As the clock drops, the queue empties first, so computation is hidden as long as there is one, and no longer;
//! CRISP hides all of it as long as a load is outstanding. One rule serves both directions.
//!
//! Six 32-bit counters more than CRISP's, 24 bytes or 3.6 % of its 668. Without its load critical path and timestamps,
//! which this predictor does not read, eight are left: 32 bytes, cycle counters apart, as the paper counts.

use super::Predictor;
use crate::crisp::prediction::Rescale;
use crate::crisp::Reading;

/// How sharply one bound takes over from another; chosen on the kernels of the study, where 4 to 6 differ little.
const ORDER: i32 = 5;

/// See the module's text.
pub struct CrispPlus;

impl Predictor for CrispPlus {
    fn name(&self) -> &'static str {
        "crisp-plus"
    }

    fn cycles(&self, interval: &Reading, change: Rescale) -> f64 {
        let cycles = interval.active_cycles() as f64;
        let stretch = change.stretch();
        if interval.live_warps == 0 {
            return cycles * stretch;
        }
        let share = |warps: u64| warps as f64 / interval.live_warps as f64;
        let stalls = (interval.load_stalls + interval.store_stalls) as f64 / cycles;
        let [idle, single] = [interval.idle_under_loads, interval.single_under_loads]
            .map(|under_loads| under_loads as f64 / cycles);

        let queued = share(interval.ldst_warps) + share(interval.ready_warps) * stalls;
        let waiting = share(interval.memory_warps);
        let computing = (1.0 - waiting - queued).max(0.0);
        let core = (1.0 - stalls - idle - single * stalls / 2.0).clamp(0.0, 1.0);
        let memory = 1.0 - power(waiting + computing) - power(core);
        let time = |stretch: f64| {
            let latency = power(waiting + computing * stretch);
            (latency + memory.max(0.0) + power(core * stretch)).powf(1.0 / f64::from(ORDER))
        };
        cycles * time(stretch) / time(1.0)
    }
}

fn power(bound: f64) -> f64 {
    bound.powi(ORDER)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: Rescale = Rescale { from_mhz: 700, to_mhz: 350 };
    const TWICE: Rescale = Rescale { from_mhz: 350, to_mhz: 700 };

    /// A thousand cycles of ten warps, so many of which wait for memory, for the LD/ST unit, or for their turn.
    fn reading(memory: u64, ldst: u64, ready: u64, load_stalls: u64) -> Reading {
        Reading {
            cycles: 1000,
            load_stalls,
            live_warps: 10_000,
            memory_warps: 1000 * memory,
            ldst_warps: 1000 * ldst,
            ready_warps: 1000 * ready,
            ..Reading::default()
        }
    }

    fn stretch(reading: Reading, change: Rescale) -> f64 {
        CrispPlus.stretch(&reading, change)
    }

    #[test]
    fn warps_that_only_compute_take_time_by_the_clock_and_warps_that_only_wait_do_not() {
        let computing = reading(0, 0, 10, 0);
        assert!((stretch(computing, HALF) - 2.0).abs() < 1e-9);
        assert!((stretch(computing, TWICE) - 0.5).abs() < 1e-9);
        let waiting = reading(10, 0, 0, 1000);
        assert!((stretch(waiting, HALF) - 1.0).abs() < 1e-9);
        assert!((stretch(waiting, TWICE) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn without_a_queue_the_way_of_one_warp_stretches() {
        // Two of ten parts of its way are computation; the core has little to do.
        let found = stretch(reading(8, 0, 0, 950), HALF);
        assert!((found - 1.2).abs() < 0.01, "{found}");
    }

    #[test]
    fn a_queue_hides_computation_until_it_is_empty() {
        let queue = reading(5, 3, 0, 900);
        let slower = |mhz: u32| stretch(queue, Rescale { from_mhz: 700, to_mhz: mhz });
        assert!(slower(600) < 1.03, "{}", slower(600));
        assert!((1.2..1.6).contains(&slower(200)), "{}", slower(200));
        // Where the queue is empty, the way of a warp rules: half of it waits, seven fifths compute.
        assert!((slower(100) / 1.9 - 1.0).abs() < 0.05, "{}", slower(100));
    }

    #[test]
    fn an_interval_without_warps_that_run_is_the_cores() {
        let draining = Reading { cycles: 1000, ..Reading::default() };
        assert!((stretch(draining, HALF) - 2.0).abs() < 1e-9);
    }
}
