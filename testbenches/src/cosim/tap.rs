//! Listens to a unit: every clocked cycle goes to the recorder and to the waveforms.

use super::recording::Recording;
use super::waves::Track;
use crate::BoxedUnit;
use lanewise_sim::units::{Io, Unit};
use std::sync::Arc;

/// A unit with listeners.
pub struct Tap<I, O> {
    unit: BoxedUnit<I, O>,
    recording: Option<Arc<Recording>>,
    track: Option<Track>,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
    cycle: u64,
}

impl<I: Io, O: Io> Tap<I, O> {
    /// Listens to `unit`.
    pub fn new(
        unit: BoxedUnit<I, O>,
        recording: Option<Arc<Recording>>,
        track: Option<Track>,
    ) -> Self {
        let (inputs, outputs) = (vec![0; I::WORDS], vec![0; O::WORDS]);
        Tap { unit, recording, track, inputs, outputs, cycle: 0 }
    }

    fn tell(&mut self, reset: bool) {
        if let Some(recording) = &self.recording {
            match reset {
                true => recording.reset(),
                false => recording.row(&self.inputs, &self.outputs),
            }
        }
        if let Some(track) = &self.track {
            track.row(self.cycle, reset, &self.inputs, &self.outputs);
        }
    }
}

impl<I: Io, O: Io> Unit for Tap<I, O> {
    type In = I;
    type Out = O;

    fn eval(&mut self, inputs: &I) -> O {
        let out = self.unit.eval(inputs);
        inputs.pack(&mut self.inputs);
        out.pack(&mut self.outputs);
        out
    }

    fn tick(&mut self) {
        self.tell(false);
        self.unit.tick();
        self.cycle += 1;
    }

    /// Between two cycles of the machine.
    fn reset(&mut self) {
        self.tell(true);
        self.unit.reset();
    }

    fn pass(&mut self, cycles: u64) {
        self.unit.pass(cycles);
        self.cycle += cycles;
    }
}
