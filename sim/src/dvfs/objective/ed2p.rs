//! Least energy-delay-squared product.

use super::{Objective, Outlook};
use crate::dvfs::DvfsConfig;

/// See the module's text.
pub struct Ed2p;

impl Objective for Ed2p {
    fn name(&self) -> &'static str {
        "ed2p"
    }

    fn cost(&self, outlook: Outlook, _fastest: f64, _config: &DvfsConfig) -> f64 {
        outlook.energy * outlook.time.powi(2)
    }
}
