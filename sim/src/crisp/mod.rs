//! What the CRISP counters are for: predicting run time at another core frequency.

pub mod examples;
pub mod prediction;
mod reading;

pub use reading::Reading;
