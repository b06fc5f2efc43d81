//! A set of lanes of a warp.

use std::fmt;

/// Lanes of a 32-wide warp, one bit each, lane 0 lowest.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct LaneMask(pub u32);

impl LaneMask {
    /// Every lane.
    pub const ALL: LaneMask = LaneMask(u32::MAX);
    /// No lane.
    pub const NONE: LaneMask = LaneMask(0);

    /// The first `n` lanes.
    pub fn first(n: u32) -> LaneMask {
        LaneMask(if n >= 32 { u32::MAX } else { (1 << n) - 1 })
    }

    /// Whether no lane is in it.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many lanes are in it.
    #[inline(always)]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether a lane is in it.
    #[inline(always)]
    pub fn has(self, lane: usize) -> bool {
        self.0 >> lane & 1 != 0
    }

    /// The lowest lane, or `None` when empty.
    pub fn lowest(self) -> Option<usize> {
        (self.0 != 0).then(|| self.0.trailing_zeros() as usize)
    }

    /// Its lanes, lowest first.
    #[inline(always)]
    pub fn lanes(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let lane = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (lane < 32).then_some(lane as usize)
        })
    }
}

impl fmt::Debug for LaneMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LaneMask({:#010x})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_come_lowest_first() {
        let mask = LaneMask(0x8000_0005);
        assert_eq!(mask.lanes().collect::<Vec<_>>(), [0, 2, 31]);
        assert_eq!(
            (mask.count(), mask.lowest(), mask.has(2), mask.has(3)),
            (3, Some(0), true, false)
        );
        assert_eq!(LaneMask::first(33), LaneMask::ALL);
        assert_eq!(LaneMask::NONE.lowest(), None);
    }
}
