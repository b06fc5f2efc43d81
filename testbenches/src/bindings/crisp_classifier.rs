//! `crisp_classifier`: few enough inputs to try them all; here each hazard comes and goes.

use lanewise_sim::units::crisp_classifier::{CrispClassifier, In, Out};

use crate::contract::Binding;

/// The block and how to try it.
pub fn binding() -> Binding<In, Out> {
    Binding::of::<CrispClassifier>("crisp_classifier", || Box::new(|g| g.uniform()))
}
