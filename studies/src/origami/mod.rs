//! Origami: what folding and its scheduler save in leakage, and what they cost in time.
//!
//! [`machines`] names the machines, [`plan`] says what runs on them, [`point`] measures, [`page`] tells.

pub mod machines;
pub mod page;
pub mod paper;
pub mod plan;
pub mod point;
pub mod results;

use crate::{Lab, Report, StudyError, Units};
use plan::Plan;

/// Runs the study.
pub fn run<U: Units>(lab: &Lab<U>) -> Result<Report, StudyError> {
    let plan = Plan::new(lab);
    let (compared, swept) = (plan.compared(), plan.swept());
    let all: Vec<_> = compared.iter().chain(&swept).cloned().collect();
    let measured = lab.measure(&all)?;
    let (ours, sweeps) = measured.split_at(compared.len());
    let mut report = page::write(&plan, ours, sweeps, &lab.units.name());
    page::record(&mut report, &all, &measured);
    Ok(report)
}
