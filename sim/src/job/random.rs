//! Seeded random numbers for buffers: the same on every machine, for every name its own sequence.

/// A splitmix64 generator: small, well mixed, and good enough for test data.
pub(super) struct Random(u64);

impl Random {
    /// The sequence of a seed and a name.
    pub fn new(seed: u64, name: &str) -> Random {
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| {
            (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)
        });
        Random(hash ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// An integer from `min` to `max`, both included.
    pub fn int(&mut self, min: i64, max: i64) -> i64 {
        let span = (max.wrapping_sub(min) as u64 as u128) + 1;
        min.wrapping_add(((u128::from(self.next()) * span) >> 64) as i64)
    }

    /// A fraction in [0, 1) that single precision holds exactly.
    pub fn fraction(&mut self) -> f64 {
        (self.next() >> 40) as f64 / (1u64 << 24) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_kept_and_names_differ() {
        let mut random = Random::new(1, "a");
        let values: Vec<i64> = (0..1000).map(|_| random.int(-2, 2)).collect();
        assert!((-2..=2).all(|v| values.contains(&v)) && values.iter().all(|v| v.abs() <= 2));
        assert!((0..1000).all(|_| (0.0..1.0).contains(&random.fraction())));
        assert_eq!(Random::new(1, "a").next(), Random::new(1, "a").next());
        assert_ne!(Random::new(1, "a").next(), Random::new(1, "b").next());
        assert_ne!(Random::new(1, "a").next(), Random::new(2, "a").next());
        Random::new(0, "x").int(i64::MIN, i64::MAX);
    }
}
