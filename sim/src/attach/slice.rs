//! Drowsy regions and divided word lines at the array of an L2 slice.

use super::caches::{Access, Array, ArrayCounts, For, Shape};
use super::{AttachError, UnitSource};
use crate::machine::config::{MachineConfig, Mechanism};
use crate::machine::sm::hooks::Held;
use crate::machine::uncore::hooks::{SliceAccess, SliceHooks};

/// What is attached to one L2 slice.
pub struct AttachedSlice {
    array: Option<Array>,
}

impl AttachedSlice {
    /// Attaches to slice `at` what the machine's description names.
    pub fn new(
        at: usize,
        config: &MachineConfig,
        source: &impl UnitSource,
    ) -> Result<Self, AttachError> {
        let has = |mechanism| config.mechanisms.attach.contains(&mechanism);
        let shape = Shape {
            blocks: config.l2.sets * config.l2.ways,
            words: config.l2.line_bytes / 4,
            parts: 1,
        };
        let array = (has(Mechanism::Drowsy) || has(Mechanism::Dwl)).then(|| {
            let settings = &config.mechanisms.caches.l2;
            Array::new(&format!("l2_{at}"), shape, settings, &config.mechanisms, source)
        });
        Ok(AttachedSlice { array: array.transpose()? })
    }

    /// What happened at the slice before an L2 cycle, if anything is attached.
    pub fn counts(&self, cycle: u64) -> Option<ArrayCounts> {
        self.array.as_ref().map(|array| array.counts(cycle))
    }
}

impl SliceHooks for AttachedSlice {
    fn hold(&mut self, access: &SliceAccess) -> Held {
        let Some(array) = &mut self.array else { return Held::default() };
        let SliceAccess { cycle, known, block, active, words, write, whole } = *access;
        if !whole {
            array.request(active);
        }
        let whom = if whole { For::Line } else { For::Threads(active) };
        array.access(&Access { cycle, known, block, whom, words, write })
    }
}
