//! Integer arithmetic: wrapping, shifts that clamp, division that never traps.

use super::wide;
use crate::exec::regs::{Lane, Lanes};
use crate::ptx::ir::{IntBinary, IntTernary, IntType, IntUnary, Reg};

/// What the operations need of an integer type.
pub(super) trait Int: Lane + Ord + Default {
    const BITS: u32;
    fn add(self, b: Self) -> Self;
    fn sub(self, b: Self) -> Self;
    fn mul(self, b: Self) -> Self;
    fn mul_hi(self, b: Self) -> Self;
    fn div(self, b: Self) -> Self;
    fn rem(self, b: Self) -> Self;
    fn and(self, b: Self) -> Self;
    fn or(self, b: Self) -> Self;
    fn xor(self, b: Self) -> Self;
    fn not(self) -> Self;
    fn shl(self, n: u32) -> Self;
    fn shr(self, n: u32) -> Self;
    fn abs(self) -> Self;
    fn cnot(self) -> Self;
    fn popc(self) -> u32;
    fn clz(self) -> u32;
    fn brev(self) -> Self;
    /// The bits below the sign that differ from it, or all bits when unsigned.
    fn significant(self) -> Self;
}

macro_rules! int {
    ($($ty:ty, $double:ty, $signed:expr;)*) => {$(
        impl Int for $ty {
            const BITS: u32 = <$ty>::BITS;
            #[inline(always)]
            fn add(self, b: Self) -> Self { self.wrapping_add(b) }
            #[inline(always)]
            fn sub(self, b: Self) -> Self { self.wrapping_sub(b) }
            #[inline(always)]
            fn mul(self, b: Self) -> Self { self.wrapping_mul(b) }
            #[inline(always)]
            fn mul_hi(self, b: Self) -> Self {
                ((self as $double * b as $double) >> <$ty>::BITS) as $ty
            }
            /// Division by zero gives all ones; the ISA leaves it open.
            #[inline(always)]
            fn div(self, b: Self) -> Self {
                if b == 0 { !0 } else { self.wrapping_div(b) }
            }
            /// The remainder by zero gives the dividend; the ISA leaves it open.
            #[inline(always)]
            fn rem(self, b: Self) -> Self {
                if b == 0 { self } else { self.wrapping_rem(b) }
            }
            #[inline(always)]
            fn and(self, b: Self) -> Self { self & b }
            #[inline(always)]
            fn or(self, b: Self) -> Self { self | b }
            #[inline(always)]
            fn xor(self, b: Self) -> Self { self ^ b }
            #[inline(always)]
            fn not(self) -> Self { !self }
            #[inline(always)]
            fn shl(self, n: u32) -> Self {
                if n < <$ty>::BITS { self.wrapping_shl(n) } else { 0 }
            }
            #[inline(always)]
            fn shr(self, n: u32) -> Self {
                let last = self.wrapping_shr(n.min(<$ty>::BITS - 1));
                if n < <$ty>::BITS || $signed { last } else { 0 }
            }
            #[inline(always)]
            #[allow(unused_comparisons)]
            fn abs(self) -> Self { if self < 0 { (0 as $ty).wrapping_sub(self) } else { self } }
            #[inline(always)]
            fn cnot(self) -> Self { (self == 0) as $ty }
            #[inline(always)]
            fn popc(self) -> u32 { self.count_ones() }
            #[inline(always)]
            fn clz(self) -> u32 { self.leading_zeros() }
            #[inline(always)]
            fn brev(self) -> Self { self.reverse_bits() }
            #[inline(always)]
            #[allow(unused_comparisons)]
            fn significant(self) -> Self { if self < 0 { !self } else { self } }
        }
    )*};
}
int! {
    u16, u32, false;
    i16, i32, true;
    u32, u64, false;
    i32, i64, true;
    u64, u128, false;
    i64, i128, true;
}

/// Picks the Rust type of an integer type.
macro_rules! with_int {
    ($ty:expr, $f:ident($($arg:expr),*)) => {
        match $ty {
            IntType::U16 => $f::<u16>($($arg),*),
            IntType::S16 => $f::<i16>($($arg),*),
            IntType::U32 => $f::<u32>($($arg),*),
            IntType::S32 => $f::<i32>($($arg),*),
            IntType::U64 => $f::<u64>($($arg),*),
            IntType::S64 => $f::<i64>($($arg),*),
        }
    };
}
pub(super) use with_int;

wide! {
    /// `d = f(a)`
    pub(super) fn unary(l: &mut Lanes, f: IntUnary, ty: IntType, d: Reg, a: Reg) {
        with_int!(ty, unary_of(l, f, d, a))
    }
}

#[inline(always)]
fn unary_of<T: Int>(l: &mut Lanes, f: IntUnary, d: Reg, a: Reg) {
    match f {
        IntUnary::Neg => l.map1(d, a, |a: T| T::default().sub(a)),
        IntUnary::Abs => l.map1(d, a, T::abs),
        IntUnary::Not => l.map1(d, a, T::not),
        IntUnary::Cnot => l.map1(d, a, T::cnot),
        IntUnary::Popc => l.map1(d, a, T::popc),
        IntUnary::Clz => l.map1(d, a, T::clz),
        IntUnary::Brev => l.map1(d, a, T::brev),
        IntUnary::Bfind => l.map1(d, a, |a: T| (T::BITS - 1).wrapping_sub(a.significant().clz())),
        IntUnary::BfindShift => l.map1(d, a, |a: T| match a.significant().clz() {
            none if none == T::BITS => u32::MAX,
            shift => shift,
        }),
    }
}

wide! {
    /// `d = f(a, b)`
    pub(super) fn binary(l: &mut Lanes, f: IntBinary, ty: IntType, d: Reg, a: Reg, b: Reg) {
        match f {
            IntBinary::MulWide => mul_wide(l, ty, d, a, b),
            IntBinary::AddSat => l.map2(d, a, b, i32::saturating_add),
            IntBinary::SubSat => l.map2(d, a, b, i32::saturating_sub),
            _ => with_int!(ty, binary_of(l, f, d, a, b)),
        }
    }
}

#[inline(always)]
fn binary_of<T: Int>(l: &mut Lanes, f: IntBinary, d: Reg, a: Reg, b: Reg) {
    match f {
        IntBinary::Add => l.map2(d, a, b, T::add),
        IntBinary::Sub => l.map2(d, a, b, T::sub),
        IntBinary::MulLo => l.map2(d, a, b, T::mul),
        IntBinary::MulHi => l.map2(d, a, b, T::mul_hi),
        IntBinary::Div => l.map2(d, a, b, T::div),
        IntBinary::Rem => l.map2(d, a, b, T::rem),
        IntBinary::Min => l.map2(d, a, b, T::min),
        IntBinary::Max => l.map2(d, a, b, T::max),
        IntBinary::And => l.map2(d, a, b, T::and),
        IntBinary::Or => l.map2(d, a, b, T::or),
        IntBinary::Xor => l.map2(d, a, b, T::xor),
        IntBinary::Shl => l.map2(d, a, b, T::shl),
        IntBinary::Shr => l.map2(d, a, b, T::shr),
        IntBinary::MulWide | IntBinary::AddSat | IntBinary::SubSat => {}
    }
}

#[inline(always)]
fn mul_wide(l: &mut Lanes, ty: IntType, d: Reg, a: Reg, b: Reg) {
    match ty {
        IntType::U16 => l.map2(d, a, b, |a: u16, b: u16| u32::from(a) * u32::from(b)),
        IntType::S16 => l.map2(d, a, b, |a: i16, b: i16| i32::from(a) * i32::from(b)),
        IntType::U32 => l.map2(d, a, b, |a: u32, b: u32| u64::from(a) * u64::from(b)),
        _ => l.map2(d, a, b, |a: i32, b: i32| i64::from(a) * i64::from(b)),
    }
}

wide! {
    /// `d = f(a, b, c)`
    pub(super) fn ternary(l: &mut Lanes, f: IntTernary, ty: IntType, d: Reg, abc: [Reg; 3]) {
        match f {
            IntTernary::MadWide => mad_wide(l, ty, d, abc),
            IntTernary::MadHiSat => {
                l.map3(d, abc, |a: i32, b: i32, c: i32| a.mul_hi(b).saturating_add(c))
            }
            _ => with_int!(ty, ternary_of(l, f, d, abc)),
        }
    }
}

#[inline(always)]
fn ternary_of<T: Int>(l: &mut Lanes, f: IntTernary, d: Reg, abc: [Reg; 3]) {
    match f {
        IntTernary::MadLo => l.map3(d, abc, |a: T, b: T, c: T| a.mul(b).add(c)),
        IntTernary::MadHi => l.map3(d, abc, |a: T, b: T, c: T| a.mul_hi(b).add(c)),
        IntTernary::Sad => {
            l.map3(d, abc, |a: T, b: T, c: T| c.add(if a < b { b.sub(a) } else { a.sub(b) }))
        }
        IntTernary::MadWide | IntTernary::MadHiSat => {}
    }
}

#[inline(always)]
fn mad_wide(l: &mut Lanes, ty: IntType, d: Reg, abc: [Reg; 3]) {
    match ty {
        IntType::U16 => {
            l.map3(d, abc, |a: u16, b: u16, c: u32| c.wrapping_add(u32::from(a) * u32::from(b)))
        }
        IntType::S16 => {
            l.map3(d, abc, |a: i16, b: i16, c: i32| c.wrapping_add(i32::from(a) * i32::from(b)))
        }
        IntType::U32 => {
            l.map3(d, abc, |a: u32, b: u32, c: u64| c.wrapping_add(u64::from(a) * u64::from(b)))
        }
        _ => l.map3(d, abc, |a: i32, b: i32, c: i64| c.wrapping_add(i64::from(a) * i64::from(b))),
    }
}
