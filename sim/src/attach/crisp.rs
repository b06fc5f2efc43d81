//! CRISP: every cycle is classified, every miss has its timestamp. Ours beside it counts what warps wait for.

use super::rivals::{Classified, Rivals};
use super::{AttachError, Boxed, UnitSource};
use crate::crisp::Reading;
use crate::machine::config::{MachineConfig, Mechanism};
use crate::machine::sm::hooks::CycleSignals;
use crate::machine::sm::l1::CacheKind;
use crate::units::crisp_classifier::{self, CrispClassifier};
use crate::units::crisp_counters::{self, CrispCounters};
use crate::units::crisp_plus::{self, CrispPlus};
use std::collections::VecDeque;

/// Miss registers with a timestamp.
pub(super) const SLOTS: usize = 164;
/// Bits that name one.
pub(super) const SLOT_BITS: usize = 8;
/// Misses that may start or end in a cycle.
pub(super) const PORTS: usize = 2;

/// As many as a machine may have.
const WARPS: usize = 64;
/// Cycles after which counters are read at the latest: so many warps fill 32 bits in twice that.
const UNREAD: u64 = 1 << 25;

type Counters = CrispCounters<SLOTS, SLOT_BITS, PORTS, 32>;
type Plus = CrispPlus<WARPS, 32>;

/// A miss register was taken or freed.
#[derive(Clone, Copy)]
enum Change {
    Start(u8),
    End(u8),
}

/// The misses that start and end in one cycle, by port.
#[derive(Clone, Copy, Default)]
pub(super) struct Moves {
    pub start_valid: [bool; PORTS],
    pub start_slot: [u8; PORTS],
    pub end_valid: [bool; PORTS],
    pub end_slot: [u8; PORTS],
}

/// The counters of one SM; see the module's text.
pub struct Crisp {
    classifier: Boxed<CrispClassifier>,
    counters: Boxed<Counters>,
    plus: Boxed<Plus>,
    /// The models it is compared with, if they are attached.
    rivals: Option<Rivals>,
    /// First slot of each cache's miss registers.
    bases: [usize; 4],
    /// Starts and ends that have not been told yet, oldest first: a slot's end before its next start.
    changes: VecDeque<Change>,
    /// All that units had counted when they were last read, in all kernels.
    sum: Reading,
    /// What stood in them then.
    last: Reading,
    /// Cycles since then.
    unread: u64,
}

impl Crisp {
    /// A classifier and counters, CRISP's and ours, for the SM at `place`.
    pub fn new(
        place: &str,
        config: &MachineConfig,
        source: &impl UnitSource,
    ) -> Result<Self, AttachError> {
        let caches = [config.l1_data, config.l1_constant, config.l1_texture, config.l1_instruction];
        let mut bases = [0; 4];
        let mut slots = 0;
        for (base, cache) in bases.iter_mut().zip(&caches) {
            *base = slots;
            slots += cache.mshrs;
        }
        if slots > SLOTS {
            let message = format!(
                "crisp_counters has {SLOTS} timestamps, the machine {slots} miss registers; lower \
                 the mshrs of the l1 caches"
            );
            return Err(AttachError(message));
        }
        let at = |block: &str| format!("{place}/{block}");
        Ok(Crisp {
            classifier: source.unit(
                "crisp_classifier",
                &at("crisp_classifier"),
                CrispClassifier,
            )?,
            counters: source.unit("crisp_counters", &at("crisp_counters"), Counters::default())?,
            plus: source.unit("crisp_plus", &at("crisp_plus"), Plus::default())?,
            rivals: (config.mechanisms.attach.contains(&Mechanism::Rivals))
                .then(|| Rivals::new(place, config.mechanisms.crisp.miss_latency, source))
                .transpose()?,
            bases,
            changes: VecDeque::new(),
            sum: Reading::default(),
            last: Reading::default(),
            unread: 0,
        })
    }

    /// A kernel starts: every counter is zero.
    pub fn kernel(&mut self) {
        self.read();
        self.last = Reading::default();
        self.changes.clear();
        self.counters.reset();
        self.plus.reset();
        self.rivals.iter_mut().for_each(Rivals::reset);
    }

    /// A miss register was taken or freed.
    pub fn miss(&mut self, cache: CacheKind, slot: usize, starts: bool) {
        let slot = (self.bases[cache as usize] + slot) as u8;
        self.changes.push_back(if starts { Change::Start(slot) } else { Change::End(slot) });
    }

    /// So many cycles with these signals have passed.
    pub fn cycles(&mut self, signals: &CycleSignals, count: u64) {
        let mut left = count;
        while left > 0 && !self.changes.is_empty() {
            let moves = self.next_moves();
            self.repeat(signals, moves, 1);
            left -= 1;
        }
        if left > 0 {
            self.repeat(signals, Moves::default(), left);
        }
        self.unread += count;
        if self.unread >= UNREAD {
            self.read();
        }
    }

    /// What all units have counted since the start, in all kernels.
    pub fn reading(&mut self) -> Reading {
        self.read();
        self.sum
    }

    /// Adds what units have counted since they were last read. They wrap at 32 bits, what they grow by does not; the paths of
    /// loads mean nothing after 2^32 cycles of one launch, six seconds.
    fn read(&mut self) {
        let now = self.standing();
        let grown = |now: u64, last: u64| u64::from((now as u32).wrapping_sub(last as u32));
        self.sum += now.each(self.last, grown);
        self.last = now;
        self.unread = 0;
    }

    /// What stands in the units.
    fn standing(&mut self) -> Reading {
        let counters = self.counters.eval(&crisp_counters::In::default());
        let plus = self.plus.eval(&crisp_plus::In::default());
        let mut all = Reading {
            cycles: counters.cycles.into(),
            t_lcp: counters.t_lcp.into(),
            load_stalls: counters.load_stalls.into(),
            store_stalls: counters.store_stalls.into(),
            active_cycles: plus.active_cycles.into(),
            stalls: plus.stalls.into(),
            idle_under_loads: plus.idle_under_loads.into(),
            single_under_loads: plus.single_under_loads.into(),
            blocked_cycles: plus.blocked_cycles.into(),
            live_warps: plus.live_warps.into(),
            computing_warps: plus.computing_warps.into(),
            ..Reading::default()
        };
        self.rivals.iter_mut().for_each(|rivals| all += rivals.reading());
        all
    }

    /// As many starts and ends as there are ports for, in their order.
    fn next_moves(&mut self) -> Moves {
        let mut moves = Moves::default();
        let (mut starts, mut ends) = (0, 0);
        while let Some(&change) = self.changes.front() {
            match change {
                Change::Start(slot) if starts < PORTS => {
                    (moves.start_valid[starts], moves.start_slot[starts]) = (true, slot);
                    starts += 1;
                }
                Change::End(slot) if ends < PORTS => {
                    (moves.end_valid[ends], moves.end_slot[ends]) = (true, slot);
                    ends += 1;
                }
                _ => break,
            }
            self.changes.pop_front();
        }
        moves
    }

    fn repeat(&mut self, signals: &CycleSignals, moves: Moves, cycles: u64) {
        let Moves { start_valid, start_slot, end_valid, end_slot } = moves;
        let mut inputs = crisp_counters::In {
            start_valid,
            start_slot,
            end_valid,
            end_slot,
            load_stall: false,
            store_stall: false,
        };
        // A miss is outstanding in its first and last cycle too, which its register alone does not show.
        let load_outstanding = self.counters.eval(&inputs).outstanding;
        let class = self.classifier.eval(&crisp_classifier::In {
            issued: signals.issued.min(2) as u8,
            control_hazard: signals.control_hazard,
            bank_conflict: signals.bank_conflict,
            load_outstanding,
            store_outstanding: signals.store_outstanding,
            fetch_stall: signals.fetch_stall,
            mshr_full: signals.mshr_full,
            lsq_full: signals.lsq_full,
            raw_memory: signals.raw_memory,
            raw_arithmetic: signals.raw_arithmetic,
            structural_arithmetic: signals.structural_arithmetic,
        });
        // It has no state: the other cycles are like this one.
        self.classifier.tick();
        self.classifier.pass(cycles - 1);
        let (load_stall, store_stall) = (class.load_stall, class.store_stall);
        inputs.load_stall = load_stall;
        inputs.store_stall = store_stall;
        self.counters.repeat(&inputs, cycles);
        if let Some(rivals) = &mut self.rivals {
            let class = Classified { load_outstanding, load_stall, store_stall };
            rivals.repeat(class, moves, cycles);
        }
        let inputs = crisp_plus::In {
            active: !signals.empty,
            issued: signals.issued.min(2) as u8,
            load_outstanding,
            load_stall,
            store_stall,
            memory_blocked: signals.memory_blocked,
            live: signals.census.live,
            computing: signals.census.computing,
        };
        self.plus.repeat(&inputs, cycles);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attach::Models;
    use crate::machine::sm::hooks::Census;

    #[test]
    fn a_launch_longer_than_the_counters_is_counted_whole() {
        let set = ["mechanisms.attach=crisp".to_string()];
        let config = MachineConfig::read("gtx480", &set).expect("it is shipped");
        let mut crisp = Crisp::new("sm0", &config, &Models).expect("it has room");
        let census = Census { live: u64::MAX, computing: 1 };
        let signals = CycleSignals { census, ..CycleSignals::default() };
        for _ in 0..10 {
            crisp.cycles(&signals, UNREAD - 1);
            crisp.cycles(&signals, 1);
        }
        let read = crisp.reading();
        assert_eq!((read.active_cycles, read.computing_warps), (10 * UNREAD, 10 * UNREAD));
        assert_eq!(read.live_warps, 640 * UNREAD);
        assert!(read.live_warps > 1 << 34, "the counter has wrapped on the way");
        crisp.kernel();
        assert_eq!(crisp.reading(), read, "a launch later it is the same");
    }
}
