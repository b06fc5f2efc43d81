//! Variables in memory: alignment, vectors, array bounds and initial values.

use super::{Kind, Parser, Result};
use crate::ptx::syntax::{Init, Name, Variable};
use crate::ptx::types::{Space, Type};

/// The largest variable accepted, so that a hostile bound cannot ask for all memory.
const LARGEST_VARIABLE: u64 = 1 << 30;

impl<'a> Parser<'a> {
    /// `.space .align N .v4 .type a[4] = {..}, b;`
    pub(super) fn variables(&mut self, external: bool) -> Result<Vec<Variable<'a>>> {
        let space = match Space::parse(self.peek_dot()) {
            Some(space) => space,
            None => return Err(self.unexpected("a state space")),
        };
        self.at += 1;
        let (mut ty, mut align, mut lanes) = (None, None, 1);
        loop {
            match self.peek_dot() {
                ".align" => {
                    self.at += 1;
                    align = Some(self.alignment()?);
                    continue;
                }
                ".v2" => lanes = 2,
                ".v4" => lanes = 4,
                ".attribute" => {
                    self.at += 1;
                    self.expect(b'(')?;
                    while !self.accept(b')') {
                        if self.next().kind == Kind::End {
                            return Err(self.unexpected("`)`"));
                        }
                    }
                    continue;
                }
                dot => match Type::parse(dot) {
                    Some(found) if found != Type::Pred => ty = Some(found),
                    _ => break,
                },
            }
            self.at += 1;
        }
        let ty: Type = ty.ok_or_else(|| self.unexpected("a type"))?;
        let element = u64::from(ty.bytes()) * lanes;
        let mut variables = Vec::new();
        loop {
            let name = self.name("the name of the variable")?;
            let dimensions = self.dimensions()?;
            let mut init = Vec::new();
            if self.accept(b'=') {
                self.initializer(ty, &mut init)?;
            }
            let given = (init.len() as u64).div_ceil(lanes);
            let elements = match dimensions {
                None => 1,
                Some(0) => given,
                Some(count) => count,
            };
            if given > elements {
                let message = format!("`{}` has more initial values than elements", name.text);
                return Err(self.error_at(self.tokens[self.at - 1], message));
            }
            variables.push(Variable {
                name,
                space,
                ty,
                bytes: self.checked_bytes(name, elements, element)?,
                align: align.unwrap_or(element as u32),
                init,
                external,
            });
            if !self.accept(b',') {
                break;
            }
        }
        self.expect(b';')?;
        Ok(variables)
    }

    pub(super) fn alignment(&mut self) -> Result<u32> {
        let token = self.peek();
        let value = self.unsigned("an alignment")?;
        if value.is_power_of_two() && value <= 4096 {
            return Ok(value as u32);
        }
        Err(self.error_at(token, "an alignment is a power of two up to 4096"))
    }

    /// `[2][3]`: the product, 0 when a bound is left open, `None` without brackets.
    pub(super) fn dimensions(&mut self) -> Result<Option<u64>> {
        let mut product = None;
        while self.accept(b'[') {
            let bound = if self.is(b']') { 0 } else { self.unsigned("a bound")? };
            self.expect(b']')?;
            product = Some(product.unwrap_or(1u64).saturating_mul(bound));
        }
        Ok(product)
    }

    pub(super) fn checked_bytes(&self, name: Name, elements: u64, element: u64) -> Result<u64> {
        let bytes = elements.saturating_mul(element);
        if bytes <= LARGEST_VARIABLE {
            return Ok(bytes);
        }
        let message = format!("`{}` is larger than {LARGEST_VARIABLE} bytes", name.text);
        Err(Box::new(self.source.error(name.at as usize, name.text.len(), message)))
    }

    fn initializer(&mut self, ty: Type, out: &mut Vec<Init<'a>>) -> Result<()> {
        if !self.accept(b'{') {
            out.push(self.initial_value(ty)?);
            return Ok(());
        }
        self.enter()?;
        while !self.is(b'}') {
            self.initializer(ty, out)?;
            if !self.accept(b',') {
                break;
            }
        }
        self.leave();
        self.expect(b'}')
    }

    fn initial_value(&mut self, ty: Type) -> Result<Init<'a>> {
        let token = self.peek();
        if token.kind == Kind::Word {
            return self.initial_address(None);
        }
        if let (Kind::Int(mask), Kind::Punct(b'(')) = (token.kind, self.peek_ahead(1).kind) {
            self.at += 2;
            let value = self.initial_address(Some(mask))?;
            self.expect(b')')?;
            return Ok(value);
        }
        let negative = self.accept(b'-');
        let sign = if negative { -1.0 } else { 1.0 };
        let bits = match (self.next().kind, ty) {
            (Kind::F32(bits), Type::F32 | Type::B32) => {
                u64::from(bits ^ if negative { 1 << 31 } else { 0 })
            }
            (Kind::F32(bits), Type::F64) => (sign * f64::from(f32::from_bits(bits))).to_bits(),
            (Kind::F64(bits), Type::F32) => {
                u64::from(((sign * f64::from_bits(bits)) as f32).to_bits())
            }
            (Kind::F64(bits), Type::F64 | Type::B64) => (sign * f64::from_bits(bits)).to_bits(),
            (Kind::Int(value), Type::F32) => u64::from(((sign * value as f64) as f32).to_bits()),
            (Kind::Int(value), Type::F64) => (sign * value as f64).to_bits(),
            (Kind::Int(value), _) => {
                if negative {
                    value.wrapping_neg()
                } else {
                    value
                }
            }
            _ => {
                self.at -= 1;
                return Err(self.unexpected(&format!("an initial value of type {ty}")));
            }
        };
        Ok(Init::Bits(bits))
    }

    /// `symbol+4`, `generic(symbol)+4`
    fn initial_address(&mut self, mask: Option<u64>) -> Result<Init<'a>> {
        let mut symbol = self.name("a variable")?;
        let generic = symbol.text == "generic" && self.accept(b'(');
        if generic {
            symbol = self.name("a variable")?;
        }
        let mut offset = 0;
        if self.is(b'+') || self.is(b'-') {
            self.accept(b'+');
            offset = self.signed("an offset")?;
        }
        if generic {
            self.expect(b')')?;
            if self.is(b'+') || self.is(b'-') {
                self.accept(b'+');
                offset = self.signed("an offset")?;
            }
        }
        Ok(Init::Address { symbol, offset, generic, mask })
    }
}
