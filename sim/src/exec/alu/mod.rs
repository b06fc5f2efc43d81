//! Arithmetic, logic, comparison and conversion: the operations that read and write registers only.
//!
//! Families are compiled with `wide!`: NaN results are made canonical, so both forms give the same bits.

mod approx;
mod bits;
mod carry;
mod compare;
mod convert;
pub(crate) mod float;
mod int;
mod moves;

use super::regs::Lanes;
use super::simd::wide;
use crate::ptx::ir::Op;

/// Executes a register-only operation in the lanes of `l`; `false` when it is of another kind.
///
/// This is all a lane unit needs: registers in, registers out.
pub fn execute(op: &Op, l: &mut Lanes) -> bool {
    match *op {
        Op::Int1 { f, ty, d, a } => int::unary(l, f, ty, d, a),
        Op::Int2 { f, ty, d, a, b } => int::binary(l, f, ty, d, a, b),
        Op::Int3 { f, ty, d, a, b, c } => int::ternary(l, f, ty, d, [a, b, c]),
        Op::Carry { f, ty, flag, uses, d, abc } => carry::carry(l, f, ty, flag, uses, d, abc),
        Op::Bfe { ty, d, a, b, c } => bits::bfe(l, ty, d, [a, b, c]),
        Op::Bfi { ty, d, a, b, c, e } => bits::bfi(l, ty, d, [a, b, c, e]),
        Op::Prmt { mode, d, a, b, c } => bits::prmt(l, mode, d, [a, b, c]),
        Op::Lop3 { table, d, a, b, c } => bits::lop3(l, table, d, [a, b, c]),
        Op::Shf { left, wrap, d, a, b, c } => bits::shf(l, left, wrap, d, [a, b, c]),
        Op::Float1 { f, ty, mode, d, a } => float::unary(l, f, ty, mode, d, a),
        Op::Float2 { f, ty, mode, d, a, b } => float::binary(l, f, ty, mode, d, a, b),
        Op::Fma { ty, mode, d, a, b, c } => float::fma(l, ty, mode, d, [a, b, c]),
        Op::Testp { test, ty, d, a } => compare::testp(l, test, ty, d, a),
        Op::Setp { ref comparison, p, q } => compare::setp(l, comparison, p, q),
        Op::Set { ref comparison, result, d } => compare::set(l, comparison, result, d),
        Op::Selp { d, a, b, p } => moves::selp(l, d, a, b, p),
        Op::Slct { sign, d, a, b, c } => moves::slct(l, sign, d, [a, b, c]),
        Op::PredMov { d, a } => {
            let bits = l.pred(a);
            l.write_pred(d, bits);
        }
        Op::PredLogic { f, d, a, b } => {
            let bits = compare::combine(f, l.pred(a), l.pred(b));
            l.write_pred(d, bits);
        }
        Op::Cvt { ref conversion, d, a } => convert::cvt(l, conversion, d, a),
        Op::Mov { d, a } => moves::mov(l, d, a),
        Op::Pack { bits, d, ref a } => moves::pack(l, bits, d, a),
        Op::Unpack { bits, ref d, a } => moves::unpack(l, bits, d, a),
        Op::IsSpace { space, d, a } => moves::is_space(l, space, d, a),
        _ => return false,
    }
    true
}
