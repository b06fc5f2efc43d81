//! `int_unit`: every code, reserved ones too, on operands that are often alike.

use lanewise_sim::units::int_unit::{In, IntUnit, Out};
use lanewise_sim::units::simt_lane::Op;

use crate::contract::Binding;
use crate::operands::operands;
use crate::stimulus::Source;

/// The block and how to try it.
pub fn binding() -> Binding<In, Out> {
    Binding::of::<IntUnit>("int_unit", stimulus)
}

fn stimulus() -> Source<In> {
    Box::new(|g| {
        let code = g.bits(6) as u8;
        let [operand_a, operand_b, _] = operands(g, Op::decode(code).unwrap_or(Op::Mul));
        In { op: code, operand_a, operand_b }
    })
}
