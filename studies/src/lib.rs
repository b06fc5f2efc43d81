//! What each mechanism saves and breaks on real kernels, beside what its paper claims.
//!
//! A study is a list of [points](points::Point), each a kernel on one machine, and a [report](report::Report)
//! made from what they measured. Points run side by side and are kept as they finish, so that a study that
//! was stopped goes on where it was.

pub mod caches;
pub mod crisp;
pub mod kernels;
pub mod lab;
pub mod origami;
pub mod plot;
pub mod points;
pub mod report;
pub mod spread;

pub use kernels::Kernel;
pub use lab::{Lab, Options, Units};
pub use points::Point;
pub use report::{Claim, Report, Table};
pub use spread::Spread;

/// Why a study could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// Something the user must change.
    #[error("{0}")]
    Input(String),
    /// A mechanism changed what a kernel computes: no figure of it can be believed.
    #[error("{point}: {failure}")]
    Wrong {
        /// Which point.
        point: String,
        /// The first expectation that failed.
        failure: String,
    },
    /// Two back ends of a block differ.
    #[error("{0}")]
    Mismatch(String),
    /// Ctrl-C.
    #[error("stopped with {done} of {all} points done; the same command goes on from there")]
    Stopped {
        /// Points that are kept.
        done: usize,
        /// Points of the study.
        all: usize,
    },
}
