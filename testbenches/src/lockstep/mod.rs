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

/// Back ends of one block, stepped together.
pub struct Lockstep<I, O> {
    block: String,
    instance: String,
    members: Vec<(&'static str, BoxedUnit<I, O>)>,
    inputs: Layout,
    outputs: Layout,
    row: Row,
    history: VecDeque<Row>,
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
            row: Row { inputs: vec![0; I::WORDS], ..Row::default() },
            history: VecDeque::with_capacity(HISTORY),
            alarm: alarm.clone(),
            stopped: false,
            waves: None,
        }
    }

    /// Adds a back end under the name it has in messages and waveforms.
    pub fn with(mut self, name: &'static str, unit: BoxedUnit<I, O>) -> Self {
        self.members.push((name, unit));
        self.row.outputs.push(vec![0; O::WORDS]);
        self
    }

    /// On a mismatch, writes the waveform of the last cycles into this directory.
    pub fn waves_to(mut self, directory: impl Into<PathBuf>) -> Self {
        self.waves = Some(directory.into());
        self
    }

    /// The cycle that the next tick ends.
    pub fn cycle(&self) -> u64 {
        self.row.cycle
    }

    fn remember(&mut self) {
        let full = self.history.len() == HISTORY;
        let oldest = if full { self.history.pop_front() } else { None };
        let mut row = oldest.unwrap_or_default();
        row.cycle = self.row.cycle;
        row.reset = self.row.reset;
        // `clone_from` reuses the oldest row's memory: this happens in every cycle of a co-simulation.
        row.inputs.clone_from(&self.row.inputs);
        row.outputs.clone_from(&self.row.outputs);
        self.history.push_back(row);
    }

    fn compare(&mut self) {
        let Some((reference, others)) = self.row.outputs.split_first() else { return };
        let fields = others
            .iter()
            .map(|other| self.outputs.differences(reference, other))
            .find(|fields| !fields.is_empty());
        if let Some(fields) = fields {
            self.stopped = true;
            self.remember();
            let waveform = self.waves.as_ref().map(|directory| {
                let name = format!("{}.{}", self.instance.replace('/', "."), self.row.cycle);
                let path = directory.join(format!("{name}.vcd"));
                let scope = VcdScope {
                    name: &self.block,
                    members: self.members.iter().map(|(name, _)| *name).collect(),
                    layouts: (&self.inputs, &self.outputs),
                    rows: self.history.make_contiguous(),
                };
                write_vcd(&path, &[scope])
                    .map(|()| path.clone())
                    .map_err(|error| format!("cannot write {}: {error}", path.display()))
            });
            self.alarm.raise(self.mismatch(&fields, waveform));
        }
    }

    fn mismatch(&self, fields: &[usize], waveform: Option<Result<PathBuf, String>>) -> Mismatch {
        Mismatch {
            block: self.block.clone(),
            instance: self.instance.clone(),
            cycle: self.row.cycle,
            differing: fields.iter().map(|&index| self.outputs.fields()[index].name).collect(),
            inputs: self.inputs.show_all(&self.row.inputs),
            sides: (self.members.iter().zip(&self.row.outputs))
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
        inputs.pack(&mut self.row.inputs);
        let mut answer = None;
        for ((_, unit), image) in self.members.iter_mut().zip(&mut self.row.outputs) {
            let outputs = unit.eval(inputs);
            outputs.pack(image);
            answer.get_or_insert(outputs);
        }
        if !self.stopped {
            self.compare();
        }
        answer.unwrap_or_default()
    }

    fn tick(&mut self) {
        self.remember();
        self.members.iter_mut().for_each(|(_, unit)| unit.tick());
        self.row.cycle += 1;
    }

    fn reset(&mut self) {
        self.row.reset = true;
        self.remember();
        self.row.reset = false;
        self.members.iter_mut().for_each(|(_, unit)| unit.reset());
        self.row.cycle += 1;
    }

    fn pass(&mut self, cycles: u64) {
        self.members.iter_mut().for_each(|(_, unit)| unit.pass(cycles));
        self.row.cycle += cycles;
    }
}

#[cfg(test)]
mod tests;
