//! A test that a person thought up, played on every back end of a block at once.

use lanewise_sim::units::{Io, Unit};

use crate::contract::{self, Binding};
use crate::lockstep::{Alarm, Lockstep};

/// Model, stepped RTL and verilated export of a block in lockstep, in their reset state.
pub struct Scenario<I, O> {
    lockstep: Lockstep<I, O>,
    alarm: Alarm,
}

impl<I: Io, O: Io> Scenario<I, O> {
    /// Builds all back ends of a bound block.
    ///
    /// # Panics
    /// With a message for people, if the block cannot be built or a tool is missing.
    pub fn of(binding: &Binding<I, O>) -> Self {
        let alarm = Alarm::default();
        let empty = Lockstep::new(binding.entry, "scenario", &alarm);
        let lockstep = contract::back_ends(binding)
            .into_iter()
            .fold(empty, |lockstep, (name, unit)| lockstep.with(name, unit));
        Self { lockstep, alarm }
    }

    /// One cycle: the outputs for these inputs, then the clock edge.
    ///
    /// # Panics
    /// If the back ends differ.
    pub fn cycle(&mut self, inputs: &I) -> O {
        let outputs = self.lockstep.eval(inputs);
        if let Some(mismatch) = self.alarm.raised() {
            panic!("{mismatch}");
        }
        self.lockstep.tick();
        outputs
    }

    /// One clock edge with reset held.
    pub fn reset(&mut self) {
        self.lockstep.reset();
    }
}
