//! `simt_lane`: bursts of every operation on operands worth trying, now and then a reserved code.

use lanewise_sim::units::simt_lane::{In, Out, SimtLane, Subnormals};

use crate::contract::Binding;
use crate::operands::{op, operands};
use crate::stimulus::{Burst, Source};

/// Subnormals as IEEE 754 says.
pub fn full() -> Binding<In, Out> {
    Binding::of::<SimtLane>("simt_lane", stimulus)
}

/// Subnormals flushed.
pub fn flush() -> Binding<In, Out> {
    Binding::new(
        "simt_lane__subnormals_flush",
        || Box::new(SimtLane::new(Subnormals::Flush)),
        stimulus,
    )
}

fn stimulus() -> Source<In> {
    let mut valid = Burst::new(30, 3);
    Box::new(move |g| {
        let op = op(g);
        let [operand_a, operand_b, operand_c] = operands(g, op);
        let reserved = g.once_in(40);
        In {
            issue_valid: valid.next(g),
            issue_tag: g.bits(8) as u8,
            op: if reserved { g.pick(&[11, 22, 23, 24, 27, 28, 31]) } else { op.code() },
            operand_a,
            operand_b,
            operand_c,
        }
    })
}
