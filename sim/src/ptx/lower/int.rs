//! Integer arithmetic and logic, and the opcodes that integers share with floats.

use super::modifiers::Modifiers;
use super::{Lower, Result};
use crate::ptx::ir::{
    CarryArith, CarryUse, Class, IntBinary, IntTernary, IntType, IntUnary, Logic, Op, PredSource,
};
use crate::ptx::syntax::Instruction;
use crate::ptx::types::Type;

/// The arithmetic type of an integer or untyped PTX type of 16 to 64 bits.
pub(super) fn int_type(ty: Type) -> Option<IntType> {
    Some(match ty {
        Type::B16 | Type::U16 => IntType::U16,
        Type::S16 => IntType::S16,
        Type::B32 | Type::U32 => IntType::U32,
        Type::S32 => IntType::S32,
        Type::B64 | Type::U64 => IntType::U64,
        Type::S64 => IntType::S64,
        _ => return None,
    })
}

/// The type twice as wide, for `.wide`.
fn wide(ty: Type) -> Option<Type> {
    Some(match ty {
        Type::U16 => Type::U32,
        Type::S16 => Type::S32,
        Type::U32 => Type::U64,
        Type::S32 => Type::S64,
        _ => return None,
    })
}

/// Which half of a product is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Lo,
    Hi,
    Wide,
}

fn take_half(m: &mut Modifiers) -> Option<Half> {
    m.take_of(&[(".lo", Half::Lo), (".hi", Half::Hi), (".wide", Half::Wide)])
}

impl<'a> Lower<'a> {
    /// `add sub mul mad div min max neg abs`, of any type.
    pub(super) fn arithmetic(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        let float = i.modifiers.iter().any(|m| matches!(*m, ".f32" | ".f64"));
        if float {
            return self.float(i, m);
        }
        if i.modifiers.contains(&".cc") {
            return self.carry(i, m);
        }
        self.int(i, m)
    }

    pub(super) fn int(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        let half = take_half(m);
        let sat = m.take(".sat");
        let shift_amount = m.take(".shiftamt");
        let ty = self.type_of(i, m)?;
        self.no_more(i, m)?;
        let unsupported = || self.unsupported(i);
        let int = int_type(ty).ok_or_else(unsupported)?;
        let unary = match i.opcode.text {
            "neg" => Some(IntUnary::Neg),
            "abs" => Some(IntUnary::Abs),
            "cnot" => Some(IntUnary::Cnot),
            "popc" => Some(IntUnary::Popc),
            "clz" => Some(IntUnary::Clz),
            "brev" => Some(IntUnary::Brev),
            "bfind" if shift_amount => Some(IntUnary::BfindShift),
            "bfind" => Some(IntUnary::Bfind),
            _ => None,
        };
        if sat && (ty != Type::S32 || unary.is_some()) {
            return Err(self.unsupported(i).with_help("`.sat` needs `.s32`"));
        }
        if let Some(f) = unary {
            self.arity(i, 2)?;
            let counts =
                !matches!(f, IntUnary::Neg | IntUnary::Abs | IntUnary::Cnot | IntUnary::Brev);
            let (bits, untyped) = (ty.bits(), matches!(ty, Type::B16 | Type::B32 | Type::B64));
            if matches!(f, IntUnary::Neg | IntUnary::Abs) && !ty.is_signed()
                || (counts || f == IntUnary::Brev) && bits < 32
                || matches!(f, IntUnary::Popc | IntUnary::Clz | IntUnary::Brev) && !untyped
            {
                return Err(self.unsupported(i));
            }
            let d = self.dst(i, 0, if counts { Type::U32 } else { ty })?;
            let a = self.src(i, 1, ty)?;
            return self.emit(Op::Int1 { f, ty: int, d, a });
        }
        let ternary = match (i.opcode.text, half) {
            ("mad", Some(Half::Lo)) => Some(IntTernary::MadLo),
            ("mad", Some(Half::Hi)) if sat => Some(IntTernary::MadHiSat),
            ("mad", Some(Half::Hi)) => Some(IntTernary::MadHi),
            ("mad", Some(Half::Wide)) => Some(IntTernary::MadWide),
            ("sad", None) => Some(IntTernary::Sad),
            _ => None,
        };
        let result = match half {
            Some(Half::Wide) => wide(ty).ok_or_else(unsupported)?,
            _ => ty,
        };
        if let Some(f) = ternary {
            self.arity(i, 4)?;
            let (d, a, b) = (self.dst(i, 0, result)?, self.src(i, 1, ty)?, self.src(i, 2, ty)?);
            let c = self.src(i, 3, result)?;
            return self.emit(Op::Int3 { f, ty: int, d, a, b, c });
        }
        let f = match (i.opcode.text, half) {
            ("add", None) if sat => IntBinary::AddSat,
            ("add", None) => IntBinary::Add,
            ("sub", None) if sat => IntBinary::SubSat,
            ("sub", None) => IntBinary::Sub,
            ("mul", Some(Half::Lo)) => IntBinary::MulLo,
            ("mul", Some(Half::Hi)) => IntBinary::MulHi,
            ("mul", Some(Half::Wide)) => IntBinary::MulWide,
            ("div", None) => IntBinary::Div,
            ("rem", None) => IntBinary::Rem,
            ("min", None) => IntBinary::Min,
            ("max", None) => IntBinary::Max,
            _ => return Err(self.unsupported(i)),
        };
        self.arity(i, 3)?;
        let (d, a, b) = (self.dst(i, 0, result)?, self.src(i, 1, ty)?, self.src(i, 2, ty)?);
        self.emit(Op::Int2 { f, ty: int, d, a, b })
    }

    /// `add.cc addc sub.cc subc mad.cc madc`
    pub(super) fn carry(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        let half = take_half(m);
        let writes = m.take(".cc");
        let reads = i.opcode.text.ends_with('c');
        let ty = self.type_of(i, m)?;
        self.no_more(i, m)?;
        let f = match (i.opcode.text, half) {
            ("add" | "addc", None) => CarryArith::Add,
            ("sub" | "subc", None) => CarryArith::Sub,
            ("mad" | "madc", Some(Half::Lo)) => CarryArith::MadLo,
            ("mad" | "madc", Some(Half::Hi)) => CarryArith::MadHi,
            _ => return Err(self.unsupported(i)),
        };
        let int = int_type(ty).filter(|_| ty.bits() >= 32).ok_or_else(|| self.unsupported(i))?;
        let sources = if matches!(f, CarryArith::Add | CarryArith::Sub) { 2 } else { 3 };
        self.arity(i, sources + 1)?;
        let d = self.dst(i, 0, ty)?;
        let mut abc = [self.src(i, 1, ty)?; 3];
        for n in 1..sources {
            abc[n] = self.src(i, n + 1, ty)?;
        }
        let flag = match self.carry_flag {
            Some(flag) => flag,
            None => self.alloc(Class::Pred),
        };
        self.carry_flag = Some(flag);
        self.emit(Op::Carry { f, ty: int, flag, uses: CarryUse { reads, writes }, d, abc })
    }

    /// `and or xor not shl shr`, predicates included.
    pub(super) fn logic(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        let ty = self.type_of(i, m)?;
        self.no_more(i, m)?;
        if ty == Type::Pred {
            return self.predicate_logic(i);
        }
        let int = int_type(ty).ok_or_else(|| self.unsupported(i))?;
        let f = match i.opcode.text {
            "not" => {
                self.arity(i, 2)?;
                let (d, a) = (self.dst(i, 0, ty)?, self.src(i, 1, ty)?);
                return self.emit(Op::Int1 { f: IntUnary::Not, ty: int, d, a });
            }
            "and" => IntBinary::And,
            "or" => IntBinary::Or,
            "xor" => IntBinary::Xor,
            "shl" => IntBinary::Shl,
            _ => IntBinary::Shr,
        };
        self.arity(i, 3)?;
        let shift = matches!(f, IntBinary::Shl | IntBinary::Shr);
        let (d, a) = (self.dst(i, 0, ty)?, self.src(i, 1, ty)?);
        let b = self.src(i, 2, if shift { Type::U32 } else { ty })?;
        self.emit(Op::Int2 { f, ty: int, d, a, b })
    }

    fn predicate_logic(&mut self, i: &Instruction<'a>) -> Result<()> {
        let f = match i.opcode.text {
            "not" => {
                self.arity(i, 2)?;
                let d = self.dst(i, 0, Type::Pred)?;
                let PredSource { reg, negated } = self.pred_src(i, 1)?;
                return self.emit(Op::PredMov { d, a: PredSource { reg, negated: !negated } });
            }
            "and" => Logic::And,
            "or" => Logic::Or,
            "xor" => Logic::Xor,
            _ => return Err(self.unsupported(i)),
        };
        self.arity(i, 3)?;
        let d = self.dst(i, 0, Type::Pred)?;
        let (a, b) = (self.pred_src(i, 1)?, self.pred_src(i, 2)?);
        self.emit(Op::PredLogic { f, d, a, b })
    }
}
