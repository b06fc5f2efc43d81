//! Counts the warps of each mask group that wait in one scheduler's instruction buffer.
//!
//! Origami, section 3.4. The net change of a cycle is applied, then held within 0 and [`LIMIT`]. Reset
//! state: both counters 0, an empty buffer.

use super::Unit;

/// The largest count of a 5-bit counter.
pub const LIMIT: i32 = 31;

crate::io! {
    /// Inputs of [`GroupCounters`].
    pub struct In {
        /// Entry i is filled in this cycle.
        enter_valid: [bool; 2], 1;
        /// Its mask is all ones.
        enter_full: [bool; 2], 1;
        /// A warp leaves through issue port i in this cycle.
        leave_valid: [bool; 2], 1;
        /// Its mask is all ones.
        leave_full: [bool; 2], 1;
    }
}

crate::io! {
    /// Outputs of [`GroupCounters`].
    pub struct Out {
        /// Waiting warps with a full mask.
        full_count: u8, 5;
        /// Waiting warps with a partial mask.
        partial_count: u8, 5;
    }
}

/// Two saturating up-down counters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupCounters {
    full: i32,
    partial: i32,
    inputs: In,
}

impl Unit for GroupCounters {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        self.inputs = inputs.clone();
        Out { full_count: self.full as u8, partial_count: self.partial as u8 }
    }

    fn tick(&mut self) {
        let In { enter_valid, enter_full, leave_valid, leave_full } = self.inputs;
        for port in 0..2 {
            if enter_valid[port] {
                *self.group(enter_full[port]) += 1;
            }
            if leave_valid[port] {
                *self.group(leave_full[port]) -= 1;
            }
        }
        self.full = self.full.clamp(0, LIMIT);
        self.partial = self.partial.clamp(0, LIMIT);
    }

    fn reset(&mut self) {
        (self.full, self.partial) = (0, 0);
    }
}

impl GroupCounters {
    fn group(&mut self, full: bool) -> &mut i32 {
        if full {
            &mut self.full
        } else {
            &mut self.partial
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(counters: &mut GroupCounters, enter: [bool; 2], leave: [bool; 2]) -> Out {
        let (enter_full, leave_full) = ([true; 2], [true; 2]);
        counters.eval(&In { enter_valid: enter, enter_full, leave_valid: leave, leave_full });
        counters.tick();
        counters.eval(&In::default())
    }

    #[test]
    fn the_net_change_is_applied_before_the_limits() {
        let mut counters = GroupCounters::default();
        let (none, one, two) = ([false; 2], [true, false], [true; 2]);
        assert_eq!(step(&mut counters, two, one).full_count, 1);
        assert_eq!(step(&mut counters, one, two).full_count, 0);
        assert_eq!(step(&mut counters, none, two).full_count, 0);
        for _ in 0..20 {
            step(&mut counters, two, none);
        }
        assert_eq!(step(&mut counters, two, two).full_count, 31);
        assert_eq!(step(&mut counters, two, one).full_count, 31);
        assert_eq!(step(&mut counters, one, two), Out { full_count: 30, partial_count: 0 });
    }

    #[test]
    fn the_groups_are_apart() {
        let mut counters = GroupCounters::default();
        counters.eval(&In { enter_valid: [true; 2], enter_full: [true, false], ..In::default() });
        counters.tick();
        assert_eq!(counters.eval(&In::default()), Out { full_count: 1, partial_count: 1 });
    }
}
