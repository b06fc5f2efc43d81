//! Parameters and results of inlined calls: registers where the code allows it, local memory otherwise.
//!
//! A call sequence stores its arguments to `.param` variables and the callee loads them. While lowering, such
//! variables live at addresses from [`FRAME`]. At the end, a variable whose accesses are all whole, aligned
//! pieces that never overlap becomes one register per piece, as a compiler's calling convention would have it;
//! one that is accessed in overlapping pieces, or whose address is taken, moves to local memory.

use std::collections::HashMap;

use super::scope::Symbol;
use super::{Lower, Result};
use crate::ptx::ir::{Address, Class, Conversion, Inst, Load, Op, Reg, Round, Store};
use crate::ptx::layout::LOCAL_WINDOW;
use crate::ptx::syntax::Name;
use crate::ptx::types::{Space, Type};

/// Where call parameters live until they are placed: above every local address.
pub(super) const FRAME: u64 = 1 << 32;

/// All call parameters of a kernel together.
const MOST_FRAME_BYTES: u64 = 64 << 10;

/// One `.param` variable of a call sequence.
struct Variable {
    start: u64,
    end: u64,
    /// Must stay in memory.
    in_memory: bool,
    /// Pieces that are accessed, by offset in the frame, with their size.
    pieces: HashMap<u64, u32>,
}

#[derive(Default)]
pub(super) struct Frame {
    variables: Vec<Variable>,
    /// Immediates that hold the address of an offset in the frame.
    rows: Vec<(Reg, u64)>,
}

impl Frame {
    /// The variable that holds a whole access.
    fn variable(&mut self, offset: u64, bytes: u64) -> Option<&mut Variable> {
        let at = self.variables.partition_point(|v| v.start <= offset).checked_sub(1)?;
        self.variables.get_mut(at).filter(|v| offset + bytes <= v.end)
    }

    fn bytes(&self) -> u64 {
        self.variables.last().map_or(0, |v| v.end)
    }
}

/// The offset in the frame of an access, and its element type and count.
fn access(op: &Op) -> Option<(u64, Type, u8)> {
    let (address, ty, count) = match op {
        Op::Ld(Load { address, ty, count, .. }) => (address, *ty, *count),
        Op::St(Store { address, ty, count, .. }) => (address, *ty, *count),
        _ => return None,
    };
    let offset = (address.offset as u64).checked_sub(FRAME)?;
    (address.space == Space::Local && address.base.is_none() && address.offset > 0)
        .then_some((offset, ty, count))
}

impl<'a> Lower<'a> {
    /// Adds a variable to the frame.
    pub(super) fn alloc_frame(&mut self, name: Name, bytes: u64, align: u32) -> Result<Symbol> {
        let start = self.frame.bytes().next_multiple_of(u64::from(align.max(1)));
        let end = start + bytes;
        if end > MOST_FRAME_BYTES {
            return Err(self.error(name, "the parameters of all calls exceed 64 KiB"));
        }
        let pieces = HashMap::new();
        self.frame.variables.push(Variable { start, end, in_memory: false, pieces });
        Ok(Symbol::Memory { space: Space::Local, address: FRAME + start })
    }

    /// The generic address of a place in the frame, as an immediate.
    pub(super) fn frame_address(&mut self, class: Class, offset: u64) -> Reg {
        if let Some(variable) = self.frame.variable(offset, 0) {
            variable.in_memory = true;
        }
        let row = self.push_constant(class, 0);
        self.frame.rows.push((row, offset));
        row
    }

    /// Places every variable of the frame, rewriting the instructions that access it.
    pub(super) fn place_frame(&mut self) {
        if self.frame.variables.is_empty() {
            return;
        }
        self.find_pieces();
        let base = u64::from(self.local_bytes.next_multiple_of(16));
        if self.frame.variables.iter().any(|v| v.in_memory) {
            self.local_bytes = (base + self.frame.bytes()) as u32;
        }
        for (row, offset) in std::mem::take(&mut self.frame.rows) {
            let address = LOCAL_WINDOW + base + offset;
            match row.class() {
                Class::Word => self.constants.words[row.index()] = [address as u32; 32],
                _ => self.constants.longs[row.index()] = [address; 32],
            }
        }
        let mut registers = HashMap::new();
        let mut moved = Vec::with_capacity(self.insts.len() + 1);
        let old = std::mem::take(&mut self.insts);
        for inst in old {
            moved.push(self.insts.len() as u32);
            self.place(inst, base, &mut registers);
        }
        moved.push(self.insts.len() as u32);
        for pc in self.labels.iter_mut().flatten() {
            *pc = moved[*pc as usize];
        }
    }

    /// Notes how every variable is accessed and which must stay in memory.
    fn find_pieces(&mut self) {
        for inst in &self.insts {
            let Some((offset, ty, count)) = access(&inst.op) else {
                continue;
            };
            let size = ty.bytes();
            let whole = u64::from(size) * u64::from(count);
            let Some(variable) = self.frame.variable(offset, whole) else {
                // An access beyond its variable: memory keeps whatever the code means by it.
                self.frame.variables.iter_mut().for_each(|v| v.in_memory = true);
                continue;
            };
            for n in 0..u64::from(count) {
                let known = variable.pieces.insert(offset + n * u64::from(size), size);
                variable.in_memory |= known.is_some_and(|known| known != size);
            }
        }
        for variable in &mut self.frame.variables {
            let mut pieces: Vec<_> =
                variable.pieces.iter().map(|(&at, &size)| (at, size)).collect();
            pieces.sort_unstable();
            let overlap = |pair: &[(u64, u32)]| pair[0].0 + u64::from(pair[0].1) > pair[1].0;
            variable.in_memory |= pieces.windows(2).any(overlap);
        }
    }

    fn place(&mut self, mut inst: Inst, base: u64, registers: &mut HashMap<u64, Reg>) {
        let Some((offset, ty, count)) = access(&inst.op) else {
            return self.insts.push(inst);
        };
        let whole = u64::from(ty.bytes()) * u64::from(count);
        if self.frame.variable(offset, whole).is_none_or(|v| v.in_memory) {
            if let Op::Ld(Load { address, .. }) | Op::St(Store { address, .. }) = &mut inst.op {
                *address = Address { offset: (base + offset) as i64, ..*address };
            }
            return self.insts.push(inst);
        }
        for n in 0..usize::from(count) {
            let at = offset + n as u64 * u64::from(ty.bytes());
            let class = if ty.bits() == 64 { Class::Long } else { Class::Word };
            let piece = *registers.entry(at).or_insert_with(|| self.alloc(class));
            let op = match &inst.op {
                Op::Ld(load) => extend(load.d[n], piece, ty),
                Op::St(store) => extend(piece, store.a[n], ty),
                other => other.clone(),
            };
            self.insts.push(Inst { op, ..inst.clone() });
        }
    }
}

/// A move that keeps the low bits of `ty` and extends them as a load would.
fn extend(d: Reg, a: Reg, ty: Type) -> Op {
    if d.class() == a.class() && ty.bits() >= 32 {
        return Op::Mov { d, a };
    }
    let (from, word, long) = match ty {
        Type::S8 => (Type::S8, Type::S32, Type::S64),
        Type::S16 => (Type::S16, Type::S32, Type::S64),
        Type::S32 => (Type::S32, Type::S32, Type::S64),
        Type::U8 | Type::B8 => (Type::U8, Type::U32, Type::U64),
        Type::U16 | Type::B16 | Type::F16 => (Type::U16, Type::U32, Type::U64),
        _ => (Type::U32, Type::U32, Type::U64),
    };
    let to = if d.class() == Class::Long { long } else { word };
    let conversion =
        Conversion { to, from, round: Round::Nearest, integral: false, ftz: false, sat: false };
    Op::Cvt { conversion, d, a }
}
