//! The machine with timing: results, invariants, hand-derived cycle counts, determinism.

mod attached;
mod harness;
mod kernels;
