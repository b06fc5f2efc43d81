//! Extended-precision arithmetic through the carry flag.

use super::int::Int;
use crate::exec::regs::{Lane, Lanes};
use crate::ptx::ir::{CarryArith, CarryUse, IntType, PredSource, Reg};

/// `d = a op b (op c)`, adding the carry and setting it as `uses` says.
pub(super) fn carry(
    l: &mut Lanes,
    f: CarryArith,
    ty: IntType,
    flag: Reg,
    uses: CarryUse,
    d: Reg,
    abc: [Reg; 3],
) {
    match ty {
        // The flag is the unsigned carry, whatever the sign; only the high half of a product knows it.
        IntType::S32 => carry_of::<i32, u32>(l, f, flag, uses, d, abc),
        IntType::U64 => carry_of::<u64, u64>(l, f, flag, uses, d, abc),
        IntType::S64 => carry_of::<i64, u64>(l, f, flag, uses, d, abc),
        _ => carry_of::<u32, u32>(l, f, flag, uses, d, abc),
    }
}

/// Unsigned addition and subtraction that report their carry.
trait Carries: Lane + From<bool> {
    fn add_carry(self, b: Self, carry: bool) -> (Self, bool);
    fn sub_borrow(self, b: Self, borrow: bool) -> (Self, bool);
}

macro_rules! carries {
    ($($ty:ty),*) => {$(
        impl Carries for $ty {
            fn add_carry(self, b: Self, carry: bool) -> (Self, bool) {
                let (sum, first) = self.overflowing_add(b);
                let (sum, second) = sum.overflowing_add(carry.into());
                (sum, first | second)
            }
            fn sub_borrow(self, b: Self, borrow: bool) -> (Self, bool) {
                let (rest, first) = self.overflowing_sub(b);
                let (rest, second) = rest.overflowing_sub(borrow.into());
                (rest, first | second)
            }
        }
    )*};
}
carries!(u32, u64);

fn carry_of<T: Int, U: Carries<Word = T::Word>>(
    l: &mut Lanes,
    f: CarryArith,
    flag: Reg,
    uses: CarryUse,
    d: Reg,
    [a, b, c]: [Reg; 3],
) {
    let carry_in = match uses.reads {
        true => l.pred(PredSource { reg: flag, negated: false }),
        false => 0,
    };
    let mut carry_out = 0;
    let mut out = [T::Word::default(); 32];
    for lane in 0..32 {
        let carry = carry_in >> lane & 1 != 0;
        let (x, y) = (l.get::<T>(a, lane), l.get::<T>(b, lane));
        let unsigned = |value: T| U::of(value.word());
        let (value, carried) = match f {
            CarryArith::Add => unsigned(x).add_carry(unsigned(y), carry),
            CarryArith::Sub => unsigned(x).sub_borrow(unsigned(y), carry),
            CarryArith::MadLo => unsigned(x.mul(y)).add_carry(l.get::<U>(c, lane), carry),
            CarryArith::MadHi => unsigned(x.mul_hi(y)).add_carry(l.get::<U>(c, lane), carry),
        };
        out[lane] = value.word();
        carry_out |= u32::from(carried) << lane;
    }
    l.write(d, &out);
    if uses.writes {
        l.write_pred(flag, carry_out);
    }
}
