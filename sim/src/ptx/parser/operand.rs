//! Operands: names, constants, vectors, addresses, texels and call lists.

use super::{Kind, Parser, Result};
use crate::ptx::syntax::{Operand, OperandKind};

impl<'a> Parser<'a> {
    pub(super) fn operand(&mut self) -> Result<Operand<'a>> {
        let first = self.simple_operand()?;
        if !self.accept(b'|') {
            return Ok(first);
        }
        let second = self.simple_operand()?;
        let at = first.at;
        Ok(Operand { kind: OperandKind::Pair(Box::new(first), Box::new(second)), at })
    }

    fn simple_operand(&mut self) -> Result<Operand<'a>> {
        let token = self.peek();
        let at = token.start;
        let kind = match token.kind {
            Kind::Word if self.text(token) == "_" => {
                self.at += 1;
                OperandKind::Sink
            }
            Kind::Word => {
                let name = self.name("an operand")?.text;
                let member = match self.peek_dot() {
                    ".x" | ".r" => Some("x"),
                    ".y" | ".g" => Some("y"),
                    ".z" | ".b" => Some("z"),
                    ".w" | ".a" => Some("w"),
                    _ => None,
                };
                self.at += usize::from(member.is_some());
                let offset = self.offset()?;
                OperandKind::Name { name, member, offset }
            }
            Kind::Punct(b'!') => {
                self.at += 1;
                OperandKind::Not(self.name("a predicate")?.text)
            }
            Kind::Punct(b'{') => OperandKind::Vector(self.operand_list(b'{', b'}')?),
            Kind::Punct(b'(') => OperandKind::List(self.operand_list(b'(', b')')?),
            Kind::Punct(b'[') => self.address()?,
            _ => self.constant()?,
        };
        Ok(Operand { kind, at })
    }

    fn operand_list(&mut self, open: u8, close: u8) -> Result<Vec<Operand<'a>>> {
        self.expect(open)?;
        self.enter()?;
        let mut list = Vec::new();
        while !self.is(close) {
            list.push(self.operand()?);
            if !self.accept(b',') {
                break;
            }
        }
        self.leave();
        self.expect(close)?;
        Ok(list)
    }

    fn constant(&mut self) -> Result<OperandKind<'a>> {
        let negative = self.accept(b'-');
        let kind = match self.peek().kind {
            Kind::Int(value) => {
                let value = value as i64;
                OperandKind::Int(if negative { value.wrapping_neg() } else { value })
            }
            Kind::F32(bits) => OperandKind::F32(bits ^ (u32::from(negative) << 31)),
            Kind::F64(bits) => OperandKind::F64(bits ^ (u64::from(negative) << 63)),
            _ => return Err(self.unexpected("an operand")),
        };
        self.at += 1;
        Ok(kind)
    }

    /// `+4`, `-4`, `+-4` or nothing.
    fn offset(&mut self) -> Result<i64> {
        if self.accept(b'+') || self.is(b'-') {
            return self.signed("an offset");
        }
        Ok(0)
    }

    fn address(&mut self) -> Result<OperandKind<'a>> {
        self.expect(b'[')?;
        if self.peek().kind != Kind::Word {
            let offset = self.signed("an address")?;
            self.expect(b']')?;
            return Ok(OperandKind::Address { base: None, offset });
        }
        let base = self.name("an address")?;
        if self.accept(b',') {
            let mut sampler = None;
            if self.peek().kind == Kind::Word && self.peek_ahead(1).kind == Kind::Punct(b',') {
                sampler = Some(self.name("a sampler")?);
                self.at += 1;
            }
            let coordinates =
                if self.is(b'{') { self.operand_list(b'{', b'}')? } else { vec![self.operand()?] };
            self.expect(b']')?;
            return Ok(OperandKind::Texel { texture: base, sampler, coordinates });
        }
        let offset = self.offset()?;
        self.expect(b']')?;
        Ok(OperandKind::Address { base: Some(base), offset })
    }
}
