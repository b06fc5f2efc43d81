//! Least energy-delay product.

use super::{Objective, Outlook};
use crate::dvfs::DvfsConfig;

/// See the module's text.
pub struct Edp;

impl Objective for Edp {
    fn name(&self) -> &'static str {
        "edp"
    }

    fn cost(&self, outlook: Outlook, _fastest: f64, _config: &DvfsConfig) -> f64 {
        outlook.energy * outlook.time
    }
}
