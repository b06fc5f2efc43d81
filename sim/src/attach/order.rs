//! Which ready warps go first: those of the current type, then those of the current mask group.
//!
//! Origami, section 3.2, with GATES' order of types: while INT is current, FP yields to everything else, and the
//! other way round; loads, stores and special functions never yield. The type with more waiting warps becomes current
//! at a phase start and stays so until no scheduler has a ready warp of it. A warp that was ready and passed over
//! for `max_phases` phases goes before all others: types would starve warps otherwise (ours).

use crate::machine::config::FoldingConfig;
use crate::machine::sm::decode::SpPipe;
use crate::machine::sm::hooks::WarpKinds;
use crate::machine::sm::scheduler::WarpSet;

/// The order of one SM's warps.
#[derive(Clone, Debug)]
pub struct Order {
    types: bool,
    phase_cycles: u64,
    cycle: u64,
    current: SpPipe,
    /// What each scheduler could choose from when it last began to choose.
    ready: Vec<WarpSet>,
    /// Whether a scheduler has yet to choose in this cycle.
    fresh: Vec<bool>,
    /// Warps that have been ready, and passed over, since so many phase starts.
    passed_over: Vec<WarpSet>,
}

impl Order {
    /// For so many schedulers; without `types` only mask groups count.
    pub fn new(config: &FoldingConfig, schedulers: usize, types: bool) -> Self {
        Order {
            types,
            phase_cycles: u64::from(config.phase_cycles.max(1)),
            cycle: 0,
            current: SpPipe::Int,
            ready: vec![0; schedulers],
            fresh: vec![true; schedulers],
            passed_over: vec![0; usize::from(config.max_phases.max(1))],
        }
    }

    /// Those of `ready` that go first; `group` has the warps of the current mask group.
    pub fn prefer(
        &mut self,
        scheduler: usize,
        share: WarpSet,
        ready: WarpSet,
        group: WarpSet,
        kinds: &WarpKinds,
    ) -> WarpSet {
        if std::mem::take(&mut self.fresh[scheduler]) {
            self.ready[scheduler] = ready;
            self.passed_over.iter_mut().for_each(|warps| *warps &= ready | !share);
            let all = self.ready.iter().fold(0, |all, ready| all | ready);
            if all & of(self.current, kinds) == 0 && all & of(other(self.current), kinds) != 0 {
                self.current = other(self.current);
            }
        }
        let longest = self.passed_over.last().copied().unwrap_or(0);
        let some = |set: WarpSet| (set != 0).then_some(set);
        let typed = match self.types {
            true => some(ready & !of(other(self.current), kinds)).unwrap_or(ready),
            false => ready,
        };
        let grouped = some(typed & (group | !(kinds.int | kinds.fp))).unwrap_or(typed);
        some(ready & longest).unwrap_or(grouped)
    }

    /// A warp has issued.
    pub fn issued(&mut self, warp: usize) {
        self.passed_over.iter_mut().for_each(|warps| *warps &= !(1 << warp));
    }

    /// So many cycles pass with these next instructions.
    pub fn cycles(&mut self, kinds: &WarpKinds, count: u64) {
        self.fresh.fill(true);
        self.cycle += count;
        while self.cycle >= self.phase_cycles {
            self.cycle -= self.phase_cycles;
            let count = |pipe| (of(pipe, kinds) & kinds.buffered).count_ones();
            let more_fp = count(SpPipe::Fp) > count(SpPipe::Int);
            self.current = if more_fp { SpPipe::Fp } else { SpPipe::Int };
            self.passed_over.rotate_right(1);
            self.passed_over[0] = WarpSet::MAX;
        }
    }
}

fn of(pipe: SpPipe, kinds: &WarpKinds) -> WarpSet {
    match pipe {
        SpPipe::Int => kinds.int,
        SpPipe::Fp => kinds.fp,
    }
}

fn other(pipe: SpPipe) -> SpPipe {
    match pipe {
        SpPipe::Int => SpPipe::Fp,
        SpPipe::Fp => SpPipe::Int,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::config::MachineConfig;

    fn order(types: bool) -> (Order, FoldingConfig) {
        let config = MachineConfig::read("gtx480", &[]).expect("it is shipped");
        (Order::new(&config.mechanisms.folding, 1, types), config.mechanisms.folding)
    }

    /// Warps 0-3 INT, 4-7 FP, 8 loads; the even ones are full.
    fn kinds() -> WarpKinds {
        WarpKinds { buffered: 0x1ff, int: 0x0f, fp: 0xf0, sfu: 0, full: 0x155 }
    }

    #[test]
    fn type_before_group_and_loads_never_yield() {
        let (mut order, _) = order(true);
        let mut choose = |ready, kinds: &WarpKinds| {
            let choice = order.prefer(0, !0, ready, kinds.full, kinds);
            order.cycles(kinds, 1);
            choice
        };
        assert_eq!(choose(0x1ff, &kinds()), 0x105, "full INT, and the load");
        assert_eq!(choose(0x0fa, &kinds()), 0x00a, "partial INT before full FP");
        assert_eq!(choose(0x150, &kinds()), 0x150, "no INT is left: FP becomes current");
        assert_eq!(choose(0x01f, &kinds()), 0x010, "and stays so");
        assert_eq!(choose(0x00f, &kinds()), 0x005);
    }

    #[test]
    fn a_retry_in_the_same_cycle_does_not_change_the_type() {
        let (mut order, _) = order(true);
        assert_eq!(order.prefer(0, !0, 0x11, !0, &kinds()), 0x01);
        // Warp 0 was refused.
        assert_eq!(order.prefer(0, !0, 0x10, !0, &kinds()), 0x10);
        order.cycles(&kinds(), 1);
        assert_eq!(order.prefer(0, !0, 0x11, !0, &kinds()), 0x01, "INT is still current");
    }

    /// The longest that one of the warps waits for its turn when all are always ready.
    fn longest_wait(mut order: Order, group: impl Fn(u64) -> WarpSet) -> u64 {
        let kinds = kinds();
        let mut since = [0u64; 9];
        let mut longest = 0;
        for cycle in 0..20_000u64 {
            let choice = order.prefer(0, !0, kinds.buffered, group(cycle), &kinds);
            // The adversary: always the lowest numbered of those that go first.
            let warp = choice.trailing_zeros() as usize;
            longest = longest.max(cycle - since[warp]);
            since[warp] = cycle;
            order.issued(warp);
            order.cycles(&kinds, 1);
        }
        since.iter().fold(longest, |longest, since| longest.max(20_000 - since))
    }

    #[test]
    fn nobody_starves_beyond_the_bound() {
        for types in [true, false] {
            let (order, config) = order(types);
            // M phases, and then the turn of those who have waited as long.
            let bound = u64::from(config.phase_cycles) * u64::from(config.max_phases) + 9;
            let waited = longest_wait(order.clone(), |_| kinds().full);
            assert!(waited <= bound && waited > 300, "{waited}");
            // The planted bug: an order that counts more phases than there are.
            let forgetful = Order { passed_over: vec![0; 100], ..order };
            assert!(longest_wait(forgetful, |_| kinds().full) > bound);
        }
    }
}
