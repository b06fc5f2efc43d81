//! Statements: declarations, labels and scopes, in order.

use super::scope::Symbol;
use super::{Lower, Result, Scope};
use crate::ptx::syntax::{Name, Statement, Variable};
use crate::ptx::types::Space;

/// Local memory of a thread, the limit CUDA has.
const MOST_LOCAL_BYTES: u64 = 512 << 10;

impl<'a> Lower<'a> {
    /// A `{ ... }`: names declared inside end with it, and so does the local memory it took.
    pub(super) fn block(&mut self, statements: &'a [Statement<'a>]) -> Result<()> {
        self.scopes.push(Scope::default());
        let local_top = self.local_top;
        for statement in statements {
            if let Statement::Label(name) = statement {
                self.declare_label(*name)?;
            }
        }
        for statement in statements {
            self.statement(statement)?;
        }
        self.local_top = local_top;
        self.scopes.pop();
        Ok(())
    }

    fn statement(&mut self, statement: &'a Statement<'a>) -> Result<()> {
        match statement {
            Statement::Registers { ty, lanes, names } => self.declare_registers(*ty, *lanes, names),
            Statement::Variable(variable) => self.variable(variable),
            Statement::Label(name) => {
                if let Some(id) = self.find_label(name.text) {
                    self.labels[id as usize] = Some(self.insts.len() as u32);
                }
                Ok(())
            }
            Statement::Block(statements) => self.block(statements),
            Statement::Instruction(instruction) => self.instruction(instruction),
        }
    }

    fn variable(&mut self, variable: &'a Variable<'a>) -> Result<()> {
        let name = variable.name;
        if !variable.init.is_empty() {
            let error = self.error(name, "a variable inside a function cannot be initialised");
            return Err(error.with_help("declare it at module level"));
        }
        let symbol = match variable.space {
            Space::Local => self.alloc_local(name, variable.bytes, variable.align)?,
            Space::Param => self.alloc_frame(name, variable.bytes, variable.align)?,
            Space::Shared => self.place_shared(variable),
            _ => {
                let message = format!("a .{} variable inside a function", variable.space);
                let error = self.error(name, format!("{message} is not supported"));
                return Err(error.with_help("declare it at module level"));
            }
        };
        self.declare_here(name, symbol)
    }

    fn alloc_local(&mut self, name: Name, bytes: u64, align: u32) -> Result<Symbol> {
        let offset = self.local_top.next_multiple_of(align.max(1));
        let top = u64::from(offset) + bytes;
        if top > MOST_LOCAL_BYTES {
            return Err(self.error(name, "a thread's local memory is larger than 512 KiB"));
        }
        self.local_top = top as u32;
        self.local_bytes = self.local_bytes.max(self.local_top);
        Ok(Symbol::Memory { space: Space::Local, address: u64::from(offset) })
    }
}
