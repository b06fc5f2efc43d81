//! Runs the more critical half of the critical warps at 3x and the rest at 2x until the barrier.
//!
//! Warp latency booster, section 3.4. When a profile stands, its critical warps are ranked: a pass looks
//! at one warp a cycle, and the cycle after it gives 3x to the slowest that has no level yet. After the
//! pass that makes half of them, rounded up, the rest get 2x. A boosted warp that makes no progress for
//! more than `cfg_time_limit` cycles returns to nominal speed for the rest of the interval. Reset state:
//! idle, all warps nominal, no switches.

use super::Unit;

crate::io! {
    /// Inputs of [`BoostController`].
    pub struct In<const WARPS: usize, const COUNT_BITS: usize, const TIME_BITS: usize> {
        /// `critical` and `count` stand; each profile is used once.
        profile_valid: bool, 1;
        /// Warps that lag, sampled as ranking starts.
        critical: [bool; WARPS], 1;
        /// Progress of warp i, held while it is ranked.
        count: [u16; WARPS], COUNT_BITS;
        /// The barrier interval ends.
        finish: bool, 1;
        /// Warp i gets on: its execution time starts again.
        progress: [bool; WARPS], 1;
        /// Longest execution time of a boosted warp, in cycles.
        cfg_time_limit: u16, TIME_BITS;
    }
}

crate::io! {
    /// Outputs of [`BoostController`].
    pub struct Out<const WARPS: usize, const SWITCH_BITS: usize> {
        /// Levels are being given out.
        ranking: bool, 1;
        /// Warp i runs at twice its nominal speed.
        boost_2x: [bool; WARPS], 1;
        /// Warp i runs at three times its nominal speed.
        boost_3x: [bool; WARPS], 1;
        /// Level switches of all warps since reset; wraps.
        switches: u32, SWITCH_BITS;
        /// The profile was withdrawn before the interval ended.
        error: bool, 1, from [profile_valid, finish];
    }
}

/// How fast a warp runs. There is nothing above 3x.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Level {
    #[default]
    Nominal,
    Double,
    Triple,
}

/// The slowest warp seen so far in a pass.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Slowest {
    warp: usize,
    count: u16,
}

#[derive(Clone, Debug, PartialEq, Default)]
enum Phase {
    #[default]
    Idle,
    /// `turn` is the warp looked at in this cycle; after the last one the slowest is picked.
    Rank {
        turn: usize,
        slowest: Option<Slowest>,
        picked: usize,
    },
    Boost,
    /// The interval has ended; its profile may still stand but is not used again.
    Spent,
}

/// Levels, execution times, and how far the ranking is.
#[derive(Clone, Debug, PartialEq)]
pub struct BoostController<
    const WARPS: usize,
    const COUNT_BITS: usize,
    const TIME_BITS: usize,
    const SWITCH_BITS: usize,
> {
    phase: Phase,
    level: [Level; WARPS],
    /// Cycles that a boosted warp has gone without progress.
    time: [u16; WARPS],
    /// Critical warps without a level.
    waiting: [bool; WARPS],
    switches: u32,
    inputs: In<WARPS, COUNT_BITS, TIME_BITS>,
}

impl<
        const WARPS: usize,
        const COUNT_BITS: usize,
        const TIME_BITS: usize,
        const SWITCH_BITS: usize,
    > Default for BoostController<WARPS, COUNT_BITS, TIME_BITS, SWITCH_BITS>
{
    fn default() -> Self {
        Self {
            phase: Phase::Idle,
            level: [Level::Nominal; WARPS],
            time: [0; WARPS],
            waiting: [false; WARPS],
            switches: 0,
            inputs: In::default(),
        }
    }
}

impl<
        const WARPS: usize,
        const COUNT_BITS: usize,
        const TIME_BITS: usize,
        const SWITCH_BITS: usize,
    > BoostController<WARPS, COUNT_BITS, TIME_BITS, SWITCH_BITS>
{
    /// Takes the boost from warps that have stalled.
    fn undo(&mut self) {
        for i in 0..WARPS {
            if self.level[i] == Level::Nominal || self.inputs.progress[i] {
                self.time[i] = 0;
            } else if self.time[i] >= self.inputs.cfg_time_limit {
                self.level[i] = Level::Nominal;
                self.time[i] = 0;
            } else {
                self.time[i] += 1;
            }
        }
    }

    /// One cycle of a pass; gives the phase of the next.
    fn rank(&mut self, turn: usize, slowest: Option<Slowest>, picked: usize) -> Phase {
        if turn < WARPS {
            let count = self.inputs.count[turn];
            // A tie goes to the warp seen first.
            let another_is_slower = slowest.is_some_and(|s| s.count <= count);
            let slowest = if self.waiting[turn] && !another_is_slower {
                Some(Slowest { warp: turn, count })
            } else {
                slowest
            };
            return Phase::Rank { turn: turn + 1, slowest, picked };
        }
        if let Some(Slowest { warp, .. }) = slowest {
            self.level[warp] = Level::Triple;
            self.waiting[warp] = false;
        }
        let picked = picked + 1;
        if picked < self.waiting.iter().filter(|w| **w).count() {
            return Phase::Rank { turn: 0, slowest: None, picked };
        }
        for i in 0..WARPS {
            if self.waiting[i] {
                self.level[i] = Level::Double;
            }
        }
        Phase::Boost
    }
}

impl<
        const WARPS: usize,
        const COUNT_BITS: usize,
        const TIME_BITS: usize,
        const SWITCH_BITS: usize,
    > Unit for BoostController<WARPS, COUNT_BITS, TIME_BITS, SWITCH_BITS>
{
    type In = In<WARPS, COUNT_BITS, TIME_BITS>;
    type Out = Out<WARPS, SWITCH_BITS>;

    fn eval(&mut self, inputs: &Self::In) -> Self::Out {
        self.inputs = inputs.clone();
        let ranking = matches!(self.phase, Phase::Rank { .. });
        Out {
            ranking,
            boost_2x: self.level.map(|level| level == Level::Double),
            boost_3x: self.level.map(|level| level == Level::Triple),
            switches: self.switches,
            error: (ranking || self.phase == Phase::Boost)
                && !inputs.profile_valid
                && !inputs.finish,
        }
    }

    fn tick(&mut self) {
        let before = self.level;
        self.undo();
        self.phase = match self.phase.clone() {
            Phase::Idle => {
                self.waiting = self.inputs.critical;
                Phase::Rank { turn: 0, slowest: None, picked: 0 }
            }
            Phase::Rank { turn, slowest, picked } => self.rank(turn, slowest, picked),
            other => other,
        };
        if self.inputs.finish || !self.inputs.profile_valid {
            self.level = [Level::Nominal; WARPS];
            self.phase = if self.inputs.profile_valid { Phase::Spent } else { Phase::Idle };
        }
        let changes = (0..WARPS).filter(|&i| self.level[i] != before[i]).count();
        let mask = u32::MAX >> (32 - SWITCH_BITS);
        self.switches = self.switches.wrapping_add(changes as u32) & mask;
    }

    fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Small = BoostController<4, 3, 3, 8>;

    /// A profile whose warps all get on.
    fn profile(critical: [bool; 4], count: [u16; 4]) -> In<4, 3, 3> {
        let progress = [true; 4];
        In { profile_valid: true, critical, count, progress, ..In::default() }
    }

    /// The levels after some cycles of these inputs.
    fn levels(unit: &mut Small, inputs: &In<4, 3, 3>, cycles: usize) -> [u8; 4] {
        for _ in 0..cycles {
            unit.eval(inputs);
            unit.tick();
        }
        let out = unit.eval(inputs);
        std::array::from_fn(|i| 1 + u8::from(out.boost_2x[i]) + 2 * u8::from(out.boost_3x[i]))
    }

    #[test]
    fn the_slower_half_gets_3x_first_and_the_rest_2x() {
        let mut unit = Small::default();
        let inputs = profile([false, true, true, true], [5, 1, 1, 0]);
        assert_eq!(levels(&mut unit, &inputs, 5), [1, 1, 1, 1]);
        assert_eq!(levels(&mut unit, &inputs, 1), [1, 1, 1, 3]);
        assert_eq!(levels(&mut unit, &inputs, 4), [1, 1, 1, 3]);
        assert_eq!(levels(&mut unit, &inputs, 1), [1, 3, 2, 3]);
        assert_eq!(levels(&mut unit, &inputs, 50), [1, 3, 2, 3]);
        assert_eq!(unit.switches, 3);
    }

    #[test]
    fn a_single_critical_warp_gets_3x_and_no_critical_warp_nothing() {
        let single = profile([false, false, true, false], [0, 0, 7, 0]);
        assert_eq!(levels(&mut Small::default(), &single, 6), [1, 1, 3, 1]);
        let mut unit = Small::default();
        assert_eq!(levels(&mut unit, &profile([false; 4], [0; 4]), 6), [1; 4]);
        assert_eq!(unit.phase, Phase::Boost);
    }

    #[test]
    fn a_stalled_warp_is_boosted_for_the_limit_and_one_cycle_and_not_again() {
        let mut unit = Small::default();
        let mut inputs = profile([true, false, false, false], [0; 4]);
        inputs.progress = [false; 4];
        inputs.cfg_time_limit = 2;
        assert_eq!(levels(&mut unit, &inputs, 6), [3, 1, 1, 1]);
        assert_eq!(levels(&mut unit, &inputs, 2), [3, 1, 1, 1]);
        assert_eq!(levels(&mut unit, &inputs, 1), [1; 4]);
        assert_eq!(levels(&mut unit, &inputs, 50), [1; 4]);
        assert_eq!(unit.switches, 2);
    }

    #[test]
    fn the_barrier_ends_every_boost_and_the_profile_is_used_once() {
        let mut unit = Small::default();
        let inputs = profile([true; 4], [3, 2, 1, 0]);
        assert_eq!(levels(&mut unit, &inputs, 11), [2, 2, 3, 3]);
        assert_eq!(levels(&mut unit, &In { finish: true, ..inputs.clone() }, 1), [1; 4]);
        assert_eq!(levels(&mut unit, &inputs, 50), [1; 4]);
        assert_eq!(unit.switches, 8);
        assert_eq!(levels(&mut unit, &In { profile_valid: false, ..inputs.clone() }, 1), [1; 4]);
        assert_eq!(levels(&mut unit, &inputs, 11), [2, 2, 3, 3]);
    }

    #[test]
    fn a_profile_withdrawn_without_a_barrier_is_an_error_and_ends_the_boosts() {
        let mut unit = Small::default();
        levels(&mut unit, &profile([true; 4], [3, 2, 1, 0]), 11);
        let withdrawn = In { profile_valid: false, ..In::default() };
        assert!(unit.eval(&withdrawn).error);
        assert_eq!(levels(&mut unit, &withdrawn, 1), [1; 4]);
        assert!(!unit.eval(&withdrawn).error);
    }
}
