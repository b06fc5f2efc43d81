//! Why a job cannot be loaded or run.

use std::fmt;

use crate::exec::Fault;
use crate::ptx::PtxError;

/// Bad input, with what to do about it.
#[derive(Debug, Clone, PartialEq)]
pub enum JobError {
    /// A place in the job file or in the PTX text.
    Text(Box<PtxError>),
    /// A value, name or file that does not fit; the message names the file and the key.
    Input(String),
    /// A kernel that was stopped.
    Fault(Box<Fault>),
}

impl JobError {
    /// A problem with the value of a key.
    pub(super) fn key(file: &str, key: &str, message: impl fmt::Display) -> JobError {
        JobError::Input(format!("{file}: {key}: {message}"))
    }
}

impl fmt::Display for JobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JobError::Text(error) => error.fmt(f),
            JobError::Input(message) => f.write_str(message),
            JobError::Fault(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for JobError {}

impl From<Box<PtxError>> for JobError {
    fn from(error: Box<PtxError>) -> Self {
        JobError::Text(error)
    }
}

impl From<Box<Fault>> for JobError {
    fn from(fault: Box<Fault>) -> Self {
        JobError::Fault(fault)
    }
}
