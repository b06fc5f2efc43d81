//! CRISP: every cycle is classified and every miss has its timestamp.

use super::{AttachError, Boxed, UnitSource};
use crate::machine::config::MachineConfig;
use crate::machine::sm::hooks::CycleSignals;
use crate::machine::sm::l1::CacheKind;
use crate::units::crisp_classifier::{self, CrispClassifier};
use crate::units::crisp_counters::{self, CrispCounters};
use std::collections::VecDeque;

/// Miss registers with a timestamp.
const SLOTS: usize = 164;
/// Bits that name one.
const SLOT_BITS: usize = 8;
/// Misses that may start or end in a cycle.
const PORTS: usize = 2;

type Counters = CrispCounters<SLOTS, SLOT_BITS, PORTS, 32>;

/// The counters of one SM; see the module's text.
pub struct Crisp {
    classifier: Boxed<CrispClassifier>,
    counters: Boxed<Counters>,
    /// First slot of each cache's miss registers.
    bases: [usize; 4],
    /// Starts and ends that have not been told yet.
    starts: VecDeque<u8>,
    ends: VecDeque<u8>,
    /// What the counters show.
    pub now: crisp_counters::Out<32>,
}

impl Crisp {
    /// A classifier and counters for the SM at `place`.
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
        Ok(Crisp {
            classifier: source.unit(
                "crisp_classifier",
                &format!("{place}/crisp_classifier"),
                CrispClassifier,
            )?,
            counters: source.unit(
                "crisp_counters",
                &format!("{place}/crisp_counters"),
                Counters::default(),
            )?,
            bases,
            starts: VecDeque::new(),
            ends: VecDeque::new(),
            now: Default::default(),
        })
    }

    /// A miss register was taken or freed.
    pub fn miss(&mut self, cache: CacheKind, slot: usize, starts: bool) {
        let slot = (self.bases[cache as usize] + slot) as u8;
        let list = if starts { &mut self.starts } else { &mut self.ends };
        list.push_back(slot);
    }

    /// So many cycles with these signals have passed.
    pub fn cycles(&mut self, signals: &CycleSignals, count: u64) {
        let class = self.classifier.eval(&crisp_classifier::In {
            issued: signals.issued.min(2) as u8,
            control_hazard: signals.control_hazard,
            bank_conflict: signals.bank_conflict,
            load_outstanding: signals.load_outstanding,
            store_outstanding: signals.store_outstanding,
            fetch_stall: signals.fetch_stall,
            mshr_full: signals.mshr_full,
            lsq_full: signals.lsq_full,
            raw_memory: signals.raw_memory,
            raw_arithmetic: signals.raw_arithmetic,
            structural_arithmetic: signals.structural_arithmetic,
        });
        for _ in 0..count {
            let mut inputs = crisp_counters::In::<SLOT_BITS, PORTS> {
                load_stall: class.load_stall,
                store_stall: class.store_stall,
                ..Default::default()
            };
            for port in 0..PORTS {
                if let Some(slot) = self.ends.pop_front() {
                    inputs.end_valid[port] = true;
                    inputs.end_slot[port] = slot;
                }
                if let Some(slot) = self.starts.pop_front() {
                    inputs.start_valid[port] = true;
                    inputs.start_slot[port] = slot;
                }
            }
            self.now = self.counters.eval(&inputs);
            self.counters.tick();
        }
    }
}
