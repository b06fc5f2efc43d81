//! Comparisons into predicates and values.

use super::float::flush;
use super::int::{with_int, Int};
use super::wide;
use crate::exec::regs::{Lane, Lanes};
use crate::ptx::ir::{
    Compare, CompareType, Comparison, FloatTest, FloatType, IntType, Logic, Reg, SetResult,
};

/// Logic on the predicates of all lanes.
#[inline(always)]
pub(super) fn combine(logic: Logic, a: u32, b: u32) -> u32 {
    match logic {
        Logic::And => a & b,
        Logic::Or => a | b,
        Logic::Xor => a ^ b,
    }
}

#[inline(always)]
fn int_lanes<T: Int>(l: &Lanes, compare: Compare, a: Reg, b: Reg) -> u32 {
    match compare {
        Compare::Eq => l.test(a, b, |a: T, b| a == b),
        Compare::Ne => l.test(a, b, |a: T, b| a != b),
        Compare::Lt => l.test(a, b, |a: T, b| a < b),
        Compare::Le => l.test(a, b, |a: T, b| a <= b),
        Compare::Gt => l.test(a, b, |a: T, b| a > b),
        _ => l.test(a, b, |a: T, b| a >= b),
    }
}

/// A float that knows whether it is a number.
trait Float: Lane + PartialOrd {
    fn nan(self) -> bool;
}

impl Float for f32 {
    #[inline(always)]
    fn nan(self) -> bool {
        self.is_nan()
    }
}

impl Float for f64 {
    #[inline(always)]
    fn nan(self) -> bool {
        self.is_nan()
    }
}

#[inline(always)]
fn float_lanes<T: Float>(
    l: &Lanes,
    compare: Compare,
    a: Reg,
    b: Reg,
    enter: impl Fn(T) -> T,
) -> u32 {
    macro_rules! lanes {
        (|$a:ident, $b:ident| $holds:expr) => {
            l.test(a, b, |a: T, b: T| {
                let ($a, $b) = (enter(a), enter(b));
                $holds
            })
        };
    }
    match compare {
        Compare::Eq => lanes!(|a, b| a == b),
        Compare::Ne => lanes!(|a, b| a != b && !a.nan() && !b.nan()),
        Compare::Lt => lanes!(|a, b| a < b),
        Compare::Le => lanes!(|a, b| a <= b),
        Compare::Gt => lanes!(|a, b| a > b),
        Compare::Ge => lanes!(|a, b| a >= b),
        Compare::Equ => lanes!(|a, b| a == b || a.nan() || b.nan()),
        Compare::Neu => lanes!(|a, b| a != b),
        Compare::Ltu => lanes!(|a, b| a < b || a.nan() || b.nan()),
        Compare::Leu => lanes!(|a, b| a <= b || a.nan() || b.nan()),
        Compare::Gtu => lanes!(|a, b| a > b || a.nan() || b.nan()),
        Compare::Geu => lanes!(|a, b| a >= b || a.nan() || b.nan()),
        Compare::Num => lanes!(|a, b| !a.nan() && !b.nan()),
        Compare::Nan => lanes!(|a, b| a.nan() || b.nan()),
    }
}

/// The lanes where the relation itself holds.
#[inline(always)]
fn relation(l: &Lanes, c: &Comparison) -> u32 {
    match c.ty {
        CompareType::Int(ty) => with_int!(ty, int_lanes(l, c.compare, c.a, c.b)),
        CompareType::Float(FloatType::F32) if c.ftz => {
            float_lanes::<f32>(l, c.compare, c.a, c.b, flush)
        }
        CompareType::Float(FloatType::F32) => float_lanes::<f32>(l, c.compare, c.a, c.b, |x| x),
        CompareType::Float(FloatType::F64) => float_lanes::<f64>(l, c.compare, c.a, c.b, |x| x),
    }
}

/// The relation combined with the predicate, if there is one.
#[inline(always)]
fn combined(l: &Lanes, c: &Comparison, holds: u32) -> u32 {
    match c.combine {
        Some((logic, p)) => combine(logic, holds, l.pred(p)),
        None => holds,
    }
}

wide! {
    /// `p = a < b`, `q = !(a < b)`, each combined with a predicate
    pub(super) fn setp(l: &mut Lanes, c: &Comparison, p: Reg, q: Option<Reg>) {
        let holds = relation(l, c);
        let (yes, no) = (combined(l, c, holds), combined(l, c, !holds));
        l.write_pred(p, yes);
        if let Some(q) = q {
            l.write_pred(q, no);
        }
    }
}

wide! {
    /// `d = a < b ? all ones or 1.0 : 0`
    pub(super) fn set(l: &mut Lanes, c: &Comparison, result: SetResult, d: Reg) {
        let holds = combined(l, c, relation(l, c));
        let yes = match result {
            SetResult::Ones => u32::MAX,
            SetResult::One => 1f32.to_bits(),
        };
        let out: [u32; 32] = std::array::from_fn(|i| if holds >> i & 1 != 0 { yes } else { 0 });
        l.write(d, &out);
    }
}

/// Which kind of number a float is.
pub(super) fn testp(l: &mut Lanes, test: FloatTest, ty: FloatType, d: Reg, a: Reg) {
    // A single is subnormal or infinite by its own format, so the classes are asked of each type itself.
    macro_rules! lanes {
        ($ty:ty) => {
            match test {
                FloatTest::Finite => l.test(a, a, |a: $ty, _| a.is_finite()),
                FloatTest::Infinite => l.test(a, a, |a: $ty, _| a.is_infinite()),
                FloatTest::Number => l.test(a, a, |a: $ty, _| !a.is_nan()),
                FloatTest::NotANumber => l.test(a, a, |a: $ty, _| a.is_nan()),
                FloatTest::Normal => l.test(a, a, |a: $ty, _| a.is_normal()),
                FloatTest::Subnormal => l.test(a, a, |a: $ty, _| a.is_subnormal()),
            }
        };
    }
    let bits = match ty {
        FloatType::F32 => lanes!(f32),
        FloatType::F64 => lanes!(f64),
    };
    l.write_pred(d, bits);
}
