//! Moves, selection, packing and address-space questions.

use super::float::flush;
use super::wide;
use crate::exec::regs::Lanes;
use crate::ptx::ir::{Class, PredSource, Reg, SlctSign};
use crate::ptx::layout::space_of;
use crate::ptx::Space;

wide! {
    /// `d = a`
    pub(super) fn mov(l: &mut Lanes, d: Reg, a: Reg) {
        match d.class() {
            Class::Long => l.map1(d, a, |a: u64| a),
            _ => l.map1(d, a, |a: u32| a),
        }
    }
}

wide! {
    /// `d = p ? a : b`
    pub(super) fn selp(l: &mut Lanes, d: Reg, a: Reg, b: Reg, p: PredSource) {
        let bits = l.pred(p);
        choose(l, d, a, b, bits)
    }
}

#[inline(always)]
fn choose(l: &mut Lanes, d: Reg, a: Reg, b: Reg, first: u32) {
    if d.class() == Class::Long {
        let (a, b) = (l.row::<u64>(a), l.row::<u64>(b));
        let out: [u64; 32] = std::array::from_fn(|i| if first >> i & 1 != 0 { a[i] } else { b[i] });
        return l.write(d, &out);
    }
    let (a, b) = (l.row::<u32>(a), l.row::<u32>(b));
    let out: [u32; 32] = std::array::from_fn(|i| if first >> i & 1 != 0 { a[i] } else { b[i] });
    l.write(d, &out);
}

/// `d = c >= 0 ? a : b`
pub(super) fn slct(l: &mut Lanes, sign: SlctSign, d: Reg, [a, b, c]: [Reg; 3]) {
    let first = match sign {
        SlctSign::S32 => l.test(c, c, |c: i32, _| c >= 0),
        SlctSign::F32 { ftz: false } => l.test(c, c, |c: f32, _| c >= 0.0),
        SlctSign::F32 { ftz: true } => l.test(c, c, |c: f32, _| flush(c) >= 0.0),
    };
    choose(l, d, a, b, first);
}

/// `d = {a0, a1, ..}`, the first lowest
pub(super) fn pack(l: &mut Lanes, bits: u8, d: Reg, a: &[Reg; 4]) {
    let bits = u32::from(bits);
    let mask = (1u64 << bits) - 1;
    let part = |l: &Lanes, reg, lane| u64::from(l.get::<u32>(reg, lane)) & mask;
    if d.class() == Class::Long {
        l.each(d, |l, lane| {
            (0..64 / bits).fold(0u64, |all, n| all | part(l, a[n as usize], lane) << (n * bits))
        });
    } else {
        l.each(d, |l, lane| {
            (0..32 / bits).fold(0u64, |all, n| all | part(l, a[n as usize], lane) << (n * bits))
                as u32
        });
    }
}

/// `{d0, d1, ..} = a`
pub(super) fn unpack(l: &mut Lanes, bits: u8, d: &[Reg; 4], a: Reg) {
    let bits = u32::from(bits);
    let mask = (1u64 << bits) - 1;
    let (whole, width) = match a.class() {
        Class::Long => (*l.row::<u64>(a), 64),
        _ => (l.row::<u32>(a).map(u64::from), 32),
    };
    for n in 0..width / bits {
        l.write(d[n as usize], &whole.map(|whole| (whole >> (n * bits) & mask) as u32));
    }
}

/// Whether a generic address points into a space.
pub(super) fn is_space(l: &mut Lanes, space: Space, d: Reg, a: Reg) {
    let bits = match a.class() {
        Class::Long => l.test(a, a, |a: u64, _| space_of(a) == space),
        _ => l.test(a, a, |a: u32, _| space_of(u64::from(a)) == space),
    };
    l.write_pred(d, bits);
}
