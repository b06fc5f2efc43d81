//! Co-simulation as users see it: RTL in the loop of real kernels, differences, recordings, waveforms.

mod carries;
mod command;
mod cycles;
mod differences;
mod drowsy;
mod dvfs;
mod ends;
mod listeners;
mod lockstep;
mod origami;
mod refusals;
mod replays;
mod shipped;
mod simulators;
mod tutorial;
mod waveform;
