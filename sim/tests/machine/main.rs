//! The machine with timing: results, invariants, hand-derived cycle counts, determinism.

mod harness;
mod kernels;
