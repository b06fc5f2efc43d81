//! Keeps the most recently accessed region of a cache awake and every other one drowsy.
//!
//! Power-Aware Caches for GPGPUs, section 3.3.1. Reset state: every region drowsy.

use super::Unit;

/// The largest region is 32 blocks.
pub const MAX_SHIFT: u8 = 5;

/// Bits that number `blocks` blocks.
pub const fn index_bits(blocks: usize) -> usize {
    blocks.next_power_of_two().trailing_zeros() as usize
}

crate::io! {
    /// Inputs of [`DrowsyRegions`].
    pub struct In<const BLOCKS: usize> {
        /// An access wants its block; held until ready.
        access_valid: bool, 1;
        /// Its block. An access to a block that is not there is ignored.
        access_block: u16, index_bits(BLOCKS);
        /// An access is to come.
        early_valid: bool, 1;
        /// Its block; ignored if it is not there.
        early_block: u16, index_bits(BLOCKS);
        /// log2 of the blocks of a region, 0 to 5; 6 and 7 act as 5.
        cfg_region_shift: u8, 3;
        /// Cycles from access to ready of a drowsy region; 0 acts as 1.
        cfg_wake_up: u8, 2;
    }
}

crate::io! {
    /// Outputs of [`DrowsyRegions`].
    pub struct Out<const BLOCKS: usize> {
        /// The word line of the access may open in this cycle.
        ready: bool, 1, from [access_valid, access_block, cfg_region_shift];
        /// Region i is drowsy; regions that are not there always are.
        drowsy: [bool; BLOCKS], 1;
    }
}

/// The region that is awake.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Awake {
    region: usize,
    /// The size of regions when it woke, as a shift: with another size the number means nothing.
    shift: u8,
    /// Cycles until its supply has settled.
    settling: u8,
}

/// The drowsy control of a cache of `BLOCKS` blocks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrowsyRegions<const BLOCKS: usize> {
    awake: Option<Awake>,
    next: Option<Awake>,
}

impl<const BLOCKS: usize> Unit for DrowsyRegions<BLOCKS> {
    type In = In<BLOCKS>;
    type Out = Out<BLOCKS>;

    fn eval(&mut self, inputs: &Self::In) -> Self::Out {
        let shift = inputs.cfg_region_shift.min(MAX_SHIFT);
        let region = |valid: bool, block: u16| {
            (valid && usize::from(block) < BLOCKS).then(|| usize::from(block >> shift))
        };
        let access = region(inputs.access_valid, inputs.access_block);
        let early = region(inputs.early_valid, inputs.early_block);
        let usable = self.awake.filter(|awake| awake.shift == shift);
        let is_awake = |region| usable.is_some_and(|awake| awake.region == region);
        let ready = access.is_some_and(is_awake) && usable.is_some_and(|awake| awake.settling == 0);

        // An access that must wait decides; otherwise a look-ahead may.
        let wanted = if access.is_some() && !ready { access } else { early };
        self.next = match wanted.filter(|region| !is_awake(*region)) {
            Some(region) => Some(Awake { region, shift, settling: inputs.cfg_wake_up.max(1) - 1 }),
            None => {
                usable.map(|awake| Awake { settling: awake.settling.saturating_sub(1), ..awake })
            }
        };

        let mut drowsy = [true; BLOCKS];
        if let Some(awake) = self.awake {
            drowsy[awake.region] = false;
        }
        Out { ready, drowsy }
    }

    fn tick(&mut self) {
        self.awake = self.next;
    }

    fn reset(&mut self) {
        (self.awake, self.next) = (None, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Cache = DrowsyRegions<96>;

    fn access(block: u16) -> In<96> {
        In {
            access_valid: true,
            access_block: block,
            cfg_region_shift: 2,
            cfg_wake_up: 2,
            ..In::default()
        }
    }

    /// Holds the access and counts the cycles until it is ready.
    fn wait(cache: &mut Cache, inputs: &In<96>) -> usize {
        (0..10)
            .find(|_| {
                let ready = cache.eval(inputs).ready;
                cache.tick();
                ready
            })
            .expect("it becomes ready")
    }

    fn awake(cache: &mut Cache) -> Vec<usize> {
        let out = cache.eval(&In { cfg_region_shift: 2, ..In::default() });
        (0..96).filter(|region| !out.drowsy[*region]).collect()
    }

    #[test]
    fn a_drowsy_region_takes_the_wake_up_delay_and_an_awake_one_none() {
        let mut cache = Cache::default();
        assert!(awake(&mut cache).is_empty());
        assert_eq!(wait(&mut cache, &access(13)), 2);
        assert_eq!(awake(&mut cache), [3]);
        assert_eq!(wait(&mut cache, &access(15)), 0, "the same region");
        assert_eq!(wait(&mut cache, &access(16)), 2);
        assert_eq!(awake(&mut cache), [4], "region 3 is drowsy again");
        assert_eq!(wait(&mut cache, &In { cfg_wake_up: 0, ..access(0) }), 1, "0 acts as 1");
    }

    #[test]
    fn looking_ahead_hides_the_delay() {
        let mut cache = Cache::default();
        let early = In { access_valid: false, early_valid: true, early_block: 40, ..access(0) };
        for (ahead, waited) in [(1, 1), (2, 0), (3, 0)] {
            cache.reset();
            for _ in 0..ahead {
                cache.eval(&early);
                cache.tick();
            }
            assert_eq!(wait(&mut cache, &access(41)), waited, "{ahead} ahead");
        }
    }

    #[test]
    fn a_look_ahead_yields_to_a_waiting_access_only() {
        let mut cache = Cache::default();
        let both = In { early_valid: true, early_block: 40, ..access(13) };
        assert_eq!(wait(&mut cache, &both), 2);
        assert_eq!(awake(&mut cache), [10], "taken in the cycle that served the access");
    }

    #[test]
    fn blocks_that_are_not_there_are_ignored() {
        let mut cache = Cache::default();
        wait(&mut cache, &access(95));
        for inputs in [access(96), In { early_valid: true, early_block: 127, ..access(127) }] {
            assert!(!cache.eval(&inputs).ready);
            cache.tick();
            assert_eq!(awake(&mut cache), [23]);
        }
    }

    #[test]
    fn a_new_region_size_puts_everything_to_sleep() {
        let mut cache = Cache::default();
        wait(&mut cache, &access(13));
        let resized = In { cfg_region_shift: 0, ..access(3) };
        assert_eq!(wait(&mut cache, &resized), 2, "bit 3 meant blocks 12 to 15, which were awake");
    }
}
