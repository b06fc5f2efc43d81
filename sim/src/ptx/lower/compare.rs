//! Comparison and selection.

use super::int::int_type;
use super::modifiers::Modifiers;
use super::operand::Width;
use super::{Lower, Result};
use crate::ptx::ir::{Compare, CompareType, Comparison, FloatType, Logic, Op, SetResult, SlctSign};
use crate::ptx::syntax::Instruction;
use crate::ptx::types::Type;

const RELATIONS: [(&str, Compare); 18] = [
    (".eq", Compare::Eq),
    (".ne", Compare::Ne),
    (".lt", Compare::Lt),
    (".le", Compare::Le),
    (".gt", Compare::Gt),
    (".ge", Compare::Ge),
    (".lo", Compare::Lt),
    (".ls", Compare::Le),
    (".hi", Compare::Gt),
    (".hs", Compare::Ge),
    (".equ", Compare::Equ),
    (".neu", Compare::Neu),
    (".ltu", Compare::Ltu),
    (".leu", Compare::Leu),
    (".gtu", Compare::Gtu),
    (".geu", Compare::Geu),
    (".num", Compare::Num),
    (".nan", Compare::Nan),
];

const LOGIC: [(&str, Logic); 3] = [(".and", Logic::And), (".or", Logic::Or), (".xor", Logic::Xor)];

impl<'a> Lower<'a> {
    pub(super) fn compare(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        match i.opcode.text {
            "setp" => {
                let ftz = m.take(".ftz");
                let comparison = self.comparison(i, m, ftz)?;
                let (p, q) = self.pair(&i.operands[0]);
                let p = self.destination(p, Type::Pred, Width::Same)?;
                let q = q.map(|q| self.destination(q, Type::Pred, Width::Same)).transpose()?;
                self.emit(Op::Setp { comparison, p, q })
            }
            "set" => {
                let ftz = m.take(".ftz");
                let ty = self.type_of(i, m)?;
                let comparison = self.comparison(i, m, ftz)?;
                let result = match ty {
                    Type::U32 | Type::S32 => SetResult::Ones,
                    Type::F32 => SetResult::One,
                    _ => return Err(self.unsupported(i)),
                };
                let d = self.dst(i, 0, ty)?;
                self.emit(Op::Set { comparison, result, d })
            }
            "selp" => {
                let ty = self.type_of(i, m)?;
                self.no_more(i, m)?;
                if ty.bits() < 16 {
                    return Err(self.unsupported(i));
                }
                self.arity(i, 4)?;
                let (d, a, b) = (self.dst(i, 0, ty)?, self.src(i, 1, ty)?, self.src(i, 2, ty)?);
                let p = self.pred_src(i, 3)?;
                self.emit(Op::Selp { d, a, b, p })
            }
            _ => self.slct(i, m),
        }
    }

    fn slct(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        let ftz = m.take(".ftz");
        let (ty, sign_ty) = (self.type_of(i, m)?, self.type_of(i, m)?);
        self.no_more(i, m)?;
        let sign = match sign_ty {
            Type::S32 if !ftz => SlctSign::S32,
            Type::F32 => SlctSign::F32 { ftz },
            _ => return Err(self.unsupported(i)),
        };
        if ty.bits() < 16 {
            return Err(self.unsupported(i));
        }
        self.arity(i, 4)?;
        let (d, a, b) = (self.dst(i, 0, ty)?, self.src(i, 1, ty)?, self.src(i, 2, ty)?);
        let c = self.src(i, 3, sign_ty)?;
        self.emit(Op::Slct { sign, d, a, b, c })
    }

    fn comparison(
        &mut self,
        i: &Instruction<'a>,
        m: &mut Modifiers<'a>,
        ftz: bool,
    ) -> Result<Comparison> {
        let compare = m.take_of(&RELATIONS).ok_or_else(|| self.unsupported(i))?;
        let logic = m.take_of(&LOGIC);
        let ty = self.type_of(i, m)?;
        self.no_more(i, m)?;
        let kind = match ty {
            Type::F32 => CompareType::Float(FloatType::F32),
            Type::F64 => CompareType::Float(FloatType::F64),
            _ => CompareType::Int(int_type(ty).ok_or_else(|| self.unsupported(i))?),
        };
        let float = ty.is_float();
        let ordered = !matches!(
            compare,
            Compare::Equ
                | Compare::Neu
                | Compare::Ltu
                | Compare::Leu
                | Compare::Gtu
                | Compare::Geu
                | Compare::Num
                | Compare::Nan
        );
        if !float && (!ordered || ftz) || ftz && ty == Type::F64 {
            return Err(self.unsupported(i));
        }
        self.arity(i, if logic.is_some() { 4 } else { 3 })?;
        let (a, b) = (self.src(i, 1, ty)?, self.src(i, 2, ty)?);
        let combine = match logic {
            Some(logic) => Some((logic, self.pred_src(i, 3)?)),
            None => None,
        };
        Ok(Comparison { compare, ty: kind, ftz, a, b, combine })
    }
}
