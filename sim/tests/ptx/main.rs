//! PTX as the ISA describes it: every opcode family against values derived by hand, control flow, memory,
//! faults, the front end's errors, jobs, random programs against a second interpreter, and hostile text.

mod bits;
mod compare;
mod control;
mod convert;
mod faults;
mod float;
mod front;
mod fuzz;
mod harness;
mod int;
mod jobs;
mod memory;
mod random;
mod speed;
mod tex;
mod warp;
