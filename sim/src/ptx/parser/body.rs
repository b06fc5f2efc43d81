//! Bodies: register declarations, labels, scopes and instructions.

use super::{Kind, Parser, Result};
use crate::ptx::syntax::{Instruction, Statement};
use crate::ptx::types::{Space, Type};

impl<'a> Parser<'a> {
    /// `{ statements }`
    pub(super) fn block(&mut self) -> Result<Vec<Statement<'a>>> {
        let open = self.peek();
        self.expect(b'{')?;
        self.enter()?;
        let mut statements = Vec::new();
        while !self.accept(b'}') {
            if self.peek().kind == Kind::End {
                return Err(self.error_at(open, "this brace is never closed"));
            }
            self.statement(&mut statements)?;
        }
        self.leave();
        Ok(statements)
    }

    fn statement(&mut self, out: &mut Vec<Statement<'a>>) -> Result<()> {
        match self.peek().kind {
            Kind::Punct(b'{') => out.push(Statement::Block(self.block()?)),
            Kind::Punct(b';') => self.at += 1,
            Kind::Word if self.peek_ahead(1).kind == Kind::Punct(b':') => {
                let name = self.name("a label")?;
                self.at += 1;
                out.push(Statement::Label(name));
            }
            Kind::Word | Kind::Punct(b'@') => {
                out.push(Statement::Instruction(self.instruction()?));
            }
            Kind::Dot if self.peek_dot() == ".reg" => out.push(self.registers()?),
            Kind::Dot if Space::parse(self.peek_dot()).is_some() => {
                out.extend(self.variables(false)?.into_iter().map(Statement::Variable));
            }
            Kind::Dot if self.debug_directive()? => {}
            Kind::Dot => {
                let message = format!("the directive `{}` is not supported", self.peek_dot());
                return Err(self.error_at(self.peek(), message));
            }
            _ => return Err(self.unexpected("a statement")),
        }
        Ok(())
    }

    fn registers(&mut self) -> Result<Statement<'a>> {
        self.at += 1;
        let lanes = match self.peek_dot() {
            ".v2" => 2,
            ".v4" => 4,
            _ => 1,
        };
        self.at += usize::from(lanes > 1);
        let Some(ty) = Type::parse(self.peek_dot()) else {
            return Err(self.unexpected("a register type"));
        };
        self.at += 1;
        let mut names = Vec::new();
        loop {
            let name = self.name("a register name")?;
            let mut count = None;
            if self.accept(b'<') {
                let token = self.peek();
                let value = self.unsigned("a number of registers")?;
                if value > 1 << 20 {
                    return Err(self.error_at(token, "more than a million registers"));
                }
                count = Some(value as u32);
                self.expect(b'>')?;
            }
            names.push((name, count));
            if !self.accept(b',') {
                break;
            }
        }
        self.expect(b';')?;
        Ok(Statement::Registers { ty, lanes, names })
    }

    fn instruction(&mut self) -> Result<Instruction<'a>> {
        let mut guard = None;
        if self.accept(b'@') {
            let negated = self.accept(b'!');
            guard = Some((self.name("a predicate")?, negated));
        }
        let opcode = self.name("an opcode")?;
        let mut modifiers = Vec::new();
        while self.peek().kind == Kind::Dot {
            modifiers.push(self.peek_dot());
            self.at += 1;
        }
        let mut operands = Vec::new();
        if !self.is(b';') {
            loop {
                operands.push(self.operand()?);
                if !self.accept(b',') {
                    break;
                }
            }
        }
        let end = self.peek().start;
        self.expect(b';')?;
        Ok(Instruction { guard, opcode, modifiers, operands, end })
    }
}
