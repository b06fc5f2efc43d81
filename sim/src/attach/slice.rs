//! Drowsy regions at the array of an L2 slice.

use super::caches::{drowsy, Drowsy};
use super::{AttachError, UnitSource};
use crate::machine::config::{MachineConfig, Mechanism};
use crate::machine::uncore::hooks::{SliceAccess, SliceHooks};

/// What is attached to one L2 slice.
pub struct AttachedSlice {
    drowsy: Option<Box<dyn Drowsy>>,
    /// L2 cycles that accesses have waited.
    pub held_cycles: u64,
}

impl AttachedSlice {
    /// Attaches to slice `at` what the machine's description names.
    pub fn new(
        at: usize,
        config: &MachineConfig,
        source: &impl UnitSource,
    ) -> Result<Self, AttachError> {
        let blocks = config.l2.sets * config.l2.ways;
        let settings = &config.mechanisms.drowsy;
        let drowsy = match config.mechanisms.attach.contains(&Mechanism::Drowsy) {
            true => Some(drowsy(blocks, &format!("l2_{at}/drowsy_regions"), settings, source)?),
            false => None,
        };
        Ok(AttachedSlice { drowsy, held_cycles: 0 })
    }
}

impl SliceHooks for AttachedSlice {
    fn hold(&mut self, access: &SliceAccess) -> u64 {
        let held = self.drowsy.as_mut().map_or(0, |d| d.access(access.cycle, access.block));
        self.held_cycles += held;
        held
    }
}
