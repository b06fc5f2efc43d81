//! Global memory as a running warp sees it.

use super::global::GlobalMemory;
use super::pending::Pending;

/// See the module's text.
pub enum GlobalView<'a> {
    /// All of it, changed at once.
    Whole(&'a mut GlobalMemory),
    /// Several SMs look at it: what this one writes is kept until the machine applies it.
    Shared {
        /// What all see.
        memory: &'a GlobalMemory,
        /// What this SM has written since.
        pending: &'a mut Pending,
        /// The core cycle, which `%clock` reads.
        cycle: u64,
    },
}

impl GlobalView<'_> {
    /// What all see.
    #[inline(always)]
    pub fn memory(&self) -> &GlobalMemory {
        match self {
            GlobalView::Whole(memory) => memory,
            GlobalView::Shared { memory, .. } => memory,
        }
    }

    #[inline(always)]
    pub(super) fn whole_mut(&mut self) -> Option<&mut GlobalMemory> {
        match self {
            GlobalView::Whole(memory) => Some(memory),
            GlobalView::Shared { .. } => None,
        }
    }

    /// The core cycle, where there is one.
    pub(in crate::exec) fn cycle(&self) -> Option<u64> {
        match self {
            GlobalView::Whole(_) => None,
            GlobalView::Shared { cycle, .. } => Some(*cycle),
        }
    }
}
