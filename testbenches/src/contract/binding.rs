//! All that the contract has to be told about one block.

use std::ops::Range;

use lanewise_sim::units::{Io, Unit};

use super::Registers;
use crate::stimulus::Source;
use crate::BoxedUnit;

/// A bit that is never seen at both values, or a transition never taken, and why that is right.
#[derive(Clone, Debug)]
pub struct Exception {
    /// An output, a register by its path (`idle.count_0`, `stamp[3]`; `*` stands for anything), or a
    /// transition (`On -> Waking`).
    pub of: &'static str,
    /// The bits meant.
    pub bits: Range<usize>,
    /// Why.
    pub reason: &'static str,
}

/// Where a state machine's state is seen.
pub enum StateOf<O> {
    /// In the outputs: the state of each lane.
    Outputs(fn(&O) -> Vec<usize>),
    /// In the registers of the stepped RTL: the state of each lane.
    Registers(fn(&Registers) -> Vec<usize>),
}

/// A state machine and its legal moves. Staying is always legal; reset may lead anywhere.
pub struct Machine<O> {
    /// The states' names, by number.
    pub states: &'static [&'static str],
    /// Where the state is seen.
    pub of: StateOf<O>,
    /// From, to. All must be taken, and no others.
    pub transitions: Vec<(usize, usize)>,
}

/// A catalogue entry, its golden model and how to try it.
pub struct Binding<I, O> {
    /// The entry's name in the catalogue.
    pub entry: &'static str,
    /// A fresh golden model in its reset state.
    pub model: fn() -> BoxedUnit<I, O>,
    /// Inputs worth trying.
    pub stimulus: fn() -> Source<I>,
    /// What is never covered, with reasons.
    pub exceptions: Vec<Exception>,
    /// The block's state machine, if it has one.
    pub machine: Option<Machine<O>>,
    /// Cycles from one fresh start to the next. Long enough for the block's slowest mechanism.
    pub case_cycles: usize,
}

impl<I: Io, O: Io> Binding<I, O> {
    /// Binds `entry` to the model that `model` makes.
    pub fn new(
        entry: &'static str,
        model: fn() -> BoxedUnit<I, O>,
        stimulus: fn() -> Source<I>,
    ) -> Self {
        Self { entry, model, stimulus, exceptions: Vec::new(), machine: None, case_cycles: 5_000 }
    }

    /// Binds `entry` to the model `U`, whose default is its reset state.
    pub fn of<U>(entry: &'static str, stimulus: fn() -> Source<I>) -> Self
    where
        U: Unit<In = I, Out = O> + Default + 'static,
    {
        Self::new(entry, || Box::new(U::default()), stimulus)
    }

    /// Lists bits that are not covered, with the reason.
    pub fn except(mut self, of: &'static str, bits: Range<usize>, reason: &'static str) -> Self {
        self.exceptions.push(Exception { of, bits, reason });
        self
    }

    /// Lists a transition that is not taken, written `From -> To`, with the reason.
    pub fn except_transition(self, of: &'static str, reason: &'static str) -> Self {
        self.except(of, 0..1, reason)
    }

    /// Describes the block's state machine.
    pub fn machine(mut self, machine: Machine<O>) -> Self {
        self.machine = Some(machine);
        self
    }

    /// Sets the cycles from one fresh start to the next.
    pub fn case_cycles(mut self, cycles: usize) -> Self {
        self.case_cycles = cycles;
        self
    }
}
