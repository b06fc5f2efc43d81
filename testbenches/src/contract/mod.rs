//! What every block must satisfy, written once: model, stepped RTL and exported Verilog are one thing.
//!
//! A block is bound in `bindings/<block>.rs`; its test calls [`run`], which checks in this order:
//! [`ports`] one port list in four places; [`equal`] 100,000 cycles in lockstep, with coverage of every
//! output bit, register bit, state and transition; [`exhaustive`] all inputs where they are few;
//! [`reset`] the documented state from any state; [`dependence`] outputs depend on the declared inputs
//! and on no others, and `eval` is pure.
//!
//! To bind a block: write its golden model in `sim/src/units/<block>.rs`; say in
//! `bindings/<block>.rs` how to try it (a [`Binding`] with a stimulus) and list it in
//! [`bindings::all`](crate::bindings::all); call [`run`] in `tests/<block>.rs` and add there what is
//! particular to the block, on [`back_ends`].

pub mod binding;
pub mod coverage;
pub mod dependence;
pub mod equal;
pub mod exhaustive;
pub mod ports;
pub mod registers;
pub mod reset;
pub mod sequence;
pub mod subject;

use lanewise_sim::units::Io;

pub use binding::{Binding, Exception, Machine, StateOf};
pub use registers::Registers;
pub use subject::{BackEnd, Failure, Subject};

/// Checks the whole contract of a bound block.
///
/// # Panics
/// With a message for people, if the block breaks its contract or a tool is missing.
pub fn run<I: Io, O: Io>(binding: &Binding<I, O>) {
    if let Err(failure) = Subject::of(binding).and_then(|subject| check(&subject)) {
        panic!("{failure}");
    }
}

/// Model, stepped RTL and verilated export in their reset state, for tests particular to a block.
///
/// # Panics
/// With a message for people, if the block is not in the catalogue or a tool is missing.
pub fn back_ends<I: Io, O: Io>(binding: &Binding<I, O>) -> [BackEnd<I, O>; 3] {
    match Subject::of(binding).and_then(|subject| subject.back_ends("back ends")) {
        Ok(back_ends) => back_ends,
        Err(failure) => panic!("{failure}"),
    }
}

/// Checks the whole contract of a subject.
pub fn check<I: Io, O: Io>(subject: &Subject<'_, I, O>) -> Result<(), Failure> {
    ports::check(subject)?;
    equal::check(subject)?;
    exhaustive::check(subject)?;
    reset::check(subject)?;
    dependence::check(subject)
}
