//! The machine with timing: results, invariants, hand-derived cycle counts, determinism.

mod attached;
mod bandwidth;
mod checkers;
mod clocks;
mod clone;
mod dvfs;
mod errors;
mod harness;
mod hazards;
mod invariants;
mod kernels;
mod latency;
mod memory;
mod observe;
mod occupancy;
mod records;
mod registers;
mod schedulers;
mod speed;
mod study_times;
mod throughput;
mod trace;
