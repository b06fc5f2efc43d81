//! Tells which warps of a scope lag more than r standard deviations behind the mean.
//!
//! Warp latency booster, section 3.3 and algorithm 1. `start` opens a window in which each warp of the
//! scope counts the loads it completes; 2 `WARPS` + 8 cycles after the window closes the result stands,
//! until the next `start` or `finish`. Reset state: idle.

use super::Unit;

/// `cfg_r_squared` counts these parts of one.
pub const R_SQUARED_PARTS: u32 = 16;

crate::io! {
    /// Inputs of [`WarpProfiler`].
    pub struct In<const WARPS: usize, const COUNT_BITS: usize, const RATIO_BITS: usize> {
        /// A barrier interval starts; what is under way is dropped.
        start: bool, 1;
        /// With `start`: warps of the scope. Without any, `start` is ignored.
        member: [bool; WARPS], 1;
        /// With `start`: cycles of the window; 0 acts as 1.
        window: u16, COUNT_BITS;
        /// The barrier interval ends.
        finish: bool, 1;
        /// Warp i is issued in this cycle.
        issued: [bool; WARPS], 1;
        /// Warp i completes a load in this cycle.
        load_done: [bool; WARPS], 1;
        /// Warp i ends; within the window it leaves the scope.
        exited: [bool; WARPS], 1;
        /// With `start`: r^2 in sixteenths.
        cfg_r_squared: u16, RATIO_BITS;
    }
}

crate::io! {
    /// Outputs of [`WarpProfiler`].
    pub struct Out<const WARPS: usize, const COUNT_BITS: usize> {
        /// The window is open: members have equal priority.
        profiling: bool, 1;
        /// Warp i was issued in this window: do not schedule it again.
        hold: [bool; WARPS], 1;
        /// The result stands.
        valid: bool, 1;
        /// Warp i lags.
        critical: [bool; WARPS], 1, valid_by valid;
        /// Loads that warp i completed within the window.
        count: [u16; WARPS], COUNT_BITS, valid_by valid;
        /// `start` without a member.
        error: bool, 1, from [start, member];
    }
}

/// Whether a warp with `count` lags behind `counts` (its own among them) by more than r standard
/// deviations, `r_squared` being r^2 in sixteenths.
///
/// `count < mean - r sigma`, both sides times n and squared: nothing is rounded.
pub fn lags(count: u16, counts: &[u16], r_squared: u16) -> bool {
    let n = counts.len() as i128;
    let sum: i128 = counts.iter().map(|&c| i128::from(c)).sum();
    let squares: i128 = counts.iter().map(|&c| i128::from(c).pow(2)).sum();
    let gap = sum - n * i128::from(count);
    let variance = n * squares - sum * sum;
    gap > 0 && i128::from(R_SQUARED_PARTS) * gap * gap > i128::from(r_squared) * variance
}

#[derive(Clone, Debug, PartialEq, Default)]
enum Phase {
    #[default]
    Idle,
    /// The window is open for this many more cycles.
    Open(u16),
    /// The result stands in this many cycles.
    Deciding(usize),
    Report,
}

/// Counts, and what became of them.
#[derive(Clone, Debug, PartialEq)]
pub struct WarpProfiler<const WARPS: usize, const COUNT_BITS: usize, const RATIO_BITS: usize> {
    phase: Phase,
    scope: [bool; WARPS],
    held: [bool; WARPS],
    count: [u16; WARPS],
    r_squared: u16,
    inputs: In<WARPS, COUNT_BITS, RATIO_BITS>,
}

impl<const WARPS: usize, const COUNT_BITS: usize, const RATIO_BITS: usize> Default
    for WarpProfiler<WARPS, COUNT_BITS, RATIO_BITS>
{
    fn default() -> Self {
        Self {
            phase: Phase::Idle,
            scope: [false; WARPS],
            held: [false; WARPS],
            count: [0; WARPS],
            r_squared: 0,
            inputs: In::default(),
        }
    }
}

impl<const WARPS: usize, const COUNT_BITS: usize, const RATIO_BITS: usize>
    WarpProfiler<WARPS, COUNT_BITS, RATIO_BITS>
{
    /// Cycles from the end of the window to the result: two passes over the warps, one cycle each for
    /// the last of them to leave the pipeline, and six products between.
    const DECISION: usize = 2 * (WARPS + 1) + 6;

    fn critical(&self) -> [bool; WARPS] {
        let counts: Vec<u16> =
            (0..WARPS).filter(|&i| self.scope[i]).map(|i| self.count[i]).collect();
        std::array::from_fn(|i| self.scope[i] && lags(self.count[i], &counts, self.r_squared))
    }

    fn count_loads(&mut self) {
        for i in 0..WARPS {
            if self.scope[i] {
                self.count[i] += u16::from(self.inputs.load_done[i]);
                self.held[i] |= self.inputs.issued[i];
                self.scope[i] = !self.inputs.exited[i];
            }
        }
    }
}

impl<const WARPS: usize, const COUNT_BITS: usize, const RATIO_BITS: usize> Unit
    for WarpProfiler<WARPS, COUNT_BITS, RATIO_BITS>
{
    type In = In<WARPS, COUNT_BITS, RATIO_BITS>;
    type Out = Out<WARPS, COUNT_BITS>;

    fn eval(&mut self, inputs: &Self::In) -> Self::Out {
        self.inputs = inputs.clone();
        let profiling = matches!(self.phase, Phase::Open(_));
        let valid = self.phase == Phase::Report;
        Out {
            profiling,
            hold: if profiling { self.held } else { [false; WARPS] },
            valid,
            critical: if valid { self.critical() } else { [false; WARPS] },
            count: self.count,
            error: inputs.start && !inputs.member.contains(&true),
        }
    }

    fn tick(&mut self) {
        match self.phase {
            Phase::Open(left) => {
                self.count_loads();
                self.phase = match left {
                    1 => Phase::Deciding(Self::DECISION),
                    _ => Phase::Open(left - 1),
                };
            }
            Phase::Deciding(1) => self.phase = Phase::Report,
            Phase::Deciding(left) => self.phase = Phase::Deciding(left - 1),
            Phase::Idle | Phase::Report => {}
        }
        if self.inputs.start && self.inputs.member.contains(&true) {
            self.phase = Phase::Open(self.inputs.window.max(1));
            self.scope = self.inputs.member;
            self.held = [false; WARPS];
            self.count = [0; WARPS];
            self.r_squared = self.inputs.cfg_r_squared;
        } else if self.inputs.finish {
            self.phase = Phase::Idle;
        }
    }

    fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_rational::Ratio;

    type Small = WarpProfiler<4, 3, 6>;

    fn idle() -> In<4, 3, 6> {
        In::default()
    }

    fn step(unit: &mut Small, inputs: &In<4, 3, 6>) -> Out<4, 3> {
        let out = unit.eval(inputs);
        unit.tick();
        out
    }

    #[test]
    fn one_warp_that_lags_is_found_16_cycles_after_the_window() {
        let mut unit = Small::default();
        let start = In { start: true, member: [true; 4], window: 5, cfg_r_squared: 16, ..idle() };
        step(&mut unit, &start);
        for cycle in 0..5u16 {
            // Warps 0, 1, 3 complete four loads, warp 2 one.
            let load_done = [cycle > 0, cycle > 0, cycle == 2, cycle > 0];
            let out = step(&mut unit, &In { load_done, issued: [cycle == 0; 4], ..idle() });
            assert!(out.profiling);
            assert_eq!(out.hold, [cycle > 0; 4]);
        }
        for _ in 0..16 {
            let out = step(&mut unit, &In { load_done: [true; 4], ..idle() });
            assert!(!out.profiling && !out.valid);
        }
        let out = step(&mut unit, &In { finish: true, ..idle() });
        // mean 3.25, sigma 1.299: 1 is below 1.95.
        assert_eq!((out.valid, out.critical), (true, [false, false, true, false]));
        assert_eq!(out.count, [4, 4, 1, 4]);
        assert!(!step(&mut unit, &idle()).valid);
    }

    #[test]
    fn a_warp_that_exits_in_the_window_is_not_called_slow() {
        let mut unit = Small::default();
        step(&mut unit, &In { start: true, member: [true; 4], window: 3, ..idle() });
        for _ in 0..3 {
            let load_done = [true, true, true, false];
            step(&mut unit, &In { load_done, exited: [false, false, false, true], ..idle() });
        }
        for _ in 0..16 {
            step(&mut unit, &idle());
        }
        assert_eq!(step(&mut unit, &idle()).critical, [false; 4]);
    }

    #[test]
    fn start_without_a_member_is_an_error_and_changes_nothing() {
        let mut unit = Small::default();
        step(&mut unit, &In { start: true, member: [true; 4], window: 7, ..idle() });
        let before = unit.clone();
        assert!(unit.eval(&In { start: true, window: 1, ..idle() }).error);
        unit.tick();
        assert_eq!(unit.phase, Phase::Open(6));
        assert_eq!((unit.scope, unit.count), (before.scope, before.count));
    }

    /// The definition itself, in exact rationals: mean and variance are divided out, and only the
    /// comparison of two non-negative numbers is squared.
    fn lags_by_definition(count: u16, counts: &[u16], r_squared: u16) -> bool {
        let number = |c: u16| Ratio::from_integer(i64::from(c));
        let n = Ratio::from_integer(counts.len() as i64);
        let mean = counts.iter().map(|&c| number(c)).sum::<Ratio<i64>>() / n;
        let deviation = |c: u16| number(c) - mean;
        let variance = counts.iter().map(|&c| deviation(c).pow(2)).sum::<Ratio<i64>>() / n;
        let behind = mean - number(count);
        behind > Ratio::from_integer(0)
            && behind.pow(2) > Ratio::new(i64::from(r_squared), 16) * variance
    }

    /// All counts of up to four warps at three bits, every r^2 of six bits.
    #[test]
    fn the_integer_test_is_the_definition_for_all_small_scopes() {
        for n in 1..=4u32 {
            for code in 0..8u16.pow(n) {
                let counts: Vec<u16> = (0..n).map(|i| code >> (3 * i) & 7).collect();
                // The order of the others does not matter, so only the first warp is tested.
                for r_squared in 0..64 {
                    assert_eq!(
                        lags(counts[0], &counts, r_squared),
                        lags_by_definition(counts[0], &counts, r_squared),
                        "{counts:?} {r_squared}"
                    );
                }
            }
        }
    }

    /// With a root, in floating point, wherever rounding cannot decide.
    #[test]
    fn the_integer_test_is_the_one_with_a_root() {
        let mut decided = 0;
        for code in 0..4096u16 {
            let counts: Vec<u16> = (0..4).map(|i| code >> (3 * i) & 7).collect();
            let mean = counts.iter().map(|&c| f64::from(c)).sum::<f64>() / 4.0;
            let variance = counts.iter().map(|&c| (f64::from(c) - mean).powi(2)).sum::<f64>() / 4.0;
            for quarters in 1..8u16 {
                let threshold = mean - f64::from(quarters) / 4.0 * variance.sqrt();
                if (f64::from(counts[0]) - threshold).abs() > 1e-9 {
                    decided += 1;
                    let lagging = f64::from(counts[0]) < threshold;
                    assert_eq!(lags(counts[0], &counts, quarters * quarters), lagging);
                }
            }
        }
        assert!(decided > 25_000, "{decided}");
    }

    #[test]
    fn nothing_lags_more_than_the_root_of_n_minus_1() {
        // The extreme: one at 0, all others equal. r^2 = 3 is just not passed by four warps.
        assert!(lags(0, &[0, 7, 7, 7], 47));
        assert!(!lags(0, &[0, 7, 7, 7], 48));
    }
}
