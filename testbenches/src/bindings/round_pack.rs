//! `round_pack`: normalised sums as operations make them.

use lanewise_sim::units::round_pack::{In, Out, RoundPack};
use lanewise_sim::units::simt_lane::Subnormals;

use super::passages::passage;
use crate::contract::Binding;
use crate::stimulus::Source;

/// Subnormal results are kept.
pub fn full() -> Binding<In, Out> {
    Binding::of::<RoundPack>("round_pack", stimulus)
}

/// Subnormal results become zero.
pub fn flush() -> Binding<In, Out> {
    Binding::new(
        "round_pack__subnormals_flush",
        || Box::new(RoundPack::new(Subnormals::Flush)),
        stimulus,
    )
}

fn stimulus() -> Source<In> {
    Box::new(|g| passage(g).round)
}
