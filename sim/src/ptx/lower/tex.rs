//! Texture fetches: 1-D and 2-D, references and handles, unified and independent samplers.

use super::modifiers::Modifiers;
use super::operand::Width;
use super::scope::Symbol;
use super::{Lower, Result};
use crate::ptx::ir::{Address, Class, Load, Op, Tex, TexSource};
use crate::ptx::syntax::{Instruction, Name, OperandKind};
use crate::ptx::types::{Space, Type};

impl<'a> Lower<'a> {
    pub(super) fn tex(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        let dimensions = m.take_of(&[(".1d", 1u8), (".2d", 2)]);
        let vector = m.take(".v4");
        let (ty, coordinate_ty) = (self.type_of(i, m)?, self.type_of(i, m)?);
        self.no_more(i, m)?;
        let types = matches!(ty, Type::U32 | Type::S32 | Type::F32)
            && matches!(coordinate_ty, Type::S32 | Type::F32);
        let (Some(dimensions), true, true) = (dimensions, vector, types) else {
            let help = "tex is supported as .1d or .2d, .v4, 32-bit results and coordinates";
            return Err(self.unsupported(i).with_help(help));
        };
        self.arity(i, 2)?;
        let d =
            self.vector(&i.operands[0], 4, ty, |lower, e| lower.destination(e, ty, Width::Same))?;
        let OperandKind::Texel { texture, sampler, coordinates } = &i.operands[1].kind else {
            return Err(self.bad_operand(&i.operands[1], "expected [texture, {coordinates}]"));
        };
        let texture = self.tex_source(*texture)?;
        let sampler = sampler.map(|s| self.tex_source(s)).transpose()?;
        if coordinates.len() < dimensions as usize {
            let message = format!("expected {dimensions} coordinates");
            return Err(self.bad_operand(&i.operands[1], &message));
        }
        let x = self.source(&coordinates[0], coordinate_ty, Width::Same)?;
        let y = match dimensions {
            1 => x,
            _ => self.source(&coordinates[1], coordinate_ty, Width::Same)?,
        };
        let coordinates = [x, y];
        let tex = Tex { dimensions, d, ty, coordinate_ty, texture, sampler, coordinates };
        self.emit(Op::Tex(Box::new(tex)))
    }

    fn tex_source(&mut self, name: Name<'a>) -> Result<TexSource> {
        match self.find(name.text) {
            Some(Symbol::Reference(at)) => Ok(TexSource::Reference(at)),
            Some(Symbol::Registers { ty, lanes: 1, regs }) if ty.bits() == 64 => {
                Ok(TexSource::Handle(regs[0]))
            }
            Some(Symbol::Memory { space: space @ (Space::Param | Space::Local), address }) => {
                let handle = self.alloc(Class::Long);
                let address = Address { space, base: None, offset: address as i64 };
                self.emit(Op::Ld(Load { ty: Type::U64, count: 1, d: [handle; 4], address }))?;
                Ok(TexSource::Handle(handle))
            }
            _ => {
                let message = format!("`{}` is not a texture or sampler", name.text);
                let error = self.error(name, message);
                Err(error.with_help("use a .texref, a parameter, or a 64-bit register"))
            }
        }
    }
}
