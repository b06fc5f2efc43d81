//! Steps per second of each back end of each bound block, on uniform random inputs.

use std::time::{Duration, Instant};

use lanewise_sim::units::Io;

use crate::contract::{self, Binding, Failure, Subject};
use crate::stimulus::Gen;
use crate::BoxedUnit;

/// Different inputs that a stepper goes through again and again.
const INPUTS: usize = 256;

/// A bound block whatever its inputs and outputs are.
pub trait Bound {
    /// The entry's name in the catalogue.
    fn entry(&self) -> &'static str;

    /// Checks the whole contract.
    fn contract(&self) -> Result<(), Failure>;

    /// The three back ends, ready to be timed.
    fn steppers(&self) -> Result<Vec<Stepper>, Failure>;
}

/// A back end with inputs to feed it.
pub struct Stepper {
    /// The back end's name.
    pub name: &'static str,
    step: Box<dyn FnMut(usize)>,
}

impl Stepper {
    fn new<I: Io, O: Io>(name: &'static str, mut unit: BoxedUnit<I, O>, inputs: Vec<I>) -> Self {
        let mut at = 0;
        let step = move |steps| {
            for _ in 0..steps {
                at = (at + 1) % inputs.len();
                std::hint::black_box(unit.eval(&inputs[at]));
                unit.tick();
            }
        };
        Self { name, step: Box::new(step) }
    }

    /// Evaluates and ticks this many times.
    pub fn step(&mut self, steps: usize) {
        (self.step)(steps);
    }

    /// Steps per second: the fastest of ten slices that take about `duration` together, so that other
    /// work on the machine does not count.
    pub fn rate(&mut self, duration: Duration) -> f64 {
        self.step(INPUTS);
        (0..10).map(|_| self.slice(duration / 10)).fold(0.0, f64::max)
    }

    fn slice(&mut self, duration: Duration) -> f64 {
        let (start, mut steps) = (Instant::now(), 0);
        while start.elapsed() < duration {
            self.step(INPUTS);
            steps += INPUTS;
        }
        steps as f64 / start.elapsed().as_secs_f64()
    }
}

impl<I: Io, O: Io> Bound for Binding<I, O> {
    fn entry(&self) -> &'static str {
        self.entry
    }

    fn contract(&self) -> Result<(), Failure> {
        contract::check(&Subject::of(self)?)
    }

    fn steppers(&self) -> Result<Vec<Stepper>, Failure> {
        let subject = Subject::of(self)?;
        let mut runner = subject.runner(3, 1);
        let mut g = Gen::new(&mut runner);
        let inputs: Vec<I> = (0..INPUTS).map(|_| g.uniform()).collect();
        let stepper = |(name, unit)| Stepper::new(name, unit, inputs.clone());
        Ok(subject.back_ends("measure")?.into_iter().map(stepper).collect())
    }
}
