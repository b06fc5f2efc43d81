//! Loads, stores, atomics and fences.

use super::modifiers::Modifiers;
use super::operand::Width;
use super::{Lower, Result};
use crate::ptx::ir::{Atomic, AtomicOp, Load, Op, Store};
use crate::ptx::syntax::{Instruction, OperandKind};
use crate::ptx::types::{Space, Type};

/// Modifiers that steer caches, ordering and scope. Execution here is sequentially consistent, so they
/// change no result.
fn is_hint(modifier: &str) -> bool {
    const HINTS: [&str; 25] = [
        ".weak",
        ".volatile",
        ".relaxed",
        ".acquire",
        ".release",
        ".acq_rel",
        ".sc",
        ".mmio",
        ".nc",
        ".ca",
        ".cg",
        ".cs",
        ".cv",
        ".lu",
        ".wb",
        ".wt",
        ".cta",
        ".cluster",
        ".gpu",
        ".sys",
        ".gl",
        ".noftz",
        ".unified",
        ".aligned",
        ".proxy",
    ];
    HINTS.contains(&modifier) || modifier.starts_with(".L1::") || modifier.starts_with(".L2::")
}

const ATOMICS: [(&str, AtomicOp); 10] = [
    (".and", AtomicOp::And),
    (".or", AtomicOp::Or),
    (".xor", AtomicOp::Xor),
    (".exch", AtomicOp::Exch),
    (".cas", AtomicOp::Cas),
    (".add", AtomicOp::Add),
    (".inc", AtomicOp::Inc),
    (".dec", AtomicOp::Dec),
    (".min", AtomicOp::Min),
    (".max", AtomicOp::Max),
];

impl<'a> Lower<'a> {
    pub(super) fn memory(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        m.drop_hints(is_hint);
        match i.opcode.text {
            "membar" | "fence" => {
                self.no_more(i, m)?;
                self.arity(i, 0)?;
                self.emit(Op::Fence)
            }
            "atom" | "red" => self.atomic(i, m),
            _ => self.load_store(i, m),
        }
    }

    fn take_space(&self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Space {
        m.drop_hints(|m| Space::parse(m).is_some());
        i.modifiers.iter().find_map(|m| Space::parse(m)).unwrap_or(Space::Generic)
    }

    fn load_store(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        let space = self.take_space(i, m);
        let count = m.take_of(&[(".v2", 2u8), (".v4", 4)]).unwrap_or(1);
        let ty = self.type_of(i, m)?;
        self.no_more(i, m)?;
        self.arity(i, 2)?;
        if ty == Type::Pred || u32::from(count) * ty.bytes() > 16 {
            return Err(self.unsupported(i));
        }
        if i.opcode.text == "st" {
            if space == Space::Const {
                return Err(self.unsupported(i).with_help("constant memory is read-only"));
            }
            let a = self.vector(&i.operands[1], count.into(), ty, |lower, e| {
                lower.source(e, ty, Width::AtLeast)
            })?;
            let address = self.address(i, 0, space)?;
            return self.emit(Op::St(Store { ty, count, a, address }));
        }
        let d = self.vector(&i.operands[0], count.into(), ty, |lower, e| {
            lower.destination(e, ty, Width::AtLeast)
        })?;
        let address = self.address(i, 1, space)?;
        self.emit(Op::Ld(Load { ty, count, d, address }))
    }

    fn atomic(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        let space = self.take_space(i, m);
        let op = m.take_of(&ATOMICS).ok_or_else(|| self.unsupported(i))?;
        let ty = self.type_of(i, m)?;
        self.no_more(i, m)?;
        let ok = match op {
            AtomicOp::And | AtomicOp::Or | AtomicOp::Xor | AtomicOp::Exch | AtomicOp::Cas => {
                matches!(ty, Type::B32 | Type::B64 | Type::U32 | Type::S32 | Type::U64 | Type::S64)
                    || op == AtomicOp::Exch && matches!(ty, Type::F32 | Type::F64)
            }
            AtomicOp::Add => {
                matches!(ty, Type::U32 | Type::S32 | Type::U64 | Type::S64 | Type::F32 | Type::F64)
            }
            AtomicOp::Inc | AtomicOp::Dec => ty == Type::U32,
            AtomicOp::Min | AtomicOp::Max => {
                matches!(ty, Type::U32 | Type::S32 | Type::U64 | Type::S64)
            }
        };
        let red = i.opcode.text == "red";
        let place = matches!(space, Space::Generic | Space::Global | Space::Shared);
        if !ok || !place || red && matches!(op, AtomicOp::Exch | AtomicOp::Cas) {
            return Err(self.unsupported(i));
        }
        let first = usize::from(!red);
        self.arity(i, first + 2 + usize::from(op == AtomicOp::Cas))?;
        let d = match i.operands[0].kind {
            _ if red => None,
            OperandKind::Sink => None,
            _ => Some(self.dst(i, 0, ty)?),
        };
        let address = self.address(i, first, space)?;
        let b = self.src(i, first + 1, ty)?;
        let c = match op {
            AtomicOp::Cas => Some(self.src(i, first + 2, ty)?),
            _ => None,
        };
        self.emit(Op::Atom(Atomic { op, ty, d, b, c, address }))
    }
}
