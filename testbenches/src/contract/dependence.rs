//! An output depends, within a cycle, on the inputs its `from` lists and on no others; `eval` is pure.

use lanewise_sim::units::{Io, Unit};

use super::{Failure, Subject};
use crate::image::Layout;
use crate::lockstep::{Alarm, Lockstep};
use crate::stimulus::Gen;

const CHECK: &str = "dependence";

/// Evaluations spent on a block, shared out among its inputs.
const EVALUATIONS: usize = 40_000;

/// Changes one input at a time before the real inputs of each cycle. No output may follow an input it
/// does not declare, each declared dependence must show, and a model that was left alone must agree
/// after the tick.
pub fn check<I: Io, O: Io>(subject: &Subject<'_, I, O>) -> Result<(), Failure> {
    let alarm = Alarm::default();
    let mut lockstep = Lockstep::new(subject.binding.entry, "dependence", &alarm);
    for (name, unit) in subject.back_ends(CHECK)? {
        lockstep = lockstep.with(name, unit);
    }
    let mut untouched = (subject.binding.model)();
    let mut table = Table::new::<I, O>();
    let mut runner = subject.runner(2, 1);
    let mut g = Gen::new(&mut runner);
    let (mut source, mut others) = ((subject.binding.stimulus)(), (subject.binding.stimulus)());
    let cycles = EVALUATIONS / (3 * table.inputs.fields().len());
    for cycle in 0..cycles {
        if g.once_in(500) {
            lockstep.reset();
            untouched.reset();
        }
        let (inputs, other): (I, I) = (source(&mut g), others(&mut g));
        let before = lockstep.eval(&inputs);
        for field in 0..table.inputs.fields().len() {
            for replacement in [other.clone(), table.inverted(&inputs), g.uniform()] {
                let changed = table.replaced(&inputs, field, &replacement);
                let outputs = lockstep.eval(&changed);
                table.note(field, &before, &outputs);
            }
        }
        let outputs = lockstep.eval(&inputs);
        let expected = untouched.eval(&inputs);
        if let Some(mismatch) = alarm.raised() {
            return Err(subject.failure("purity", mismatch));
        }
        for (what, other) in [("the same inputs a second time", &before), ("no others", &expected)]
        {
            if !table.same(other, &outputs) {
                return Err(subject.failure(
                    "purity",
                    format!(
                        "cycle {cycle}: {inputs:?} after other inputs gives {outputs:?}, but {other:?} \
                         after {what}"
                    ),
                ));
            }
        }
        lockstep.tick();
        untouched.tick();
    }
    match table.verdict() {
        faults if faults.is_empty() => Ok(()),
        faults => Err(subject.failure(CHECK, faults.join("; "))),
    }
}

/// Which output was seen to follow which input.
struct Table {
    inputs: Layout,
    outputs: Layout,
    /// One row an output, one column an input.
    seen: Vec<Vec<bool>>,
}

impl Table {
    fn new<I: Io, O: Io>() -> Self {
        let (inputs, outputs) = (Layout::of::<I>(), Layout::of::<O>());
        let seen = vec![vec![false; inputs.fields().len()]; outputs.fields().len()];
        Self { inputs, outputs, seen }
    }

    fn replaced<I: Io>(&self, inputs: &I, field: usize, replacement: &I) -> I {
        let (mut image, other) = (image(inputs), image(replacement));
        self.inputs.field_mut(field, &mut image).copy_from_slice(self.inputs.field(field, &other));
        I::unpack(&image)
    }

    fn inverted<I: Io>(&self, inputs: &I) -> I {
        I::unpack(&image(inputs).iter().map(|word| !word).collect::<Vec<_>>())
    }

    /// Marks the outputs that differ where both sides mean something.
    fn note<O: Io>(&mut self, input: usize, left: &O, right: &O) {
        let (left, right) = (image(left), image(right));
        if left == right {
            return;
        }
        let (mine, theirs) = (self.outputs.meaning(&left), self.outputs.meaning(&right));
        let changed: Vec<u32> = (0..left.len())
            .map(|word| (left[word] ^ right[word]) & mine[word] & theirs[word])
            .collect();
        for (output, seen) in self.seen.iter_mut().enumerate() {
            seen[input] |= self.outputs.field(output, &changed).iter().any(|word| *word != 0);
        }
    }

    fn same<O: Io>(&self, left: &O, right: &O) -> bool {
        self.outputs.differences(&image(left), &image(right)).is_empty()
    }

    fn verdict(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (output, seen) in self.outputs.fields().iter().zip(&self.seen) {
            for (input, seen) in self.inputs.fields().iter().zip(seen) {
                let (output, input, declared) =
                    (output.name, input.name, output.from.contains(&input.name));
                match (declared, seen) {
                    (false, true) => faults.push(format!(
                        "output {output} follows input {input}, which its `from` does not list"
                    )),
                    (true, false) => faults.push(format!(
                        "output {output} never followed input {input}, which its `from` lists"
                    )),
                    _ => {}
                }
            }
        }
        faults
    }
}

fn image<T: Io>(value: &T) -> Vec<u32> {
    let mut words = vec![0; T::WORDS];
    value.pack(&mut words);
    words
}
