//! Calls, by inlining the body of the callee; recursion is an error.

use super::modifiers::Modifiers;
use super::operand::Width;
use super::scope::{class_of, Symbol};
use super::{Lower, Result, Return, Scope};
use crate::ptx::ir::{Address, Load, Op, PredSource, Reg, Store};
use crate::ptx::syntax::{Function, Instruction, Operand, OperandKind, Parameter, ParameterKind};
use crate::ptx::types::Space;

/// A result to copy out when the callee is done.
enum CopyBack<'o, 'a> {
    /// From a register of the callee.
    Register(Reg, &'o Operand<'a>, &'a Parameter<'a>),
    /// From the memory of a formal return value.
    Memory(u64, &'o Operand<'a>, &'a Parameter<'a>),
}

impl<'a> Lower<'a> {
    pub(super) fn call(&mut self, i: &Instruction<'a>, m: &mut Modifiers<'a>) -> Result<()> {
        m.take(".uni");
        self.no_more(i, m)?;
        let (returns, rest) = match i.operands.split_first() {
            Some((Operand { kind: OperandKind::List(list), .. }, rest)) => (list.as_slice(), rest),
            _ => (&[][..], i.operands.as_slice()),
        };
        let function = self.callee(i, rest.first())?;
        let arguments = match rest.get(1).map(|o| &o.kind) {
            Some(OperandKind::List(list)) => list.as_slice(),
            _ => &[],
        };
        let counts = [
            (returns, &function.returns, "return values"),
            (arguments, &function.parameters, "arguments"),
        ];
        for (given, formal, what) in counts {
            if given.len() != formal.len() {
                let name = function.name.text;
                let wanted = formal.len();
                let message = format!("`{name}` has {wanted} {what}, the call {}", given.len());
                return Err(self.error_at(i.opcode.at, (i.end - i.opcode.at) as usize, message));
            }
        }
        let skip = self.guard.take().map(|guard| (guard, self.new_label()));
        if let Some((PredSource { reg, negated }, label)) = skip {
            self.guard = Some(PredSource { reg, negated: !negated });
            self.jump(label)?;
            self.guard = None;
        }
        self.inline(function, returns, arguments)?;
        if let Some((_, label)) = skip {
            self.labels[label as usize] = Some(self.insts.len() as u32);
        }
        Ok(())
    }

    fn callee(
        &mut self,
        i: &Instruction<'a>,
        operand: Option<&Operand<'a>>,
    ) -> Result<&'a Function<'a>> {
        let Some(Operand { kind: OperandKind::Name { name, member: None, offset: 0 }, at }) =
            operand
        else {
            return Err(self.unsupported(i));
        };
        let fail = |lower: &Self, message: String, help: &str| {
            Err(lower.error_at(*at, name.len(), message).with_help(help))
        };
        let Some(&function) = self.context.functions.get(name) else {
            if matches!(self.find(name), Some(Symbol::Registers { .. })) {
                let help = "only calls of named functions can be inlined";
                return fail(self, "indirect calls are not supported".into(), help);
            }
            return fail(self, format!("there is no function `{name}`"), "define it in this file");
        };
        if function.body.is_none() {
            let message = format!("`{name}` is declared but has no body");
            return fail(
                self,
                message,
                "link it into this file; printf and malloc do not exist here",
            );
        }
        if self.calls.contains(name) {
            let mut path = self.calls.clone();
            path.push(name);
            let message = format!("recursion is not supported: {}", path.join(" calls "));
            return fail(self, message, "rewrite the function as a loop");
        }
        Ok(function)
    }

    fn inline(
        &mut self,
        function: &'a Function<'a>,
        returns: &[Operand<'a>],
        arguments: &[Operand<'a>],
    ) -> Result<()> {
        let local_top = self.local_top;
        let mut scope = Scope::default();
        for (formal, actual) in function.parameters.iter().zip(arguments) {
            let symbol = self.bind_argument(formal, actual)?;
            self.declare(&mut scope, formal.name, symbol)?;
        }
        let mut copies = Vec::new();
        for (formal, actual) in function.returns.iter().zip(returns) {
            let symbol = self.bind_return(formal, actual, &mut copies)?;
            self.declare(&mut scope, formal.name, symbol)?;
        }
        let end = self.new_label();
        let outer_scopes = std::mem::replace(&mut self.scopes, vec![scope]);
        let outer_returns = std::mem::replace(&mut self.returns, Return::Label(end));
        let line = self.line;
        self.calls.push(function.name.text);
        if let Some(body) = &function.body {
            self.block(body)?;
        }
        self.calls.pop();
        self.line = line;
        self.guard = None;
        self.returns = outer_returns;
        self.scopes = outer_scopes;
        self.labels[end as usize] = Some(self.insts.len() as u32);
        for copy in copies {
            self.copy_back(copy)?;
        }
        self.local_top = local_top;
        Ok(())
    }

    /// The memory an argument names, when it names memory.
    fn named_memory(&mut self, operand: &Operand<'a>) -> Option<Symbol> {
        match operand.kind {
            OperandKind::Name { name, member: None, offset: 0 } => match self.find(name) {
                Some(symbol @ Symbol::Memory { space: Space::Local | Space::Param, .. }) => {
                    Some(symbol)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn bind_argument(&mut self, formal: &'a Parameter<'a>, actual: &Operand<'a>) -> Result<Symbol> {
        let memory = self.named_memory(actual);
        match (formal.kind, memory) {
            (ParameterKind::Register, Some(Symbol::Memory { space, address })) => {
                let regs = self.alloc_lanes(formal.ty, 1);
                let address = Address { space, base: None, offset: address as i64 };
                self.emit(Op::Ld(Load { ty: formal.ty, count: 1, d: regs, address }))?;
                Ok(Symbol::Registers { ty: formal.ty, lanes: 1, regs })
            }
            (ParameterKind::Register, _) => {
                let a = self.source(actual, formal.ty, Width::Same)?;
                let regs = self.alloc_lanes(formal.ty, 1);
                self.copy(regs[0], a)?;
                Ok(Symbol::Registers { ty: formal.ty, lanes: 1, regs })
            }
            (_, Some(memory)) => Ok(memory),
            (_, None) => {
                let a = self.source(actual, formal.ty, Width::Same)?;
                let symbol = self.alloc_frame(formal.name, formal.bytes, formal.align)?;
                if let Symbol::Memory { space, address } = symbol {
                    let address = Address { space, base: None, offset: address as i64 };
                    self.emit(Op::St(Store { ty: formal.ty, count: 1, a: [a; 4], address }))?;
                }
                Ok(symbol)
            }
        }
    }

    fn bind_return<'o>(
        &mut self,
        formal: &'a Parameter<'a>,
        actual: &'o Operand<'a>,
        copies: &mut Vec<CopyBack<'o, 'a>>,
    ) -> Result<Symbol> {
        if formal.kind == ParameterKind::Register {
            let regs = self.alloc_lanes(formal.ty, 1);
            copies.push(CopyBack::Register(regs[0], actual, formal));
            return Ok(Symbol::Registers { ty: formal.ty, lanes: 1, regs });
        }
        if let Some(memory) = self.named_memory(actual) {
            return Ok(memory);
        }
        let symbol = self.alloc_frame(formal.name, formal.bytes, formal.align)?;
        if let Symbol::Memory { address, .. } = symbol {
            copies.push(CopyBack::Memory(address, actual, formal));
        }
        Ok(symbol)
    }

    fn copy_back(&mut self, copy: CopyBack<'_, 'a>) -> Result<()> {
        match copy {
            CopyBack::Register(from, actual, formal) => {
                if let Some(Symbol::Memory { space, address }) = self.named_memory(actual) {
                    let address = Address { space, base: None, offset: address as i64 };
                    let store = Store { ty: formal.ty, count: 1, a: [from; 4], address };
                    return self.emit(Op::St(store));
                }
                let d = self.destination(actual, formal.ty, Width::Same)?;
                self.copy(d, from)
            }
            CopyBack::Memory(address, actual, formal) => {
                let d = self.destination(actual, formal.ty, Width::AtLeast)?;
                let address = Address { space: Space::Local, base: None, offset: address as i64 };
                self.emit(Op::Ld(Load { ty: formal.ty, count: 1, d: [d; 4], address }))
            }
        }
    }

    fn copy(&mut self, d: Reg, a: Reg) -> Result<()> {
        debug_assert_eq!(d.class(), a.class());
        if d.class() == class_of(crate::ptx::types::Type::Pred) {
            return self.emit(Op::PredMov { d, a: PredSource { reg: a, negated: false } });
        }
        self.emit(Op::Mov { d, a })
    }
}
