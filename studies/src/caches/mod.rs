//! Power-aware caches: what drowsy regions and divided word lines save and cost, beside the thesis.

mod page;
mod patterns;
mod plan;
mod point;
mod record;
mod repeats;
mod savings;
mod setting;
mod thesis;

pub use plan::{settings, Column, Results, MACHINE};
pub use point::{CachePoint, Measured};
pub use repeats::Repeated;
pub use savings::{Run, Saved};
pub use setting::{reference, Setting, Variant, FILTER_LINES};

use crate::{Lab, Report, StudyError, Units};

/// Runs the study.
pub fn run<U: Units>(lab: &Lab<U>) -> Result<Report, StudyError> {
    let results = Results::measure(lab)?;
    let mut report = Report::new("caches", "Power-aware caches");
    page::write(&results, &lab.units.name(), &mut report);
    patterns::write(&results, &mut report);
    record::write(&results, &mut report);
    Ok(report)
}
