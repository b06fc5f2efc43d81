//! What was measured, by machine and kernel, and its averages.

use super::point::Measured;
use crate::report::mean;

/// The kernels' outcomes on one machine.
pub struct Row<'a> {
    /// The machine's name.
    pub name: &'a str,
    /// One outcome a kernel.
    pub runs: &'a [Measured],
    /// The baseline's.
    baseline: &'a [Measured],
}

impl<'a> Row<'a> {
    /// A machine's outcomes beside the baseline's.
    pub fn new(name: &'a str, runs: &'a [Measured], baseline: &'a [Measured]) -> Row<'a> {
        Row { name, runs, baseline }
    }

    /// The mean of a figure over the kernels that use a pipeline.
    fn of_pipe(&self, pipe: usize, figure: impl Fn(&Measured, &Measured) -> f64) -> f64 {
        let pairs = self.runs.iter().zip(self.baseline);
        mean(pairs.filter(|(_, base)| base.uses(pipe)).map(|(run, base)| figure(run, base)))
    }

    /// Net leakage saved, percent of the pipeline's lane-cycles.
    pub fn saved(&self, pipe: usize) -> f64 {
        self.of_pipe(pipe, |run, _| run.saved(pipe))
    }

    /// Leakage saved, percent of what the baseline leaks.
    pub fn saved_of_baseline(&self, pipe: usize) -> f64 {
        self.of_pipe(pipe, |run, base| run.saved_of(pipe, base))
    }

    /// Switching energy, percent of the lane-cycles.
    pub fn overhead(&self, pipe: usize) -> f64 {
        self.of_pipe(pipe, |run, _| run.overhead(pipe))
    }

    /// Gating events in a thousand lane-cycles.
    pub fn events(&self, pipe: usize) -> f64 {
        self.of_pipe(pipe, |run, _| run.events(pipe))
    }

    /// Time in short bubbles, percent.
    pub fn short_bubbles(&self, pipe: usize) -> f64 {
        self.of_pipe(pipe, |run, _| run.short_bubbles(pipe))
    }

    /// Warp instructions that folded, percent.
    pub fn folded(&self, pipe: usize) -> f64 {
        self.of_pipe(pipe, |run, _| run.folded(pipe))
    }

    /// Execution time over the baseline's, percent, over the kernels that use a pipeline.
    pub fn slower(&self, pipe: usize) -> f64 {
        self.of_pipe(pipe, Measured::slower_than)
    }

    /// A figure of every kernel.
    pub fn each(&self, figure: impl Fn(&Measured, &Measured) -> f64) -> Vec<f64> {
        self.runs.iter().zip(self.baseline).map(|(run, base)| figure(run, base)).collect()
    }
}
