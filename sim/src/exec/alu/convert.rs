//! `cvt`: every pair of types, with rounding, saturation and extension to the register's width.

use super::float::{canonical, canonical32, flush, saturate};
use super::wide;
use crate::exec::exact::{Exact, HALF, SINGLE};
use crate::exec::regs::Lanes;
use crate::ptx::ir::{Class, Conversion, Reg, Round};
use crate::ptx::Type;

wide! {
    /// `d = a` in another type
    pub(super) fn cvt(l: &mut Lanes, c: &Conversion, d: Reg, a: Reg) {
        if !common(l, c, d, a) {
            general(l, c, d, a);
        }
    }
}

/// The conversions kernels are full of, as plain lane loops; `false` when this is not one of them.
#[inline(always)]
fn common(l: &mut Lanes, c: &Conversion, d: Reg, a: Reg) -> bool {
    let plain = !c.sat && !c.ftz && (d.class() == Class::Long) == (c.to.bits() == 64);
    if !plain || (a.class() == Class::Long) != (c.from.bits() == 64) {
        return false;
    }
    let nearest = c.round == Round::Nearest && !c.integral;
    let truncates = c.round == Round::Zero && c.integral;
    match (c.to, c.from) {
        (Type::U64 | Type::S64, Type::U32) => l.map1(d, a, |a: u32| u64::from(a)),
        (Type::U64 | Type::S64, Type::S32) => l.map1(d, a, |a: i32| i64::from(a)),
        (Type::U32 | Type::S32, Type::U64 | Type::S64) => l.map1(d, a, |a: u64| a as u32),
        (Type::U32 | Type::S32, Type::U16) => l.map1(d, a, |a: u16| u32::from(a)),
        (Type::U32 | Type::S32, Type::S16) => l.map1(d, a, |a: i16| i32::from(a)),
        (Type::U32 | Type::S32, Type::U8) => l.map1(d, a, |a: u8| u32::from(a)),
        (Type::U32 | Type::S32, Type::S8) => l.map1(d, a, |a: i8| i32::from(a)),
        (Type::U16, Type::U32 | Type::S32) => l.map1(d, a, |a: u32| a as u16),
        (Type::U8, Type::U32 | Type::S32) => l.map1(d, a, |a: u32| a as u8),
        (Type::F32, Type::S32) if nearest => l.map1(d, a, |a: i32| a as f32),
        (Type::F32, Type::U32) if nearest => l.map1(d, a, |a: u32| a as f32),
        (Type::F64, Type::S32) if nearest => l.map1(d, a, |a: i32| f64::from(a)),
        (Type::F64, Type::U32) if nearest => l.map1(d, a, |a: u32| f64::from(a)),
        (Type::S32, Type::F32) if truncates => l.map1(d, a, |a: f32| a as i32),
        (Type::U32, Type::F32) if truncates => l.map1(d, a, |a: f32| a as u32),
        (Type::F64, Type::F32) => l.map1(d, a, |a: f32| canonical(f64::from(a))),
        (Type::F32, Type::F64) if nearest => l.map1(d, a, |a: f64| canonical32(a as f32)),
        _ => return false,
    }
    true
}

/// A value on its way from one type to another; a double holds every half and single.
#[derive(Clone, Copy)]
enum Value {
    Int(i128),
    Float(f64),
}

#[inline(never)]
fn general(l: &mut Lanes, c: &Conversion, d: Reg, a: Reg) {
    let source = |l: &Lanes, lane| match a.class() {
        Class::Long => l.get::<u64>(a, lane),
        _ => u64::from(l.get::<u32>(a, lane)),
    };
    match d.class() {
        Class::Long => l.each(d, |l, lane| convert(c, source(l, lane))),
        _ => l.each(d, |l, lane| convert(c, source(l, lane)) as u32),
    }
}

fn convert(c: &Conversion, bits: u64) -> u64 {
    let value = read(c, bits);
    match value {
        Value::Int(value) if c.to.is_float() => {
            let bits = match c.to {
                Type::F16 => Exact::from_int(value).round(HALF, c.round),
                Type::F32 => Exact::from_int(value).round(SINGLE, c.round),
                _ => Exact::from_int(value).round(crate::exec::exact::DOUBLE, c.round),
            };
            finish_float(c, bits)
        }
        Value::Int(value) => to_int(c, value),
        Value::Float(value) if c.to.is_float() => {
            let value = if c.integral { integral(value, c.round) } else { value };
            let bits = match c.to {
                Type::F16 if value.is_nan() => 0x7fff,
                Type::F16 if value.is_infinite() => {
                    if value > 0.0 {
                        0x7c00
                    } else {
                        0xfc00
                    }
                }
                Type::F16 => Exact::from_f64(value).round(HALF, c.round),
                Type::F32 if value.is_finite() => Exact::from_f64(value).round(SINGLE, c.round),
                Type::F32 => u64::from((value as f32).to_bits()),
                _ => value.to_bits(),
            };
            finish_float(c, bits)
        }
        Value::Float(value) => float_to_int(c, value),
    }
}

fn read(c: &Conversion, bits: u64) -> Value {
    match c.from {
        Type::U8 => Value::Int(i128::from(bits as u8)),
        Type::U16 => Value::Int(i128::from(bits as u16)),
        Type::U32 => Value::Int(i128::from(bits as u32)),
        Type::S8 => Value::Int(i128::from(bits as i8)),
        Type::S16 => Value::Int(i128::from(bits as i16)),
        Type::S32 => Value::Int(i128::from(bits as i32)),
        Type::S64 => Value::Int(i128::from(bits as i64)),
        Type::F16 => Value::Float(half_to_double(bits as u16)),
        Type::F32 => {
            let value = f32::from_bits(bits as u32);
            Value::Float(f64::from(if c.ftz { flush(value) } else { value }))
        }
        Type::F64 => Value::Float(f64::from_bits(bits)),
        _ => Value::Int(i128::from(bits)),
    }
}

/// A half is exact as a double.
fn half_to_double(bits: u16) -> f64 {
    let fraction = f64::from(bits & 0x3ff);
    let magnitude = match bits >> 10 & 0x1f {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (1024.0 + fraction) * 2f64.powi(i32::from(exponent) - 25),
    };
    if bits >> 15 != 0 {
        -magnitude
    } else {
        magnitude
    }
}

fn integral(value: f64, round: Round) -> f64 {
    match round {
        Round::Nearest => value.round_ties_even(),
        Round::Zero => value.trunc(),
        Round::Down => value.floor(),
        Round::Up => value.ceil(),
    }
}

fn range(ty: Type) -> (i128, i128) {
    let bits = ty.bits();
    match ty.is_signed() {
        true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        false => (0, (1 << bits) - 1),
    }
}

/// The low bits in the result type, extended to 64 bits by its sign.
fn extend(ty: Type, value: i128) -> u64 {
    let unused = 64 - ty.bits();
    let high = (value as u64) << unused;
    match ty.is_signed() {
        true => (high as i64 >> unused) as u64,
        false => high >> unused,
    }
}

fn to_int(c: &Conversion, value: i128) -> u64 {
    let (low, high) = range(c.to);
    extend(c.to, if c.sat { value.clamp(low, high) } else { value })
}

/// Float to integer always clamps. NaN is zero between 32-bit types and the middle of the range when
/// either side has 64 bits.
fn float_to_int(c: &Conversion, value: f64) -> u64 {
    if value.is_nan() {
        let wide = c.from == Type::F64 || c.to.bits() == 64;
        return if wide { extend(c.to, 1 << (c.to.bits() - 1)) } else { 0 };
    }
    let (low, high) = range(c.to);
    let rounded = integral(value, c.round);
    extend(c.to, (rounded as i128).clamp(low, high))
}

fn finish_float(c: &Conversion, bits: u64) -> u64 {
    match c.to {
        Type::F32 => {
            let value = canonical32(f32::from_bits(bits as u32));
            let value = if c.ftz { flush(value) } else { value };
            u64::from(if c.sat { saturate(value) } else { value }.to_bits())
        }
        Type::F16 if c.sat => {
            let value = half_to_double(bits as u16);
            if value > 0.0 {
                Exact::from_f64(value.min(1.0)).round(HALF, Round::Nearest)
            } else {
                0
            }
        }
        Type::F16 => bits,
        _ => {
            let value = canonical(f64::from_bits(bits));
            let clamped = if value > 0.0 { value.min(1.0) } else { 0.0 };
            if c.sat { clamped } else { value }.to_bits()
        }
    }
}
