//! The models that CRISP is compared with, counting beside it in the same cycles.

use super::crisp::{Moves, PORTS, SLOTS, SLOT_BITS};
use super::{AttachError, Boxed, UnitSource};
use crate::crisp::Reading;
use crate::units::crisp_light::{self, CrispLight};
use crate::units::crit_model::{self, CritModel};
use crate::units::lead_model::{self, LeadModel};
use crate::units::miss_model::{self, MissModel};
use crate::units::stall_model::{self, StallModel};

type Crit = CritModel<SLOTS, SLOT_BITS, PORTS, 32>;
type Lead = LeadModel<SLOTS, SLOT_BITS, PORTS, 32>;

/// What CRISP's classifier says of some cycles that are alike.
#[derive(Clone, Copy)]
pub(super) struct Classified {
    pub load_outstanding: bool,
    pub load_stall: bool,
    pub store_stall: bool,
}

/// See the module's text.
pub(super) struct Rivals {
    light: Boxed<CrispLight<32>>,
    stall: Boxed<StallModel<32>>,
    miss: Boxed<MissModel<32>>,
    lead: Boxed<Lead>,
    crit: Boxed<Crit>,
    miss_latency: u16,
}

impl Rivals {
    /// One of each for the SM at `place`.
    pub fn new(
        place: &str,
        miss_latency: u16,
        source: &impl UnitSource,
    ) -> Result<Self, AttachError> {
        let at = |block: &str| format!("{place}/{block}");
        Ok(Rivals {
            light: source.unit("crisp_light", &at("crisp_light"), CrispLight::default())?,
            stall: source.unit("stall_model", &at("stall_model"), StallModel::default())?,
            miss: source.unit("miss_model", &at("miss_model"), MissModel::default())?,
            lead: source.unit("lead_model", &at("lead_model"), Lead::default())?,
            crit: source.unit("crit_model", &at("crit_model"), Crit::default())?,
            miss_latency,
        })
    }

    /// Every counter is zero.
    pub fn reset(&mut self) {
        self.light.reset();
        self.stall.reset();
        self.miss.reset();
        self.lead.reset();
        self.crit.reset();
    }

    /// So many cycles have passed.
    pub fn repeat(&mut self, class: Classified, moves: Moves, cycles: u64) {
        let Classified { load_outstanding, load_stall, store_stall } = class;
        let Moves { start_valid, start_slot, end_valid, end_slot } = moves;
        self.light.repeat(&crisp_light::In { load_outstanding, load_stall, store_stall }, cycles);
        self.stall.repeat(&stall_model::In { load_stall }, cycles);
        let miss = start_valid.contains(&true);
        self.miss.repeat(&miss_model::In { miss, cfg_latency: self.miss_latency }, cycles);
        self.lead.repeat(&lead_model::In { start_valid, start_slot, end_valid, end_slot }, cycles);
        self.crit.repeat(&crit_model::In { start_valid, start_slot, end_valid, end_slot }, cycles);
    }

    /// What they have counted since reset.
    pub fn reading(&mut self) -> Reading {
        Reading {
            light_lcp: self.light.eval(&crisp_light::In::default()).lcp.into(),
            stall: self.stall.eval(&stall_model::In::default()).t_mem.into(),
            miss: self.miss.eval(&miss_model::In::default()).t_mem.into(),
            lead: self.lead.eval(&lead_model::In::default()).t_mem.into(),
            crit: self.crit.eval(&crit_model::In::default()).t_mem.into(),
            ..Reading::default()
        }
    }
}
