//! Exchange between the lanes of a warp.

use super::modifiers::Modifiers;
use super::operand::Width;
use super::{Lower, Result};
use crate::ptx::ir::{Op, ShflMode, VoteMode};
use crate::ptx::syntax::Instruction;
use crate::ptx::types::Type;

impl<'a> Lower<'a> {
    pub(super) fn warp(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        let sync = usize::from(m.take(".sync"));
        match i.opcode.text {
            "shfl" => self.shfl(i, m, sync),
            "vote" => self.vote(i, m, sync),
            _ => {
                let ty = self.type_of(i, m)?;
                self.no_more(i, m)?;
                self.arity(i, 1)?;
                if ty != Type::B32 || sync != 0 {
                    return Err(self.unsupported(i));
                }
                let d = self.dst(i, 0, ty)?;
                self.emit(Op::ActiveMask { d })
            }
        }
    }

    fn shfl(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>, sync: usize) -> Result<()> {
        let mode = m.take_of(&[
            (".up", ShflMode::Up),
            (".down", ShflMode::Down),
            (".bfly", ShflMode::Bfly),
            (".idx", ShflMode::Idx),
        ]);
        let ty = self.type_of(i, m)?;
        self.no_more(i, m)?;
        let (Some(mode), Type::B32) = (mode, ty) else {
            return Err(self.unsupported(i));
        };
        self.arity(i, 4 + sync)?;
        let (d, p) = self.pair(&i.operands[0]);
        let d = self.destination(d, ty, Width::Same)?;
        let p = p.map(|p| self.destination(p, Type::Pred, Width::Same)).transpose()?;
        let (a, b) = (self.src(i, 1, ty)?, self.src(i, 2, Type::U32)?);
        let c = self.src(i, 3, Type::U32)?;
        self.member_mask(i, sync)?;
        self.emit(Op::Shfl { mode, d, p, a, b, c })
    }

    fn vote(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>, sync: usize) -> Result<()> {
        let mode = m.take_of(&[
            (".all", VoteMode::All),
            (".any", VoteMode::Any),
            (".uni", VoteMode::Uni),
            (".ballot", VoteMode::Ballot),
        ]);
        let ty = self.type_of(i, m)?;
        self.no_more(i, m)?;
        let mode = mode.ok_or_else(|| self.unsupported(i))?;
        let wanted = if mode == VoteMode::Ballot { Type::B32 } else { Type::Pred };
        if ty != wanted {
            return Err(self.unsupported(i));
        }
        self.arity(i, 2 + sync)?;
        let (d, p) = (self.dst(i, 0, ty)?, self.pred_src(i, 1)?);
        self.member_mask(i, sync)?;
        self.emit(Op::Vote { mode, d, p })
    }

    /// Lanes run in lockstep, so those named by the mask of `.sync` are the active ones; only its form is checked.
    fn member_mask(&mut self, i: &Instruction<'a>, sync: usize) -> Result<()> {
        if sync == 1 {
            self.src(i, i.operands.len() - 1, Type::B32)?;
        }
        Ok(())
    }
}
