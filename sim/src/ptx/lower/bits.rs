//! Bit fields, byte permutation, three-input logic and funnel shifts.

use super::int::int_type;
use super::modifiers::Modifiers;
use super::{Lower, Result};
use crate::ptx::ir::{Op, PrmtMode};
use crate::ptx::syntax::{Instruction, OperandKind};
use crate::ptx::types::Type;

impl<'a> Lower<'a> {
    pub(super) fn bits(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        match i.opcode.text {
            "bfe" | "bfi" => self.field(i, m),
            "prmt" => self.prmt(i, m),
            "lop3" => self.lop3(i, m),
            _ => self.shf(i, m),
        }
    }

    fn field(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        let ty = self.type_of(i, m)?;
        self.no_more(i, m)?;
        let insert = i.opcode.text == "bfi";
        let untyped = matches!(ty, Type::B32 | Type::B64);
        let typed = matches!(ty, Type::U32 | Type::S32 | Type::U64 | Type::S64);
        let int = int_type(ty)
            .filter(|_| if insert { untyped } else { typed })
            .ok_or_else(|| self.unsupported(i))?;
        if insert {
            self.arity(i, 5)?;
            let (d, a, b) = (self.dst(i, 0, ty)?, self.src(i, 1, ty)?, self.src(i, 2, ty)?);
            let (c, e) = (self.src(i, 3, Type::U32)?, self.src(i, 4, Type::U32)?);
            return self.emit(Op::Bfi { ty: int, d, a, b, c, e });
        }
        self.arity(i, 4)?;
        let (d, a) = (self.dst(i, 0, ty)?, self.src(i, 1, ty)?);
        let (b, c) = (self.src(i, 2, Type::U32)?, self.src(i, 3, Type::U32)?);
        self.emit(Op::Bfe { ty: int, d, a, b, c })
    }

    fn prmt(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        let mode = m
            .take_of(&[
                (".f4e", PrmtMode::F4e),
                (".b4e", PrmtMode::B4e),
                (".rc8", PrmtMode::Rc8),
                (".ecl", PrmtMode::Ecl),
                (".ecr", PrmtMode::Ecr),
                (".rc16", PrmtMode::Rc16),
            ])
            .unwrap_or(PrmtMode::Index);
        let ty = self.b32(i, m)?;
        self.arity(i, 4)?;
        let (d, a) = (self.dst(i, 0, ty)?, self.src(i, 1, ty)?);
        let (b, c) = (self.src(i, 2, ty)?, self.src(i, 3, ty)?);
        self.emit(Op::Prmt { mode, d, a, b, c })
    }

    fn lop3(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        let ty = self.b32(i, m)?;
        self.arity(i, 5)?;
        let table = match i.operands[4].kind {
            OperandKind::Int(table @ 0..=255) => table as u8,
            _ => {
                let message = "the table of lop3 is a constant from 0 to 255";
                return Err(self.bad_operand(&i.operands[4], message));
            }
        };
        let (d, a) = (self.dst(i, 0, ty)?, self.src(i, 1, ty)?);
        let (b, c) = (self.src(i, 2, ty)?, self.src(i, 3, ty)?);
        self.emit(Op::Lop3 { table, d, a, b, c })
    }

    fn shf(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        let left = m.take_of(&[(".l", true), (".r", false)]);
        let wrap = m.take_of(&[(".wrap", true), (".clamp", false)]);
        let ty = self.b32(i, m)?;
        let (Some(left), Some(wrap)) = (left, wrap) else {
            return Err(self.unsupported(i));
        };
        self.arity(i, 4)?;
        let (d, a) = (self.dst(i, 0, ty)?, self.src(i, 1, ty)?);
        let (b, c) = (self.src(i, 2, ty)?, self.src(i, 3, Type::U32)?);
        self.emit(Op::Shf { left, wrap, d, a, b, c })
    }

    /// The type of an opcode that only has `.b32`.
    fn b32(&self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<Type> {
        let ty = self.type_of(i, m)?;
        self.no_more(i, m)?;
        if ty == Type::B32 {
            return Ok(ty);
        }
        Err(self.unsupported(i))
    }
}
