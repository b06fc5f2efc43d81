//! Steps several back ends of one block side by side and stops at the first difference.
//!
//! The first member is the reference: its outputs are what [`Lockstep`] returns. A difference never
//! panics. It raises an [`Alarm`], which the machine shares among all its blocks and looks at once a
//! cycle, so that it can stop at once and exit with the code for a mismatch.

mod mismatch;
mod wave;

use std::collections::VecDeque;
use std::path::PathBuf;

use lanewise_sim::units::{Io, Unit};

use crate::image::Layout;
use crate::BoxedUnit;

pub use mismatch::{Alarm, Mismatch, Side};
pub use wave::{write_vcd, VcdScope};

/// Cycles kept for the waveform of a mismatch.
pub const HISTORY: usize = 256;

/// The packed inputs and every member's packed outputs of one cycle.
#[derive(Debug, Default)]
pub struct Row {
    /// The cycle, counted from the unit's creation.
    pub cycle: u64,
    /// Reset was held in this cycle.
    pub reset: bool,
    /// Inputs.
    pub inputs: Vec<u32>,
    /// Outputs, one image a member.
    pub outputs: Vec<Vec<u32>>,
}

/// A cycle as it happened. Packing it would cost as much as stepping a block, so only a mismatch does.
#[derive(Clone, Default)]
struct Step<I, O> {
    cycle: u64,
    reset: bool,
    inputs: I,
    /// One for each member.
    outputs: Vec<O>,
}

impl<I: Io, O: Io> Step<I, O> {
    fn row(&self) -> Row {
        let outputs = self.outputs.iter().map(packed).collect();
        Row { cycle: self.cycle, reset: self.reset, inputs: packed(&self.inputs), outputs }
    }
}

fn packed<T: Io>(value: &T) -> Vec<u32> {
    let mut words = vec![0; T::WORDS];
    value.pack(&mut words);
    words
}

/// Back ends of one block, stepped together.
pub struct Lockstep<I, O> {
    block: String,
    instance: String,
    members: Vec<(&'static str, BoxedUnit<I, O>)>,
    inputs: Layout,
    outputs: Layout,
    now: Step<I, O>,
    history: VecDeque<Step<I, O>>,
    alarm: Alarm,
    stopped: bool,
    waves: Option<PathBuf>,
}

impl<I: Io, O: Io> Lockstep<I, O> {
    /// An empty lockstep of `block`, seen as `instance` in the machine.
    pub fn new(block: &str, instance: &str, alarm: &Alarm) -> Self {
        Self {
            block: block.into(),
            instance: instance.into(),
            members: Vec::new(),
            inputs: Layout::of::<I>(),
            outputs: Layout::of::<O>(),
            now: Step::default(),
            history: VecDeque::with_capacity(HISTORY),
            alarm: alarm.clone(),
            stopped: false,
            waves: None,
        }
    }

    /// Adds a back end under the name it has in messages and waveforms.
    pub fn with(mut self, name: &'static str, unit: BoxedUnit<I, O>) -> Self {
        self.members.push((name, unit));
        self.now.outputs.push(O::default());
        self
    }

    /// On a mismatch, writes the waveform of the last cycles into this directory.
    pub fn waves_to(mut self, directory: impl Into<PathBuf>) -> Self {
        self.waves = Some(directory.into());
        self
    }

    /// The cycle that the next tick ends.
    pub fn cycle(&self) -> u64 {
        self.now.cycle
    }

    fn remember(&mut self) {
        let full = self.history.len() == HISTORY;
        let oldest = if full { self.history.pop_front() } else { None };
        let mut step = oldest.unwrap_or_default();
        (step.cycle, step.reset) = (self.now.cycle, self.now.reset);
        step.inputs.clone_from(&self.now.inputs);
        // `clone_from` reuses the oldest step's memory: this happens in every cycle of a co-simulation.
        step.outputs.clone_from(&self.now.outputs);
        self.history.push_back(step);
    }

    /// Looks closer at outputs that are not equal: they may differ only where they mean nothing.
    fn compare(&mut self) {
        let row = self.now.row();
        let Some((reference, others)) = row.outputs.split_first() else { return };
        let fields = others
            .iter()
            .map(|other| self.outputs.differences(reference, other))
            .find(|fields| !fields.is_empty());
        if let Some(fields) = fields {
            self.stopped = true;
            self.remember();
            let waveform = self.waves.as_ref().map(|directory| {
                let name = format!("{}.{}", self.instance.replace('/', "."), row.cycle);
                let path = directory.join(format!("{name}.vcd"));
                let rows: Vec<Row> = self.history.iter().map(Step::row).collect();
                let scope = VcdScope {
                    name: &self.block,
                    members: self.members.iter().map(|(name, _)| *name).collect(),
                    layouts: (&self.inputs, &self.outputs),
                    rows: &rows,
                };
                write_vcd(&path, &[scope])
                    .map(|()| path.clone())
                    .map_err(|error| format!("cannot write {}: {error}", path.display()))
            });
            self.alarm.raise(self.mismatch(&row, &fields, waveform));
        }
    }

    fn mismatch(
        &self,
        row: &Row,
        fields: &[usize],
        waveform: Option<Result<PathBuf, String>>,
    ) -> Mismatch {
        Mismatch {
            block: self.block.clone(),
            instance: self.instance.clone(),
            cycle: row.cycle,
            differing: fields.iter().map(|&index| self.outputs.fields()[index].name).collect(),
            inputs: self.inputs.show_all(&row.inputs),
            sides: (self.members.iter().zip(&row.outputs))
                .map(|((name, _), image)| Side { name, outputs: self.outputs.show_all(image) })
                .collect(),
            waveform,
        }
    }
}

impl<I: Io, O: Io> Unit for Lockstep<I, O> {
    type In = I;
    type Out = O;

    fn eval(&mut self, inputs: &I) -> O {
        self.now.inputs.clone_from(inputs);
        for ((_, unit), outputs) in self.members.iter_mut().zip(&mut self.now.outputs) {
            *outputs = unit.eval(inputs);
        }
        let Some((reference, others)) = self.now.outputs.split_first() else {
            return O::default();
        };
        let answer = reference.clone();
        if !self.stopped && others.iter().any(|other| other != reference) {
            self.compare();
        }
        answer
    }

    fn tick(&mut self) {
        self.remember();
        self.members.iter_mut().for_each(|(_, unit)| unit.tick());
        self.now.cycle += 1;
    }

    fn reset(&mut self) {
        self.now.reset = true;
        self.remember();
        self.now.reset = false;
        self.members.iter_mut().for_each(|(_, unit)| unit.reset());
        self.now.cycle += 1;
    }

    fn pass(&mut self, cycles: u64) {
        self.members.iter_mut().for_each(|(_, unit)| unit.pass(cycles));
        self.now.cycle += cycles;
    }
}

#[cfg(test)]
mod tests;
