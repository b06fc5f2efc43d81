//! Inputs worth trying: corner masks, sticky values, bursts and resets, all from proptest's generator.
//!
//! Uniform bits never make a full mask and never let a lane idle for five cycles. A block's stimulus
//! is a [`Source`]: a closure that is asked for the inputs of each cycle and may remember what it gave.

use lanewise_sim::units::Io;
use proptest::prelude::Rng;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

/// Gives the inputs of one cycle after the other. A new one is made for each run after reset.
pub type Source<I> = Box<dyn FnMut(&mut Gen) -> I>;

/// Lanes that share a cluster, whose patterns the masks favour.
const CLUSTER: usize = 4;

/// Random choices, all drawn from one seeded proptest runner.
pub struct Gen<'a> {
    runner: &'a mut TestRunner,
}

impl<'a> Gen<'a> {
    /// Draws from `runner`.
    pub fn new(runner: &'a mut TestRunner) -> Self {
        Self { runner }
    }

    /// `width` independent bits, at most 64.
    pub fn bits(&mut self, width: usize) -> u64 {
        match width {
            0 => 0,
            1..=32 => u64::from(self.runner.rng().next_u32()) & (u64::MAX >> (64 - width)),
            _ => self.runner.rng().next_u64() & (u64::MAX >> (64 - width)),
        }
    }

    /// A number below `limit`, which is at least 1.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.bits(64)) * limit as u128) >> 64) as usize
    }

    /// True once in `times` on average.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of these.
    pub fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// A value of any proptest strategy.
    ///
    /// # Panics
    /// If the strategy rejects all it tries.
    pub fn sample<S: Strategy>(&mut self, strategy: &S) -> S::Value {
        strategy.new_tree(self.runner).expect("the strategy gives a value").current()
    }

    /// A mask of `width` lanes, at most 64: often a corner that uniform bits never hit.
    pub fn mask(&mut self, width: usize) -> u64 {
        let all = u64::MAX >> (64 - width);
        let half = width / 2;
        let mask = match self.below(14) {
            0 => 0,
            1 | 2 => all,
            3 => 1 << self.below(width),
            4 => !(1 << self.below(width)),
            5 => all >> half,
            6 => all << half,
            7 => self.per_cluster(&[0x0, 0xf]),
            8 => self.per_cluster(&[0x3, 0xc]),
            9 => self.per_cluster(&[0x1, 0x2, 0x4, 0x8, 0x0]),
            10 => all >> self.below(width),
            11 => self.bits(64) & self.bits(64) & self.bits(64),
            12 => self.bits(64) | self.bits(64) | self.bits(64),
            _ => self.bits(64),
        };
        mask & all
    }

    /// A mask of 32 lanes.
    pub fn mask32(&mut self) -> u32 {
        self.mask(32) as u32
    }

    /// A number of `width` bits: sometimes zero, one, the largest or the top bit alone.
    pub fn number(&mut self, width: usize) -> u64 {
        match self.below(8) {
            0 => 0,
            1 => 1,
            2 => u64::MAX >> (64 - width),
            3 => 1 << (width - 1),
            _ => self.bits(width),
        }
    }

    /// Every bit of every field at random.
    pub fn uniform<I: Io>(&mut self) -> I {
        let image: Vec<u32> = (0..I::WORDS).map(|_| self.runner.rng().next_u32()).collect();
        I::unpack(&image)
    }

    fn per_cluster(&mut self, patterns: &[u64]) -> u64 {
        (0..64 / CLUSTER).fold(0, |mask, _| mask << CLUSTER | self.pick(patterns))
    }
}

/// A value that stays for a while: configuration, a warp's mask, a phase of the program.
#[derive(Clone, Debug)]
pub struct Sticky<T> {
    value: Option<T>,
    period: usize,
}

impl<T: Clone> Sticky<T> {
    /// Changes once in `period` cycles on average.
    pub fn new(period: usize) -> Self {
        Self { value: None, period }
    }

    /// The value of this cycle; `fresh` makes a new one when it is time.
    pub fn next(&mut self, g: &mut Gen, fresh: impl FnOnce(&mut Gen) -> T) -> T {
        if self.value.is_none() || g.once_in(self.period) {
            self.value = Some(fresh(g));
        }
        self.value.clone().unwrap_or_else(|| unreachable!("set above"))
    }
}

/// A bit that comes in bursts: on for a while, off for a while.
#[derive(Clone, Debug)]
pub struct Burst {
    level: bool,
    on: usize,
    off: usize,
}

impl Burst {
    /// Bursts of `on` cycles with gaps of `off` cycles, on average.
    pub fn new(on: usize, off: usize) -> Self {
        Self { level: false, on, off }
    }

    /// The bit of this cycle.
    pub fn next(&mut self, g: &mut Gen) -> bool {
        if g.once_in(if self.level { self.on } else { self.off }) {
            self.level = !self.level;
        }
        self.level
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_reach_the_corners_and_stay_in_width() {
        let mut runner = TestRunner::deterministic();
        let mut g = Gen::new(&mut runner);
        let masks: Vec<u64> = (0..1000).map(|_| g.mask(12)).collect();
        for corner in [0, 0xfff, 0x3f, 0xfc0] {
            assert!(masks.contains(&corner), "{corner:#x}");
        }
        assert!(masks.iter().all(|mask| *mask < 1 << 12));
        assert!((0..64).all(|lane| (0..20_000).any(|_| g.mask(64) == 1 << lane)), "one-hot");
    }

    #[test]
    fn bursts_have_about_the_length_asked_for() {
        let mut runner = TestRunner::deterministic();
        let mut g = Gen::new(&mut runner);
        let mut burst = Burst::new(20, 5);
        let on = (0..100_000).filter(|_| burst.next(&mut g)).count();
        assert!((75_000..85_000).contains(&on), "{on}");
    }

    #[test]
    fn sticky_values_stay() {
        let mut runner = TestRunner::deterministic();
        let mut g = Gen::new(&mut runner);
        let mut sticky = Sticky::new(10);
        let values: Vec<u64> = (0..10_000).map(|_| sticky.next(&mut g, |g| g.bits(32))).collect();
        let changes = values.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert!((800..1200).contains(&changes), "{changes}");
    }
}
