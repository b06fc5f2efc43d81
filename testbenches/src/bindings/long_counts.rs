//! Counters of 32 bits in runs that are far too short to fill them.

use lanewise_sim::units::Io;

use crate::contract::Binding;

/// Cycles from one fresh start to the next: long enough to see carries pass the middle of a counter.
pub const CYCLES: usize = 1 << 14;

/// The same for counters of 5 bits: a reset comes every 32 cycles or so, before or after they wrap.
pub const SHORT_RUN: usize = 128;

const REASON: &str =
    "this stimulus does not count this far in 2^14 cycles; the narrow variant covers every bit and overflow";

/// Runs of [`CYCLES`]; each of `counts` is an output or register and the first of its 32 bits that is
/// out of reach. Overflow is out of reach altogether.
pub fn long_counts<I: Io, O: Io>(
    binding: Binding<I, O>,
    counts: &[(&'static str, usize)],
) -> Binding<I, O> {
    let binding = binding.case_cycles(CYCLES).except("overflow", 0..1, REASON).except(
        "*wrapped",
        0..1,
        REASON,
    );
    counts.iter().fold(binding, |binding, &(of, from)| binding.except(of, from..32, REASON))
}
