//! Steps several back ends of one block side by side and stops at the first difference.
//!
//! The first member is the reference: its outputs are what [`Lockstep`] returns. A difference never
//! panics. It raises an [`Alarm`], which all blocks of a machine share. The machine looks at it after each
//! quantum, when all its parts have come equally far, and stops with the code for a mismatch; of all
//! differences of the quantum the alarm keeps the first one.

mod mismatch;
mod wave;

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
    /// A clock edge with reset held, before the cycle: a reset takes no cycle of the machine.
    pub reset: bool,
    /// Inputs.
    pub inputs: Vec<u32>,
    /// Outputs, one image a member.
    pub outputs: Vec<Vec<u32>>,
}

/// A cycle as it happened. Packing it would cost as much as stepping a block, so only a mismatch does.
#[derive(Default)]
struct Step<I, O> {
    cycle: u64,
    reset: bool,
    inputs: I,
    /// The first member's.
    reference: O,
    /// Those of members that say something else, by their place among the members.
    others: Vec<(usize, O)>,
}

impl<I: Io, O: Io> Step<I, O> {
    /// The images of so many members.
    fn row(&self, members: usize) -> Row {
        let said = |member| self.others.iter().find(|(other, _)| *other == member);
        let outputs = (0..members)
            .map(|member| packed(said(member).map_or(&self.reference, |(_, output)| output)))
            .collect();
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
    /// The cycle that the next tick ends.
    cycle: u64,
    /// The last cycles and the present one in a ring, each written where it stays.
    history: Box<[Step<I, O>]>,
    /// Where the present one is.
    now: usize,
    /// How many lie behind it.
    past: usize,
    /// The present one has been evaluated.
    evaluated: bool,
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
            cycle: 0,
            history: (0..HISTORY).map(|_| Step::default()).collect(),
            now: 0,
            past: 0,
            evaluated: false,
            alarm: alarm.clone(),
            stopped: false,
            waves: None,
        }
    }

    /// Adds a back end under the name it has in messages and waveforms.
    pub fn with(mut self, name: &'static str, unit: BoxedUnit<I, O>) -> Self {
        self.members.push((name, unit));
        self
    }

    /// On a mismatch, writes the waveform of the last cycles into this directory.
    pub fn waves_to(mut self, directory: impl Into<PathBuf>) -> Self {
        self.waves = Some(directory.into());
        self
    }

    /// The cycle that the next tick ends.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// A clock edge: the end of a cycle, or a reset before it.
    fn edge(&mut self, reset: bool) {
        if !self.evaluated {
            let (inputs, reference) = {
                let last = &self.history[(self.now + HISTORY - 1) % HISTORY];
                (last.inputs.clone(), last.reference.clone())
            };
            let others = vec![];
            self.history[self.now] = Step { inputs, reference, others, ..Step::default() };
        }
        let step = &mut self.history[self.now];
        (step.cycle, step.reset) = (self.cycle, reset);
        self.now = (self.now + 1) % HISTORY;
        self.past = (self.past + 1).min(HISTORY - 1);
        self.evaluated = false;
        self.cycle += u64::from(!reset);
    }

    /// The last cycles, oldest first, and the present one.
    fn rows(&self) -> Vec<Row> {
        let first = self.now + HISTORY - self.past;
        let steps = (first..=first + self.past).map(|at| &self.history[at % HISTORY]);
        steps.map(|step| step.row(self.members.len())).collect()
    }

    /// Looks closer at outputs that are not equal: they may differ only where they mean nothing.
    fn compare(&mut self) {
        let step = &mut self.history[self.now];
        (step.cycle, step.reset) = (self.cycle, false);
        let row = step.row(self.members.len());
        let Some((reference, others)) = row.outputs.split_first() else { return };
        let fields = others
            .iter()
            .map(|other| self.outputs.differences(reference, other))
            .find(|fields| !fields.is_empty());
        if let Some(fields) = fields {
            self.stopped = true;
            let found = || self.mismatch(&row, &fields, self.waveform(row.cycle));
            self.alarm.raise(row.cycle, &self.instance, found);
        }
    }

    /// Writes the last cycles, if somebody wants them.
    fn waveform(&self, cycle: u64) -> Option<Result<PathBuf, String>> {
        let directory = self.waves.as_ref()?;
        let name = format!("{}.{cycle}.vcd", self.instance.replace('/', "."));
        let (path, rows) = (directory.join(name), self.rows());
        let scope = VcdScope {
            name: &self.block,
            members: self.members.iter().map(|(name, _)| *name).collect(),
            layouts: (&self.inputs, &self.outputs),
            rows: &rows,
        };
        Some(write_vcd(&path, &[scope]).map(|()| path))
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
        let Some(((_, first), others)) = self.members.split_first_mut() else {
            return O::default();
        };
        let step = &mut self.history[self.now];
        step.inputs.clone_from(inputs);
        step.others.clear();
        let reference = first.eval(inputs);
        for (other, (_, unit)) in others.iter_mut().enumerate() {
            let outputs = unit.eval(inputs);
            if outputs != reference {
                step.others.push((other + 1, outputs));
            }
        }
        step.reference.clone_from(&reference);
        let differs = !step.others.is_empty();
        self.evaluated = true;
        if differs && !self.stopped {
            self.compare();
        }
        reference
    }

    fn tick(&mut self) {
        self.edge(false);
        self.members.iter_mut().for_each(|(_, unit)| unit.tick());
    }

    fn reset(&mut self) {
        self.edge(true);
        self.members.iter_mut().for_each(|(_, unit)| unit.reset());
    }

    fn pass(&mut self, cycles: u64) {
        self.members.iter_mut().for_each(|(_, unit)| unit.pass(cycles));
        self.cycle += cycles;
    }
}

#[cfg(test)]
mod tests;
