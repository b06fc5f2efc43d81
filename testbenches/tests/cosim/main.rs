//! Co-simulation as users see it: RTL in the loop of real kernels, differences, recordings, waveforms.

mod carries;
mod command;
mod differences;
mod drowsy;
mod listeners;
mod lockstep;
mod origami;
mod tutorial;
mod waveform;
