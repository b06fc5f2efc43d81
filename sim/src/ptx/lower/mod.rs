//! Turns syntax into kernels: names become registers and addresses, calls are inlined, every opcode,
//! type and modifier is checked.

mod bits;
mod body;
mod call;
mod compare;
mod control;
mod convert;
mod float;
mod frame;
mod int;
mod memory;
mod modifiers;
mod operand;
mod scope;
mod tex;
mod warp;

use std::collections::HashMap;

use super::cfg;
use super::ir::{
    Class, Constants, Inst, Kernel, KernelParam, Op, PredSource, Reg, RegCounts, Special,
};
use super::layout::{Image, WINDOW_BYTES};
use super::source::{PtxError, Source};
use super::syntax::{File, Function, Instruction, Name, ParameterKind, Variable};
use super::types::Space;
use frame::Frame;
use modifiers::Modifiers;
use scope::{Scope, Symbol};

type Result<T> = std::result::Result<T, Box<PtxError>>;

/// More instructions than any compiler emits for one kernel; bounds exponential inlining.
const MOST_INSTRUCTIONS: usize = 1 << 21;

/// Lowers every kernel of a file.
pub fn lower(source: &Source, file: &File<'_>, image: &Image) -> Result<Vec<Kernel>> {
    let mut functions: HashMap<&str, &Function> = HashMap::new();
    for function in &file.functions {
        let known = functions.entry(function.name.text).or_insert(function);
        if function.body.is_some() && !std::ptr::eq(*known, function) {
            if known.body.is_some() {
                let message = format!("`{}` is defined twice", function.name.text);
                let at = function.name.at as usize;
                return Err(Box::new(source.error(at, function.name.text.len(), message)));
            }
            *known = function;
        }
    }
    let starts: Vec<u32> = std::iter::once(0)
        .chain(source.text().bytes().enumerate().filter(|b| b.1 == b'\n').map(|b| b.0 as u32 + 1))
        .collect();
    let shared: HashMap<&str, &Variable> = file
        .variables
        .iter()
        .filter(|v| v.space == Space::Shared)
        .map(|v| (v.name.text, v))
        .collect();
    let context = Context { source, file, image, functions: &functions, shared: &shared, starts };
    let entries = file.functions.iter().filter(|f| f.entry && f.body.is_some());
    entries.map(|function| Lower::new(&context).kernel(function)).collect()
}

/// What every kernel of the file shares.
struct Context<'a> {
    source: &'a Source,
    file: &'a File<'a>,
    image: &'a Image,
    functions: &'a HashMap<&'a str, &'a Function<'a>>,
    shared: &'a HashMap<&'a str, &'a Variable<'a>>,
    /// Byte offset of each line.
    starts: Vec<u32>,
}

/// Where `ret` goes.
#[derive(Clone, Copy)]
enum Return {
    /// Out of the kernel.
    Exit,
    /// Behind an inlined call.
    Label(u32),
}

/// One kernel being lowered.
struct Lower<'a> {
    context: &'a Context<'a>,
    scopes: Vec<Scope<'a>>,
    insts: Vec<Inst>,
    regs: RegCounts,
    constants: Constants,
    constant_rows: HashMap<(Class, u64), Reg>,
    specials: Vec<(Special, Reg)>,
    /// Program counter of each label, once known. Branches hold label numbers until the end.
    labels: Vec<Option<u32>>,
    /// Names of the functions being inlined, outermost first.
    calls: Vec<&'a str>,
    returns: Return,
    guard: Option<PredSource>,
    line: u32,
    carry_flag: Option<Reg>,
    shared_offsets: HashMap<&'a str, u32>,
    shared_bytes: u32,
    /// Immediates that hold an offset from the start of dynamic shared memory.
    dynamic_rows: HashMap<(Class, i64), Reg>,
    dynamic_align: u32,
    local_top: u32,
    local_bytes: u32,
    frame: Frame,
}

impl<'a> Lower<'a> {
    fn new(context: &'a Context<'a>) -> Self {
        Lower {
            context,
            scopes: Vec::new(),
            insts: Vec::new(),
            regs: RegCounts::default(),
            constants: Constants::default(),
            constant_rows: HashMap::new(),
            specials: Vec::new(),
            labels: Vec::new(),
            calls: Vec::new(),
            returns: Return::Exit,
            guard: None,
            line: 0,
            carry_flag: None,
            shared_offsets: HashMap::new(),
            shared_bytes: 0,
            dynamic_rows: HashMap::new(),
            dynamic_align: 16,
            local_top: 0,
            local_bytes: 0,
            frame: Frame::default(),
        }
    }

    fn kernel(mut self, function: &'a Function<'a>) -> Result<Kernel> {
        let mut params = Vec::new();
        let mut scope = Scope::default();
        let mut top = 0u32;
        for parameter in &function.parameters {
            let reference = match parameter.kind {
                ParameterKind::Reference(kind) => Some(kind),
                ParameterKind::Memory => None,
                ParameterKind::Register => {
                    return Err(self.error(parameter.name, "a kernel parameter must be .param"))
                }
            };
            let offset = top.next_multiple_of(parameter.align);
            top = offset + parameter.bytes as u32;
            if top > 1 << 20 {
                return Err(self.error(parameter.name, "the parameters are larger than 1 MiB"));
            }
            let symbol = Symbol::Memory { space: Space::Param, address: u64::from(offset) };
            self.declare(&mut scope, parameter.name, symbol)?;
            params.push(KernelParam {
                name: parameter.name.text.to_string(),
                offset,
                bytes: parameter.bytes as u32,
                reference,
            });
        }
        self.scopes.push(scope);
        self.calls.push(function.name.text);
        if let Some(body) = &function.body {
            self.block(body)?;
        }
        let ends = self.insts.last().is_none_or(|i| {
            i.guard.is_some() || !matches!(i.op, Op::Exit | Op::Bra { .. } | Op::Trap)
        });
        let labelled = self.labels.contains(&Some(self.insts.len() as u32));
        if ends || labelled {
            self.guard = None;
            self.emit(Op::Exit)?;
        }
        if u64::from(self.shared_bytes) > WINDOW_BYTES - 4096 {
            return Err(self.error(function.name, "its shared memory is larger than 16 MiB"));
        }
        let dynamic_shared_base = self.shared_bytes.next_multiple_of(self.dynamic_align);
        self.place_frame();
        self.patch(dynamic_shared_base);
        cfg::reconverge(&mut self.insts);
        Ok(Kernel {
            name: function.name.text.to_string(),
            params,
            param_bytes: top,
            insts: self.insts,
            regs: self.regs,
            constants: self.constants,
            specials: self.specials,
            shared_bytes: self.shared_bytes,
            dynamic_shared_base,
            local_bytes: self.local_bytes,
            max_threads: function.max_threads,
        })
    }

    /// Replaces label numbers by program counters and fills in what is known only at the end.
    fn patch(&mut self, dynamic_shared_base: u32) {
        let labels = &self.labels;
        for inst in &mut self.insts {
            if let Op::Bra { target, .. } = &mut inst.op {
                // Every label was found in a scope, so its block was lowered and it is placed.
                *target = labels[*target as usize].unwrap_or(0);
            }
        }
        for (&(class, offset), row) in &self.dynamic_rows {
            let address = u64::from(dynamic_shared_base).wrapping_add_signed(offset);
            match class {
                Class::Word => self.constants.words[row.index()] = [address as u32; 32],
                _ => self.constants.longs[row.index()] = [address; 32],
            }
        }
    }

    fn error(&self, name: Name, message: impl Into<String>) -> Box<PtxError> {
        self.error_at(name.at, name.text.len(), message)
    }

    fn error_at(&self, at: u32, len: usize, message: impl Into<String>) -> Box<PtxError> {
        Box::new(self.context.source.error(at as usize, len, message))
    }

    fn emit(&mut self, op: Op) -> Result<()> {
        self.insts.push(Inst { guard: self.guard, op, line: self.line });
        if self.insts.len() <= MOST_INSTRUCTIONS {
            return Ok(());
        }
        let at = self.context.starts[self.line as usize - 1];
        let error = self.error_at(at, 1, "the kernel is too large once its calls are inlined");
        Err(error.with_help(format!("the limit is {MOST_INSTRUCTIONS} instructions")))
    }

    fn alloc(&mut self, class: Class) -> Reg {
        let count = match class {
            Class::Word => &mut self.regs.words,
            Class::Long => &mut self.regs.longs,
            Class::Pred => &mut self.regs.preds,
        };
        *count += 1;
        Reg::register(class, *count - 1)
    }

    /// One instruction: guard, opcode, then the family that knows it.
    fn instruction(&mut self, i: &Instruction<'a>) -> Result<()> {
        self.line = self.context.starts.partition_point(|&start| start <= i.opcode.at) as u32;
        self.guard = match i.guard {
            None => None,
            Some((name, negated)) => Some(PredSource { reg: self.predicate(name)?, negated }),
        };
        let mut m = Modifiers::new(i);
        match i.opcode.text {
            "add" | "sub" | "mul" | "mad" | "div" | "min" | "max" | "neg" | "abs" => {
                self.arithmetic(i, &mut m)
            }
            "rem" | "sad" | "popc" | "clz" | "brev" | "bfind" | "cnot" => self.int(i, &mut m),
            "addc" | "subc" | "madc" => self.carry(i, &mut m),
            "and" | "or" | "xor" | "not" | "shl" | "shr" => self.logic(i, &mut m),
            "bfe" | "bfi" | "prmt" | "lop3" | "shf" => self.bits(i, &mut m),
            "fma" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh"
            | "copysign" | "testp" => self.float(i, &mut m),
            "setp" | "set" | "selp" | "slct" => self.compare(i, &mut m),
            "mov" | "cvt" | "cvta" | "isspacep" => self.convert(i, &mut m),
            "ld" | "ldu" | "st" | "atom" | "red" | "membar" | "fence" => self.memory(i, &mut m),
            "tex" => self.tex(i, &mut m),
            "bra" | "ret" | "exit" | "trap" | "bar" | "barrier" => self.control(i, &mut m),
            "call" => self.call(i, &mut m),
            "shfl" | "vote" | "activemask" => self.warp(i, &mut m),
            _ => Err(self.unsupported(i)),
        }
    }

    fn unsupported(&self, i: &Instruction) -> Box<PtxError> {
        let mnemonic = i.mnemonic();
        let message = format!("unsupported instruction `{mnemonic}`");
        self.error_at(i.opcode.at, mnemonic.len(), message)
    }
}
