//! The drowsy control of one array, clocked only in cycles in which something can change.
//!
//! Accesses come in the order in which they reach the tags. Reading the tags and reading the array are two
//! pipeline stages: an access knows its block in its own cycle, or up to `look_ahead` cycles before, and from
//! then on the unit's look-ahead port asks for its region, at the earliest in the cycle in which the array
//! serves the access before it. The array serves one access a cycle, and only when the unit says `ready`.

use super::super::{AttachError, Boxed, UnitSource};
use crate::machine::config::ArrayConfig;
use crate::units::drowsy_regions::{DrowsyRegions, In};

/// What the regions of an array did until some cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::attach) struct RegionCounts {
    /// Times a region was woken.
    pub wake_ups: u64,
    /// Blocks in them.
    pub woken_blocks: u64,
    /// Cycles times blocks that were awake in them.
    pub awake_block_cycles: u64,
}

/// The drowsy control of an array with any number of blocks.
pub(in crate::attach) trait Drowsy: Send {
    /// An access that reaches the tags in `cycle`, whose block was known in cycle `known`; returns the cycle
    /// in which the array serves it.
    fn access(&mut self, cycle: u64, known: u64, block: usize) -> u64;
    /// What happened before `cycle`.
    fn counts(&self, cycle: u64) -> RegionCounts;
}

struct Regions<const BLOCKS: usize> {
    unit: Boxed<DrowsyRegions<BLOCKS>>,
    shift: u8,
    wake_up: u8,
    look_ahead: u64,
    /// The cycle that the unit is in.
    cycle: u64,
    /// The block that is served in that cycle, whose clock edge is still to come.
    serving: Option<u16>,
    /// The region that is awake, and its first cycle.
    awake: Option<(usize, u64)>,
    counts: RegionCounts,
}

impl<const BLOCKS: usize> Regions<BLOCKS> {
    fn new(unit: Boxed<DrowsyRegions<BLOCKS>>, config: &ArrayConfig) -> Self {
        Regions {
            unit,
            shift: config.region_shift(),
            wake_up: config.wake_up_cycles,
            look_ahead: config.look_ahead_cycles.into(),
            cycle: 0,
            serving: None,
            awake: None,
            counts: RegionCounts::default(),
        }
    }

    /// A whole cycle with these inputs.
    fn clock(&mut self, access: Option<u16>, early: Option<u16>) {
        let ready = self.eval(access, early);
        self.commit(ready, access, early);
    }

    fn eval(&mut self, access: Option<u16>, early: Option<u16>) -> bool {
        let inputs = In {
            access_valid: access.is_some(),
            access_block: access.unwrap_or(0),
            early_valid: early.is_some(),
            early_block: early.unwrap_or(0),
            cfg_region_shift: self.shift,
            cfg_wake_up: self.wake_up,
        };
        self.unit.eval(&inputs).ready
    }

    /// The clock edge after `eval` of these inputs, and the account of what is awake from now on.
    fn commit(&mut self, ready: bool, access: Option<u16>, early: Option<u16>) {
        self.unit.tick();
        self.cycle += 1;
        let wanted = if ready { early } else { access.or(early) };
        match wanted.map(|block| usize::from(block >> self.shift)) {
            Some(region) if self.awake.is_none_or(|(awake, _)| awake != region) => {
                self.counts.awake_block_cycles += self.awake_since(self.cycle);
                self.counts.wake_ups += 1;
                self.counts.woken_blocks += self.size(region);
                self.awake = Some((region, self.cycle));
            }
            _ => {}
        }
    }

    /// Whether a cycle that asks for nothing, or early for this block, changes nothing.
    fn is_settled(&self, early: Option<u16>) -> bool {
        let Some((awake, since)) = self.awake else { return early.is_none() };
        let same = early.is_none_or(|block| usize::from(block >> self.shift) == awake);
        same && self.cycle + 1 >= since + u64::from(self.wake_up)
    }

    /// Blocks of a region.
    fn size(&self, region: usize) -> u64 {
        ((region + 1) << self.shift).min(BLOCKS) as u64 - (region << self.shift) as u64
    }

    /// Block-cycles of the region that is awake, up to `cycle`.
    fn awake_since(&self, cycle: u64) -> u64 {
        self.awake.map_or(0, |(region, since)| self.size(region) * cycle.saturating_sub(since))
    }

    /// Cycles up to `cycle` in which only the look-ahead may ask.
    fn wait(&mut self, cycle: u64, early: Option<u16>) {
        while self.cycle < cycle && !self.is_settled(early) {
            self.clock(None, early);
        }
        self.unit.pass(cycle.saturating_sub(self.cycle));
        self.cycle = self.cycle.max(cycle);
    }
}

impl<const BLOCKS: usize> Drowsy for Regions<BLOCKS> {
    fn access(&mut self, cycle: u64, known: u64, block: usize) -> u64 {
        let block = block as u16;
        let probed = known.max(cycle.saturating_sub(self.look_ahead)).min(cycle);
        if let Some(before) = self.serving.take() {
            let early = (probed <= self.cycle).then_some(block);
            self.clock(Some(before), early);
        }
        self.wait(probed, None);
        self.wait(cycle, Some(block));
        for _ in 0..=self.wake_up {
            if self.eval(Some(block), None) {
                break;
            }
            self.commit(false, Some(block), None);
        }
        // A unit that never answers must not stop the machine; lockstep tells of it.
        self.serving = Some(block);
        self.cycle
    }

    fn counts(&self, cycle: u64) -> RegionCounts {
        let awake_block_cycles = self.counts.awake_block_cycles + self.awake_since(cycle);
        RegionCounts { awake_block_cycles, ..self.counts }
    }
}

/// The drowsy control of an array of `blocks` blocks.
pub(in crate::attach) fn drowsy(
    blocks: usize,
    instance: &str,
    config: &ArrayConfig,
    source: &impl UnitSource,
) -> Result<Box<dyn Drowsy>, AttachError> {
    fn regions<const BLOCKS: usize>(
        entry: &str,
        instance: &str,
        config: &ArrayConfig,
        source: &impl UnitSource,
    ) -> Result<Box<dyn Drowsy>, AttachError> {
        let unit = source.unit(entry, instance, DrowsyRegions::<BLOCKS>::default())?;
        Ok(Box::new(Regions::new(unit, config)))
    }
    match blocks {
        16 => regions::<16>("drowsy_regions__blocks_16", instance, config, source),
        96 => regions::<96>("drowsy_regions__blocks_96", instance, config, source),
        128 => regions::<128>("drowsy_regions", instance, config, source),
        384 => regions::<384>("drowsy_regions__blocks_384", instance, config, source),
        1024 => regions::<1024>("drowsy_regions__blocks_1024", instance, config, source),
        other => Err(AttachError(format!(
            "{instance}: there is no drowsy_regions for {other} blocks; the catalogue has 16, 96, 128, \
             384 and 1024"
        ))),
    }
}

/// The control of an array of eight blocks, which only tests have.
#[cfg(test)]
pub(super) fn tiny(config: &ArrayConfig) -> Box<dyn Drowsy> {
    Box::new(Regions::<8>::new(Box::new(DrowsyRegions::default()), config))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::drowsy_regions::Out;
    use crate::units::Unit;
    use std::sync::{Arc, Mutex};

    /// A cycle of the unit: its inputs and outputs.
    type Row = (In<8>, Out<8>);

    /// Writes down every cycle, also those in which the unit is said to have nothing to do.
    #[derive(Default)]
    struct Spy {
        model: DrowsyRegions<8>,
        row: Row,
        rows: Arc<Mutex<Vec<Row>>>,
    }

    impl Unit for Spy {
        type In = In<8>;
        type Out = Out<8>;
        fn eval(&mut self, inputs: &In<8>) -> Out<8> {
            self.row = (inputs.clone(), self.model.eval(inputs));
            self.row.1.clone()
        }
        fn tick(&mut self) {
            self.rows.lock().unwrap().push(self.row.clone());
            self.model.tick();
        }
        fn reset(&mut self) {
            self.model.reset();
        }
        fn pass(&mut self, cycles: u64) {
            let last = self.row.0.clone();
            let idle = In { access_valid: false, early_valid: false, ..last };
            for _ in 0..cycles {
                self.eval(&idle);
                self.tick();
            }
        }
    }

    fn regions(shift: u8, wake_up: u8, look_ahead: u64) -> (Regions<8>, Arc<Mutex<Vec<Row>>>) {
        let spy = Spy {
            row: (
                In { cfg_region_shift: shift, cfg_wake_up: wake_up, ..In::default() },
                Out::default(),
            ),
            ..Spy::default()
        };
        let rows = spy.rows.clone();
        let counts = RegionCounts::default();
        let unit = Box::new(spy);
        let regions = Regions {
            unit,
            shift,
            wake_up,
            look_ahead,
            cycle: 0,
            serving: None,
            awake: None,
            counts,
        };
        (regions, rows)
    }

    #[test]
    fn a_row_of_accesses_to_new_regions_goes_one_a_cycle_with_one_cycle_to_wake() {
        let (mut one, _) = regions(0, 1, 0);
        let served: Vec<u64> = (0..5).map(|n| one.access(10 + n, 10 + n, n as usize)).collect();
        assert_eq!(served, [11, 12, 13, 14, 15]);
        let (mut two, _) = regions(0, 2, 0);
        let served: Vec<u64> = (0..4).map(|n| two.access(10 + n, 10 + n, n as usize)).collect();
        assert_eq!(served, [12, 14, 16, 18], "only one region is awake");
    }

    #[test]
    fn looking_ahead_hides_what_was_known_and_no_more() {
        for (wake_up, look_ahead, known, served) in [
            (1, 0, 90, 101),
            (1, 1, 90, 100),
            (2, 1, 90, 101),
            (2, 2, 90, 100),
            (2, 2, 99, 101),
            (2, 2, 100, 102),
        ] {
            let (mut regions, _) = regions(0, wake_up, look_ahead);
            regions.access(3, 3, 0);
            let case = (wake_up, look_ahead, known);
            assert_eq!(regions.access(100, known, 5), served, "{case:?}");
        }
        // The region in front must first have served its access.
        let (mut regions, _) = regions(0, 1, 5);
        assert_eq!(regions.access(10, 0, 0), 10);
        assert_eq!(regions.access(11, 0, 1), 11);
        assert_eq!(regions.access(11, 0, 2), 12);
    }

    #[test]
    fn no_access_is_served_by_a_drowsy_region_and_every_awake_block_cycle_is_counted() {
        let mut seed = 1u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % below
        };
        for case in 0..200 {
            let (shift, wake_up) = (random(4) as u8, 1 + random(3) as u8);
            let (mut regions, rows) = regions(shift, wake_up, random(4));
            let (mut cycle, mut last, mut served) = (0, 0, vec![]);
            for _ in 0..50 {
                cycle += random(3) * random(4);
                let (block, known) = (random(8) as usize, cycle.saturating_sub(random(5)));
                let at = regions.access(cycle, known, block);
                assert!(at >= cycle && (served.is_empty() || at > last), "{case}: order");
                last = at;
                served.push((at, block));
            }
            regions.wait(last, None);
            regions.clock(None, None);
            let end = regions.cycle;
            let rows = rows.lock().unwrap();
            assert_eq!(rows.len() as u64, end, "{case}: a row a cycle");
            let mut awake = 0;
            for (inputs, out) in rows.iter() {
                let region = usize::from(inputs.access_block) >> shift;
                assert!(
                    !(inputs.access_valid && out.ready && out.drowsy[region]),
                    "{case}: drowsy"
                );
                awake += (0..8usize).filter(|block| !out.drowsy[block >> shift]).count() as u64;
            }
            for (at, block) in &served[..served.len() - 1] {
                let (inputs, out) = &rows[*at as usize];
                assert!(inputs.access_valid && out.ready, "{case}: served when ready");
                assert_eq!(usize::from(inputs.access_block), *block, "{case}");
            }
            assert_eq!(regions.counts(end).awake_block_cycles, awake, "{case}");
        }
    }
}
