//! Two-level: a small active set issues in round robin; a warp that waits for memory or at a barrier leaves it.
//!
//! Only active warps issue. A warp that waits for a load that may leave the SM or at a barrier is moved to the pending set, and the next
//! pending warp that can go on, in round robin by slot from the last that entered, takes its place.

use super::{each, next_from, Scheduler, View, WarpSet};

/// See the module's text.
#[derive(Clone)]
pub struct TwoLevel {
    size: usize,
    active: WarpSet,
    next: usize,
    /// Where the search for the next warp to enter begins.
    enter: usize,
}

impl TwoLevel {
    /// An active set of `size` warps.
    pub fn new(size: usize) -> Self {
        TwoLevel { size: size.max(1), active: 0, next: 0, enter: 0 }
    }

    fn refill(&mut self, view: &View) {
        let able = view.running & !view.waiting;
        self.active &= able;
        let mut candidates = able & !self.active;
        while (self.active.count_ones() as usize) < self.size && candidates != 0 {
            let warp = next_from(candidates, self.enter);
            self.enter = warp + 1;
            self.active |= 1 << warp;
            candidates &= !(1 << warp);
        }
        debug_assert!(each(self.active).count() <= self.size);
    }
}

impl Scheduler for TwoLevel {
    fn eligible(&mut self, ready: WarpSet, view: &View) -> WarpSet {
        self.refill(view);
        ready & self.active
    }

    fn pick(&mut self, ready: WarpSet, _view: &View) -> usize {
        let warp = next_from(ready, self.next);
        self.next = warp + 1;
        warp
    }

    fn boxed_clone(&self) -> Box<dyn Scheduler> {
        Box::new(self.clone())
    }
}
