//! Branches, the end of a thread, and barriers.

use super::modifiers::Modifiers;
use super::{Lower, Result, Return};
use crate::ptx::ir::{BarrierKind, BarrierReduce, Op};
use crate::ptx::syntax::{Instruction, OperandKind};
use crate::ptx::types::Type;

impl<'a> Lower<'a> {
    pub(super) fn control(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        match i.opcode.text {
            "bra" => {
                m.take(".uni");
                self.no_more(i, m)?;
                self.arity(i, 1)?;
                let operand = &i.operands[0];
                let OperandKind::Name { name, member: None, offset: 0 } = operand.kind else {
                    return Err(self.bad_operand(operand, "expected a label"));
                };
                let Some(label) = self.find_label(name) else {
                    let message = format!("there is no label `{name}` here");
                    return Err(self.error_at(operand.at, name.len(), message));
                };
                self.jump(label)
            }
            "ret" => {
                m.take(".uni");
                self.no_more(i, m)?;
                self.arity(i, 0)?;
                match self.returns {
                    Return::Exit => self.emit(Op::Exit),
                    Return::Label(label) => self.jump(label),
                }
            }
            "exit" | "trap" => {
                self.no_more(i, m)?;
                self.arity(i, 0)?;
                self.emit(if i.opcode.text == "exit" { Op::Exit } else { Op::Trap })
            }
            _ => self.barrier(i, m),
        }
    }

    /// A branch to a label; [`patch`](Lower::patch) turns the label into a program counter.
    pub(super) fn jump(&mut self, label: u32) -> Result<()> {
        self.emit(Op::Bra { target: label, reconverge: Op::NEVER })
    }

    fn barrier(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        m.take(".cta");
        m.take(".aligned");
        let warp = m.take(".warp");
        let (sync, arrive, red) = (m.take(".sync"), m.take(".arrive"), m.take(".red"));
        if warp && sync {
            // Lanes of a warp run in lockstep here, so there is nothing to wait for.
            self.no_more(i, m)?;
            self.arity(i, 1)?;
            return self.emit(Op::Fence);
        }
        if usize::from(sync) + usize::from(arrive) + usize::from(red) != 1 || warp {
            return Err(self.unsupported(i));
        }
        let (kind, first) = if red {
            let (kind, ty) = self.reduction(i, m)?;
            let d = self.dst(i, 0, ty)?;
            let p = self.pred_src(i, i.operands.len() - 1)?;
            (BarrierKind::Reduce { op: kind, d, p }, 1)
        } else {
            (if sync { BarrierKind::Sync } else { BarrierKind::Arrive }, 0)
        };
        self.no_more(i, m)?;
        let last = i.operands.len() - usize::from(red && i.operands.len() > 2);
        if last < first + 1 || last > first + 2 || arrive && last != 2 {
            let message = format!("`{}` has the wrong number of operands", i.mnemonic());
            return Err(self.error_at(i.opcode.at, i.mnemonic().len(), message));
        }
        let id = self.src(i, first, Type::U32)?;
        let threads = match last - first {
            2 => Some(self.src(i, first + 1, Type::U32)?),
            _ => None,
        };
        self.emit(Op::Bar { kind, id, threads })
    }

    fn reduction(
        &self,
        i: &Instruction<'a>,
        m: &mut Modifiers<'a>,
    ) -> Result<(BarrierReduce, Type)> {
        let op = m.take_of(&[
            (".popc", BarrierReduce::Popc),
            (".and", BarrierReduce::And),
            (".or", BarrierReduce::Or),
        ]);
        let ty = self.type_of(i, m)?;
        let wanted = if op == Some(BarrierReduce::Popc) { Type::U32 } else { Type::Pred };
        match op {
            Some(op) if ty == wanted && i.operands.len() >= 3 => Ok((op, ty)),
            _ => Err(self.unsupported(i)),
        }
    }
}
