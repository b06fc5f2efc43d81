//! Time that all clock domains share, and clocks that count in it.
//!
//! Core, interconnect, L2 and DRAM run at their own frequencies, and the core's may change during a run,
//! so moments are kept in femtoseconds and not in anybody's cycles. A `u64` of them lasts five hours.

/// A moment or a duration in femtoseconds.
pub type Time = u64;

/// A moment that never comes.
pub const NEVER: Time = Time::MAX;

/// A clock: edges at `start + n * period`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    period: Time,
    /// The next edge that has not been taken.
    next: Time,
}

impl Clock {
    /// A clock whose first edge is at `start`.
    pub fn new(mhz: f64, start: Time) -> Self {
        Clock { period: period_of(mhz), next: start }
    }

    /// Duration of a cycle.
    pub fn period(&self) -> Time {
        self.period
    }

    /// The next edge.
    pub fn next_edge(&self) -> Time {
        self.next
    }

    /// Takes the next edge.
    pub fn advance(&mut self) {
        self.next += self.period;
    }

    /// Skips to the first edge at or after `when`; returns how many edges were passed over.
    pub fn skip_to(&mut self, when: Time) -> u64 {
        if when <= self.next {
            return 0;
        }
        let edges = (when - self.next).div_ceil(self.period);
        self.next += edges * self.period;
        edges
    }

    /// Puts the next edge off.
    pub fn pause(&mut self, duration: Time) {
        self.next += duration;
    }

    /// Changes the frequency from the next edge on.
    pub fn set_mhz(&mut self, mhz: f64) {
        self.period = period_of(mhz);
    }
}

/// The period of a frequency.
pub fn period_of(mhz: f64) -> Time {
    (1e9 / mhz).round() as Time
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipping_lands_on_an_edge() {
        let mut clock = Clock::new(1000.0, 0);
        assert_eq!(clock.period(), 1_000_000);
        assert_eq!(clock.skip_to(2_500_000), 3);
        assert_eq!(clock.next_edge(), 3_000_000);
        assert_eq!(clock.skip_to(1), 0);
        clock.set_mhz(500.0);
        clock.advance();
        assert_eq!(clock.next_edge(), 5_000_000);
    }
}
