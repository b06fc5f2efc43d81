//! Operands: registers checked for width, immediates turned into rows, addresses resolved.

use super::frame::FRAME;
use super::scope::{class_of, Symbol};
use super::{Lower, Result};
use crate::ptx::ir::{Address, Class, PredSource, Reg};
use crate::ptx::layout::window;
use crate::ptx::source::PtxError;
use crate::ptx::syntax::{Instruction, Name, Operand, OperandKind};
use crate::ptx::types::{Space, Type};

/// How wide a register may be compared with the type of the instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    /// Exactly as wide.
    Same,
    /// As wide or wider, as `ld`, `st` and `cvt` allow.
    AtLeast,
}

impl<'a> Lower<'a> {
    /// Checks the number of operands.
    pub(super) fn arity(&self, i: &Instruction<'a>, wanted: usize) -> Result<()> {
        if i.operands.len() == wanted {
            return Ok(());
        }
        let mnemonic = i.mnemonic();
        let found = i.operands.len();
        let message = format!("`{mnemonic}` takes {wanted} operands, found {found}");
        Err(self.error_at(i.opcode.at, (i.end - i.opcode.at) as usize, message))
    }

    pub(super) fn bad_operand(&self, operand: &Operand, message: &str) -> Box<PtxError> {
        self.error_at(operand.at, 1, message)
    }

    fn unknown(&self, at: u32, name: &str) -> Box<PtxError> {
        let error = self.error_at(at, name.len(), format!("`{name}` is not declared"));
        if name.starts_with('%') {
            return error;
        }
        error.with_help("declare it here, or define it in this file if it is `.extern`")
    }

    fn check_width(&self, at: u32, name: &str, have: Type, want: Type, width: Width) -> Result<()> {
        let fits = match width {
            Width::Same => have.bits() == want.bits(),
            Width::AtLeast => have != Type::Pred && have.bits() >= want.bits(),
        };
        if fits && (have == Type::Pred) == (want == Type::Pred) {
            return Ok(());
        }
        let message = format!("`{name}` is {have}, but {want} is needed here");
        Err(self.error_at(at, name.len(), message))
    }

    fn register(
        &mut self,
        at: u32,
        name: &str,
        member: Option<&str>,
        ty: Type,
        width: Width,
    ) -> Result<Option<Reg>> {
        let Some(Symbol::Registers { ty: have, lanes, regs }) = self.find(name) else {
            return Ok(None);
        };
        let lane = match member {
            None => 0,
            Some(member) => "xyzw".find(member).unwrap_or(0),
        };
        if (lanes > 1) != member.is_some() || lane as u32 >= lanes {
            let message = format!("`{name}` has {lanes} elements; name one of them");
            return Err(self.error_at(at, name.len(), message));
        }
        self.check_width(at, name, have, ty, width)?;
        Ok(Some(regs[lane]))
    }

    /// Operand `n` as a source of exactly this type.
    pub(super) fn src(&mut self, i: &Instruction<'a>, n: usize, ty: Type) -> Result<Reg> {
        self.source(&i.operands[n], ty, Width::Same)
    }

    /// An operand as a source.
    pub(super) fn source(&mut self, operand: &Operand<'a>, ty: Type, width: Width) -> Result<Reg> {
        let at = operand.at;
        let bits = match operand.kind {
            OperandKind::Name { name, member, offset: 0 } => {
                if let Some(reg) = self.register(at, name, member, ty, width)? {
                    return Ok(reg);
                }
                if let Some(reg) = self.special(name, member) {
                    if class_of(ty) != Class::Word {
                        return Err(self.bad_operand(operand, "special registers have 32 bits"));
                    }
                    return Ok(reg);
                }
                if name == "WARP_SZ" {
                    32
                } else {
                    return self.symbol_address(at, name, 0, ty);
                }
            }
            OperandKind::Name { name, offset, .. } => {
                return self.symbol_address(at, name, offset, ty)
            }
            OperandKind::Int(value) if ty == Type::Pred => u64::from(value != 0),
            OperandKind::Int(value) if !ty.is_float() => value as u64,
            OperandKind::F32(bits) if ty == Type::F64 => f64::from(f32::from_bits(bits)).to_bits(),
            OperandKind::F32(bits) if matches!(ty, Type::F32 | Type::B32 | Type::U32) => {
                u64::from(bits)
            }
            OperandKind::F64(bits) if ty == Type::F32 => {
                u64::from((f64::from_bits(bits) as f32).to_bits())
            }
            OperandKind::F64(bits) if ty.bits() == 64 => bits,
            OperandKind::Int(_) => {
                let error = self.bad_operand(operand, "an integer where a float is needed");
                return Err(error.with_help("write it as 0f........, 0d................ or 1.0"));
            }
            _ => return Err(self.bad_operand(operand, &format!("expected a {ty} operand"))),
        };
        Ok(self.constant(class_of(ty), bits))
    }

    /// The address of a variable as an immediate.
    fn symbol_address(&mut self, at: u32, name: &str, offset: i64, ty: Type) -> Result<Reg> {
        let class = class_of(ty);
        match self.find(name) {
            Some(Symbol::Memory { address, .. }) if address >= FRAME && class != Class::Pred => {
                Ok(self.frame_address(class, (address - FRAME).wrapping_add_signed(offset)))
            }
            Some(Symbol::Memory { space, address }) if class != Class::Pred => {
                // The address of a parameter is generic: it may be a kernel's or a call's.
                let base = if space == Space::Param { window(space) } else { 0 };
                Ok(self.constant(class, (base + address).wrapping_add_signed(offset)))
            }
            Some(Symbol::DynamicShared) if class != Class::Pred => {
                Ok(self.dynamic_shared(class, offset))
            }
            Some(_) => {
                let message = format!("`{name}` cannot be an operand here");
                Err(self.error_at(at, name.len(), message))
            }
            None if self.context.functions.contains_key(name) => {
                let message = format!("the address of the function `{name}` is not supported");
                Err(self.error_at(at, name.len(), message))
            }
            None => Err(self.unknown(at, name)),
        }
    }

    /// An immediate whose value is known once all static shared memory is placed.
    fn dynamic_shared(&mut self, class: Class, offset: i64) -> Reg {
        if let Some(&row) = self.dynamic_rows.get(&(class, offset)) {
            return row;
        }
        let row = self.push_constant(class, 0);
        self.dynamic_rows.insert((class, offset), row);
        row
    }

    /// The row of an immediate.
    pub(super) fn constant(&mut self, class: Class, bits: u64) -> Reg {
        let bits = if class == Class::Word { u64::from(bits as u32) } else { bits };
        if let Some(&reg) = self.constant_rows.get(&(class, bits)) {
            return reg;
        }
        let reg = self.push_constant(class, bits);
        self.constant_rows.insert((class, bits), reg);
        reg
    }

    pub(super) fn push_constant(&mut self, class: Class, bits: u64) -> Reg {
        let constants = &mut self.constants;
        let row = match class {
            Class::Word => {
                constants.words.push([bits as u32; 32]);
                constants.words.len()
            }
            Class::Long => {
                constants.longs.push([bits; 32]);
                constants.longs.len()
            }
            Class::Pred => {
                constants.preds.push(if bits != 0 { u32::MAX } else { 0 });
                constants.preds.len()
            }
        };
        Reg::constant(class, row as u32 - 1)
    }

    /// Operand `n` as a destination of exactly this type.
    pub(super) fn dst(&mut self, i: &Instruction<'a>, n: usize, ty: Type) -> Result<Reg> {
        self.destination(&i.operands[n], ty, Width::Same)
    }

    /// An operand as a destination; `_` gets a register nobody reads.
    pub(super) fn destination(
        &mut self,
        operand: &Operand<'a>,
        ty: Type,
        width: Width,
    ) -> Result<Reg> {
        match operand.kind {
            OperandKind::Sink => Ok(self.alloc(class_of(ty))),
            OperandKind::Name { name, member, offset: 0 } => {
                match self.register(operand.at, name, member, ty, width)? {
                    Some(reg) => Ok(reg),
                    None if self.find(name).is_none() => Err(self.unknown(operand.at, name)),
                    None => Err(self.bad_operand(operand, "expected a register")),
                }
            }
            _ => Err(self.bad_operand(operand, "expected a register to write")),
        }
    }

    /// The predicate register of this name.
    pub(super) fn predicate(&mut self, name: Name<'a>) -> Result<Reg> {
        match self.register(name.at, name.text, None, Type::Pred, Width::Same)? {
            Some(reg) => Ok(reg),
            None => Err(self.unknown(name.at, name.text)),
        }
    }

    /// Operand `n` as a predicate source, possibly negated or constant.
    pub(super) fn pred_src(&mut self, i: &Instruction<'a>, n: usize) -> Result<PredSource> {
        let operand = &i.operands[n];
        if let OperandKind::Not(name) = operand.kind {
            let reg = self.predicate(Name { text: name, at: operand.at })?;
            return Ok(PredSource { reg, negated: true });
        }
        Ok(PredSource { reg: self.source(operand, Type::Pred, Width::Same)?, negated: false })
    }

    /// `d` or `d|p`: the destination and, with a pair, the second one.
    pub(super) fn pair<'o>(
        &self,
        operand: &'o Operand<'a>,
    ) -> (&'o Operand<'a>, Option<&'o Operand<'a>>) {
        match &operand.kind {
            OperandKind::Pair(first, second) => (first, Some(second)),
            _ => (operand, None),
        }
    }

    /// The operands of `{a, b}` or of a vector register, `count` of them, through `f`.
    pub(super) fn vector(
        &mut self,
        operand: &Operand<'a>,
        count: usize,
        ty: Type,
        mut f: impl FnMut(&mut Self, &Operand<'a>) -> Result<Reg>,
    ) -> Result<[Reg; 4]> {
        if let OperandKind::Name { name, member: None, offset: 0 } = operand.kind {
            if let Some(Symbol::Registers { ty: have, lanes, regs }) = self.find(name) {
                if lanes as usize == count && count > 1 {
                    self.check_width(operand.at, name, have, ty, Width::AtLeast)?;
                    return Ok(regs);
                }
            }
        }
        let elements = match &operand.kind {
            OperandKind::Vector(elements) => elements.as_slice(),
            _ => std::slice::from_ref(operand),
        };
        if elements.len() != count {
            let message = format!("expected {count} elements, found {}", elements.len());
            return Err(self.bad_operand(operand, &message));
        }
        let first = f(self, &elements[0])?;
        let mut regs = [first; 4];
        for (reg, element) in regs.iter_mut().zip(elements).skip(1) {
            *reg = f(self, element)?;
        }
        Ok(regs)
    }

    /// Operand `n` as an address in `space`.
    pub(super) fn address(
        &mut self,
        i: &Instruction<'a>,
        n: usize,
        space: Space,
    ) -> Result<Address> {
        let operand = &i.operands[n];
        let OperandKind::Address { base, offset } = operand.kind else {
            return Err(self.bad_operand(operand, "expected an address in brackets"));
        };
        let Some(base) = base else {
            return Ok(Address { space, base: None, offset });
        };
        match self.find(base.text) {
            Some(Symbol::Registers { ty, lanes: 1, regs })
                if matches!(class_of(ty), Class::Word | Class::Long) && ty.bits() >= 32 =>
            {
                // Parameter addresses in registers are generic; see `symbol_address`.
                let space = if space == Space::Param { Space::Generic } else { space };
                Ok(Address { space, base: Some(regs[0]), offset })
            }
            Some(Symbol::Memory { space: own, address }) => {
                let named_by_call = space == Space::Param && own == Space::Local;
                if space != own && space != Space::Generic && !named_by_call {
                    let message = format!("`{}` is in {own} memory, not {space}", base.text);
                    return Err(self.error(base, message));
                }
                let offset = (address as i64).wrapping_add(offset);
                Ok(Address { space: own, base: None, offset })
            }
            Some(Symbol::DynamicShared) if matches!(space, Space::Shared | Space::Generic) => {
                let base = Some(self.dynamic_shared(Class::Long, 0));
                Ok(Address { space: Space::Shared, base, offset })
            }
            Some(_) => Err(self.error(base, format!("`{}` is not an address", base.text))),
            None => Err(self.unknown(base.at, base.text)),
        }
    }
}
