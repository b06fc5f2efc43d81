//! Operations on their way through the reference lane, for whoever tries one of its stages.

use lanewise_sim::units::lane_stages::Passage;
use lanewise_sim::units::simt_lane::Subnormals;

use crate::operands::{op, operands};
use crate::stimulus::Gen;

/// Any operation with operands worth trying.
pub(super) fn passage(g: &mut Gen) -> Passage {
    let op = op(g);
    Passage::of(op, Subnormals::Full, operands(g, op))
}
