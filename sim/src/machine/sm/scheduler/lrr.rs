//! Loose round robin: the next ready warp after the one that issued last.

use super::{next_from, Scheduler, View, WarpSet};

/// See the module's text.
#[derive(Clone, Default)]
pub struct LooseRoundRobin {
    next: usize,
}

impl Scheduler for LooseRoundRobin {
    fn pick(&mut self, ready: WarpSet, _view: &View) -> usize {
        let warp = next_from(ready, self.next);
        self.next = warp + 1;
        warp
    }

    fn boxed_clone(&self) -> Box<dyn Scheduler> {
        Box::new(self.clone())
    }
}
