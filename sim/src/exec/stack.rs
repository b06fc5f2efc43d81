//! The reconvergence stack: which lanes run where, and where they meet again.
//!
//! The top entry runs. A branch that splits its lanes leaves an entry waiting at the meeting point and pushes
//! one entry per path; an entry that reaches its meeting point is popped. When the meeting point is the one the
//! entry already has, the waiting entry exists, so loops that shed lanes do not grow the stack.

use super::mask::LaneMask;
use crate::ptx::ir::Op;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    pc: u32,
    /// Where this entry is popped, or [`Op::NEVER`].
    meet: u32,
    lanes: LaneMask,
}

/// The control state of a warp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stack {
    entries: Vec<Entry>,
}

impl Stack {
    /// These lanes at the first instruction.
    pub fn new(lanes: LaneMask) -> Stack {
        Stack { entries: vec![Entry { pc: 0, meet: Op::NEVER, lanes }] }
    }

    /// Program counter and lanes of the path that runs; `None` when every lane has exited.
    #[inline(always)]
    pub fn top(&self) -> Option<(u32, LaneMask)> {
        self.entries.last().map(|e| (e.pc, e.lanes))
    }

    /// How many entries there are.
    #[cfg(test)]
    fn depth(&self) -> usize {
        self.entries.len()
    }

    /// To the next instruction.
    #[inline(always)]
    pub fn advance(&mut self) {
        if let Some(top) = self.entries.last_mut() {
            top.pc += 1;
            if top.pc == top.meet {
                self.settle();
            }
        }
    }

    /// Sends `taken` to `target` and the other running lanes to the next instruction.
    pub fn branch(&mut self, taken: LaneMask, target: u32, meet: u32) {
        let Some(top) = self.entries.last_mut() else {
            return;
        };
        let (lanes, next) = (top.lanes, top.pc + 1);
        let rest = LaneMask(lanes.0 & !taken.0);
        if rest.is_empty() || target == next {
            top.pc = target;
        } else if taken.is_empty() {
            top.pc = next;
        } else {
            if meet == Op::NEVER || meet == top.meet {
                self.entries.pop();
            } else {
                top.pc = meet;
            }
            for (pc, lanes) in [(next, rest), (target, taken)] {
                if pc != meet {
                    self.entries.push(Entry { pc, meet, lanes });
                }
            }
        }
        self.settle();
    }

    /// Removes lanes that exit; running lanes that stay go to the next instruction.
    pub fn exit(&mut self, lanes: LaneMask) {
        for entry in &mut self.entries {
            entry.lanes = LaneMask(entry.lanes.0 & !lanes.0);
        }
        match self.entries.last() {
            Some(top) if !top.lanes.is_empty() => self.advance(),
            _ => self.settle(),
        }
    }

    /// Pops entries that have arrived or have no lanes left.
    fn settle(&mut self) {
        while self.entries.last().is_some_and(|e| e.pc == e.meet || e.lanes.is_empty()) {
            self.entries.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_arms_run_then_meet() {
        let mut stack = Stack::new(LaneMask(0b1111));
        stack.branch(LaneMask(0b0011), 5, 8);
        assert_eq!(stack.top(), Some((5, LaneMask(0b0011))));
        for _ in 0..3 {
            stack.advance();
        }
        assert_eq!(stack.top(), Some((1, LaneMask(0b1100))));
        for _ in 0..7 {
            stack.advance();
        }
        assert_eq!((stack.top(), stack.depth()), (Some((8, LaneMask(0b1111))), 1));
    }

    #[test]
    fn a_loop_that_sheds_lanes_keeps_the_stack_small() {
        let mut stack = Stack::new(LaneMask::ALL);
        for left in (1..32).rev() {
            // pc 0 is the whole loop: some lanes go round, one leaves to pc 1.
            stack.branch(LaneMask::first(left), 0, 1);
            assert!(stack.depth() <= 2, "{}", stack.depth());
        }
        stack.branch(LaneMask::NONE, 0, 1);
        assert_eq!(stack.top(), Some((1, LaneMask::ALL)));
    }

    #[test]
    fn exits_leave_the_others_running() {
        let mut stack = Stack::new(LaneMask(0b11));
        stack.branch(LaneMask(0b01), 4, 9);
        stack.exit(LaneMask(0b01));
        assert_eq!(stack.top(), Some((1, LaneMask(0b10))));
        stack.exit(LaneMask(0b10));
        assert_eq!(stack.top(), None);
    }
}
