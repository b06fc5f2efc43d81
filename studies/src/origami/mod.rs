//! To be written.

use crate::{Lab, Report, StudyError, Units};

/// Runs the study.
pub fn run<U: Units>(_lab: &Lab<U>) -> Result<Report, StudyError> {
    Err(StudyError::Input("not written yet".into()))
}
