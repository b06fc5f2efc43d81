//! Greedy, then oldest: the warp that issued last as long as it can, then the oldest that can.

use super::{oldest_of, Scheduler, View, WarpSet};

/// See the module's text.
#[derive(Clone, Default)]
pub struct GreedyThenOldest {
    last: usize,
}

impl Scheduler for GreedyThenOldest {
    fn pick(&mut self, ready: WarpSet, view: &View) -> usize {
        if ready >> self.last & 1 == 0 {
            self.last = oldest_of(ready, view.ages);
        }
        self.last
    }

    fn boxed_clone(&self) -> Box<dyn Scheduler> {
        Box::new(self.clone())
    }
}
