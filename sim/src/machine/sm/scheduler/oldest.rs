//! Oldest first: of all ready warps the one that was launched first.

use super::{oldest_of, Scheduler, View, WarpSet};

/// See the module's text.
#[derive(Clone)]
pub struct OldestFirst;

impl Scheduler for OldestFirst {
    fn pick(&mut self, ready: WarpSet, view: &View) -> usize {
        oldest_of(ready, view.ages)
    }

    fn boxed_clone(&self) -> Box<dyn Scheduler> {
        Box::new(self.clone())
    }
}
