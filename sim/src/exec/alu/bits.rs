//! Bit fields, byte permutation, three-input logic and funnel shifts.

use super::wide;
use crate::exec::regs::Lanes;
use crate::ptx::ir::{IntType, PrmtMode, Reg};

/// `len` bits of `a` from `pos`, extended to 64 bits; `width` is that of the type.
#[inline(always)]
fn extract(a: u64, pos: u32, len: u32, width: u32, signed: bool) -> u64 {
    let (pos, len) = (pos & 0xff, len & 0xff);
    let field = if pos < width { a >> pos } else { 0 };
    let kept = if len < 64 { field & ((1 << len) - 1) } else { field };
    if !signed || len == 0 {
        return kept;
    }
    let sign_at = (pos + len - 1).min(width - 1);
    let sign = a >> sign_at & 1 != 0;
    // Everything from the end of the field, or from the top of the source, copies the sign.
    let filled = len.min(width.saturating_sub(pos));
    if sign && filled < 64 {
        kept | u64::MAX << filled
    } else {
        kept
    }
}

wide! {
    /// Bit field extract: a, position, length.
    pub(super) fn bfe(l: &mut Lanes, ty: IntType, d: Reg, abc: [Reg; 3]) {
        match ty {
            IntType::U64 => {
                l.map3(d, abc, |a: u64, pos: u32, len: u32| extract(a, pos, len, 64, false))
            }
            IntType::S64 => {
                l.map3(d, abc, |a: u64, pos: u32, len: u32| extract(a, pos, len, 64, true))
            }
            IntType::S32 => l.map3(d, abc, |a: u32, pos: u32, len: u32| {
                extract(u64::from(a), pos, len, 32, true) as u32
            }),
            _ => l.map3(d, abc, |a: u32, pos: u32, len: u32| {
                extract(u64::from(a), pos, len, 32, false) as u32
            }),
        }
    }
}

#[inline(always)]
fn insert(a: u64, b: u64, pos: u32, len: u32) -> u64 {
    let (pos, len) = (pos & 0xff, len & 0xff);
    if pos >= 64 {
        return b;
    }
    let field = if len < 64 { (1 << len) - 1 } else { u64::MAX };
    let mask = field << pos;
    b & !mask | a << pos & mask
}

/// Bit field insert: a into b at position c, length e.
pub(super) fn bfi(l: &mut Lanes, ty: IntType, d: Reg, [a, b, c, e]: [Reg; 4]) {
    if ty == IntType::U64 {
        return l.each(d, |l, i| {
            insert(l.get::<u64>(a, i), l.get::<u64>(b, i), l.get(c, i), l.get(e, i))
        });
    }
    l.each(d, |l, i| {
        let (a, b) = (l.get::<u32>(a, i), l.get::<u32>(b, i));
        insert(u64::from(a), u64::from(b), l.get(c, i), l.get(e, i)) as u32
    });
}

/// The selectors of the special modes, highest byte first, for c & 3 from 0 to 3.
fn selectors(mode: PrmtMode) -> [u32; 4] {
    match mode {
        PrmtMode::F4e => [0x3210, 0x4321, 0x5432, 0x6543],
        PrmtMode::B4e => [0x5670, 0x6701, 0x7012, 0x0123],
        PrmtMode::Rc8 => [0x0000, 0x1111, 0x2222, 0x3333],
        PrmtMode::Ecl => [0x3210, 0x3211, 0x3222, 0x3333],
        PrmtMode::Ecr => [0x0000, 0x1110, 0x2210, 0x3210],
        PrmtMode::Index | PrmtMode::Rc16 => [0x1010, 0x3232, 0x1010, 0x3232],
    }
}

#[inline(always)]
fn permute(a: u32, b: u32, selector: u32) -> u32 {
    let bytes = u64::from(b) << 32 | u64::from(a);
    let mut out = 0;
    for i in 0..4 {
        let pick = selector >> (4 * i) & 0xf;
        let byte = (bytes >> (8 * (pick & 7))) as u8;
        let byte = if pick & 8 != 0 { (byte as i8 >> 7) as u8 } else { byte };
        out |= u32::from(byte) << (8 * i);
    }
    out
}

/// Byte permutation.
pub(super) fn prmt(l: &mut Lanes, mode: PrmtMode, d: Reg, abc: [Reg; 3]) {
    if mode == PrmtMode::Index {
        return l.map3(d, abc, permute);
    }
    let table = selectors(mode);
    l.map3(d, abc, |a: u32, b: u32, c: u32| permute(a, b, table[(c & 3) as usize]));
}

wide! {
    /// Any logic function of three bits, by its table.
    pub(super) fn lop3(l: &mut Lanes, table: u8, d: Reg, abc: [Reg; 3]) {
        let minterm = |n: u32| if table >> n & 1 != 0 { u32::MAX } else { 0 };
        let terms: [u32; 8] = std::array::from_fn(|n| minterm(n as u32));
        l.map3(d, abc, |a: u32, b: u32, c: u32| {
            let pick = |bit: u32, on: u32, off: u32| bit & on | !bit & off;
            let high = pick(b, pick(c, terms[7], terms[6]), pick(c, terms[5], terms[4]));
            let low = pick(b, pick(c, terms[3], terms[2]), pick(c, terms[1], terms[0]));
            pick(a, high, low)
        })
    }
}

wide! {
    /// Funnel shift of b:a.
    pub(super) fn shf(l: &mut Lanes, left: bool, wrap: bool, d: Reg, abc: [Reg; 3]) {
        l.map3(d, abc, |a: u32, b: u32, c: u32| {
            let both = u64::from(b) << 32 | u64::from(a);
            let n = if wrap { c & 31 } else { c.min(32) };
            if left { (both << n >> 32) as u32 } else { (both >> n) as u32 }
        })
    }
}
