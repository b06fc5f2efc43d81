//! A test that a person thought up, played on every back end of a block at once.

use lanewise_sim::units::{Io, Unit};

use crate::contract::{Binding, Failure, Subject};
use crate::lockstep::{Alarm, Lockstep};
use crate::verilated::Start;

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
        Self::build(binding).unwrap_or_else(|failure| panic!("{failure}"))
    }

    fn build(binding: &Binding<I, O>) -> Result<Self, Failure> {
        const CHECK: &str = "scenario";
        let subject = Subject::of(binding)?;
        let alarm = Alarm::default();
        let lockstep = Lockstep::new(binding.entry, CHECK, &alarm)
            .with("model", (binding.model)())
            .with("rtl", Box::new(subject.rtl(CHECK)?))
            .with("verilated", Box::new(subject.verilated(CHECK)?.unit(Start::Reset)));
        Ok(Self { lockstep, alarm })
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
