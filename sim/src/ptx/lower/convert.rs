//! Moves, conversions between types, and conversions between address spaces.

use super::modifiers::Modifiers;
use super::operand::Width;
use super::{Lower, Result};
use crate::ptx::ir::{Class, Conversion, IntBinary, IntType, Op, Round};
use crate::ptx::layout::window;
use crate::ptx::syntax::{Instruction, OperandKind};
use crate::ptx::types::{Space, Type};

impl<'a> Lower<'a> {
    pub(super) fn convert(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        match i.opcode.text {
            "mov" => self.mov(i, m),
            "cvt" => self.cvt(i, m),
            "cvta" => self.cvta(i, m),
            _ => {
                let space = i.modifiers.first().and_then(|m| Space::parse(m));
                self.arity(i, 2)?;
                let (Some(space), 1) = (space, i.modifiers.len()) else {
                    return Err(self.unsupported(i));
                };
                let ty = if self.context.file.address_bits == 64 { Type::U64 } else { Type::U32 };
                let (d, a) = (self.dst(i, 0, Type::Pred)?, self.src(i, 1, ty)?);
                self.emit(Op::IsSpace { space, d, a })
            }
        }
    }

    fn mov(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        let ty = self.type_of(i, m)?;
        self.no_more(i, m)?;
        self.arity(i, 2)?;
        if ty == Type::Pred {
            let (d, a) = (self.dst(i, 0, ty)?, self.pred_src(i, 1)?);
            return self.emit(Op::PredMov { d, a });
        }
        match (&i.operands[0].kind, &i.operands[1].kind) {
            (OperandKind::Vector(elements), _) => {
                let (bits, element) = self.element(i, ty, elements.len())?;
                let d = self.vector(&i.operands[0], elements.len(), element, |lower, e| {
                    lower.destination(e, element, Width::Same)
                })?;
                let a = self.src(i, 1, ty)?;
                self.emit(Op::Unpack { bits, d, a })
            }
            (_, OperandKind::Vector(elements)) => {
                let (bits, element) = self.element(i, ty, elements.len())?;
                let a = self.vector(&i.operands[1], elements.len(), element, |lower, e| {
                    lower.source(e, element, Width::Same)
                })?;
                let d = self.dst(i, 0, ty)?;
                self.emit(Op::Pack { bits, d, a })
            }
            (_, OperandKind::Name { name, member: None, .. }) if is_clock(name) => {
                let clock_ty = if *name == "%clock64" || *name == "%globaltimer" {
                    Type::U64
                } else {
                    Type::U32
                };
                let d = self.dst(i, 0, clock_ty)?;
                self.emit(Op::Clock { d })
            }
            _ => {
                let (d, a) = (self.dst(i, 0, ty)?, self.src(i, 1, ty)?);
                self.emit(Op::Mov { d, a })
            }
        }
    }

    /// Width and type of the parts of a packed move.
    fn element(&self, i: &Instruction<'a>, ty: Type, count: usize) -> Result<(u8, Type)> {
        match (ty.bits(), count) {
            (32, 2) => Ok((16, Type::B16)),
            (64, 2) => Ok((32, Type::B32)),
            (32, 4) => Ok((8, Type::B8)),
            (64, 4) => Ok((16, Type::B16)),
            _ => Err(self.unsupported(i)),
        }
    }

    fn cvt(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        let integral = m.take_of(&[
            (".rni", Round::Nearest),
            (".rzi", Round::Zero),
            (".rmi", Round::Down),
            (".rpi", Round::Up),
        ]);
        let rounded = m.take_round();
        let (ftz, sat) = (m.take(".ftz"), m.take(".sat"));
        let (to, from) = (self.type_of(i, m)?, self.type_of(i, m)?);
        self.no_more(i, m)?;
        let untyped = |ty| matches!(ty, Type::B8 | Type::B16 | Type::B32 | Type::B64 | Type::Pred);
        if untyped(to) || untyped(from) {
            return Err(self.unsupported(i));
        }
        let narrows = from.is_float() && to.is_float() && to.bits() < from.bits();
        let same = from.is_float() && from == to;
        let needs = match (from.is_float(), to.is_float()) {
            (true, false) => integral.is_some() && rounded.is_none(),
            (false, true) => integral.is_none() && rounded.is_some(),
            (true, true) if narrows => integral.is_none() && rounded.is_some(),
            (true, true) => rounded.is_none() && (integral.is_none() || same),
            (false, false) => integral.is_none() && rounded.is_none(),
        };
        if !needs {
            let help = "float to integer takes .rni .rzi .rmi .rpi; a float result that can be \
                        inexact takes .rn .rz .rm .rp; nothing else takes a rounding";
            return Err(self.unsupported(i).with_help(help));
        }
        if ftz && from != Type::F32 && to != Type::F32 {
            return Err(self.unsupported(i).with_help("`.ftz` needs an .f32"));
        }
        self.arity(i, 2)?;
        let conversion = Conversion {
            to,
            from,
            round: integral.or(rounded).unwrap_or(Round::Nearest),
            integral: integral.is_some(),
            ftz,
            sat,
        };
        let d = self.destination(&i.operands[0], to, Width::AtLeast)?;
        let a = self.source(&i.operands[1], from, Width::AtLeast)?;
        self.emit(Op::Cvt { conversion, d, a })
    }

    fn cvta(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        let to_space = m.take(".to");
        let space = i.modifiers.iter().find_map(|m| Space::parse(m));
        m.drop_hints(|m| Space::parse(m).is_some());
        let ty = self.type_of(i, m)?;
        self.no_more(i, m)?;
        self.arity(i, 2)?;
        let (Some(space), Type::U32 | Type::U64) = (space, ty) else {
            return Err(self.unsupported(i));
        };
        let (d, a) = (self.dst(i, 0, ty)?, self.src(i, 1, ty)?);
        // The address of a parameter is generic already.
        let base = if space == Space::Param { 0 } else { window(space) };
        if base == 0 {
            return self.emit(Op::Mov { d, a });
        }
        let (class, int) = match ty {
            Type::U64 => (Class::Long, IntType::U64),
            _ => (Class::Word, IntType::U32),
        };
        let b = self.constant(class, base);
        let f = if to_space { IntBinary::Sub } else { IntBinary::Add };
        self.emit(Op::Int2 { f, ty: int, d, a, b })
    }
}

fn is_clock(name: &str) -> bool {
    matches!(name, "%clock" | "%clock64" | "%clock_hi" | "%globaltimer" | "%globaltimer_lo")
}
