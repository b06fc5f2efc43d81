//! Module level: headers, linkage, kernels and functions, debug sections.

use super::{Kind, Parser, Result};
use crate::ptx::syntax::{
    File, Function, Name, Parameter, ParameterKind, Reference, ReferenceKind,
};
use crate::ptx::types::{Space, Type};

fn reference_kind(modifier: &str) -> Option<ReferenceKind> {
    Some(match modifier {
        ".texref" => ReferenceKind::Texture,
        ".samplerref" => ReferenceKind::Sampler,
        ".surfref" => ReferenceKind::Surface,
        _ => return None,
    })
}

impl<'a> Parser<'a> {
    pub(super) fn file(&mut self) -> Result<File<'a>> {
        let mut file = File { address_bits: 32, ..File::default() };
        while self.peek().kind != Kind::End {
            self.item(&mut file)?;
        }
        Ok(file)
    }

    fn item(&mut self, file: &mut File<'a>) -> Result<()> {
        let start = self.at;
        let mut external = false;
        while matches!(self.peek_dot(), ".extern" | ".visible" | ".weak" | ".common") {
            external |= self.peek_dot() == ".extern";
            self.at += 1;
        }
        match self.peek_dot() {
            ".version" => {
                self.at += 1;
                match self.next().kind {
                    Kind::F64(_) | Kind::Int(_) => Ok(()),
                    _ => {
                        self.at -= 1;
                        Err(self.unexpected("a version such as 7.0"))
                    }
                }
            }
            ".target" => {
                self.at += 1;
                self.name("a target such as sm_70")?;
                while self.accept(b',') {
                    self.name("a target option")?;
                }
                Ok(())
            }
            ".address_size" => {
                self.at += 1;
                let token = self.peek();
                match self.unsigned("32 or 64")? {
                    bits @ (32 | 64) => file.address_bits = bits as u32,
                    _ => return Err(self.error_at(token, "the address size is 32 or 64")),
                }
                Ok(())
            }
            ".entry" | ".func" => {
                let function = self.function()?;
                file.functions.push(function);
                Ok(())
            }
            modifier if Space::parse(modifier).is_some() && modifier != ".param" => {
                if let Some(kind) = reference_kind(self.text_ahead(1)) {
                    self.at += 2;
                    let name = self.name("the name of the reference")?;
                    while !self.accept(b';') {
                        // Static sampler properties of old PTX: the job decides them here.
                        if matches!(self.next().kind, Kind::End | Kind::Punct(b'}')) {
                            self.at -= 1;
                            return Err(self.unexpected("`;`"));
                        }
                    }
                    file.references.push(Reference { name, kind });
                    return Ok(());
                }
                let mut variables = self.variables(external)?;
                file.variables.append(&mut variables);
                Ok(())
            }
            _ if self.at == start && self.debug_directive()? => Ok(()),
            _ => {
                let error = self.unexpected("a module-level directive");
                Err(error.with_help("such as .version, .global, .const, .func or .visible .entry"))
            }
        }
    }

    fn text_ahead(&self, n: usize) -> &'a str {
        self.text(self.peek_ahead(n))
    }

    /// Accepts one of the directives that carry no meaning for execution.
    pub(super) fn debug_directive(&mut self) -> Result<bool> {
        match self.peek_dot() {
            ".file" => {
                self.at += 1;
                self.unsigned("a file number")?;
                if self.next().kind != Kind::Str {
                    self.at -= 1;
                    return Err(self.unexpected("a file name in quotes"));
                }
                while self.accept(b',') {
                    self.unsigned("a number")?;
                }
            }
            ".loc" => {
                self.at += 1;
                for what in ["a file number", "a line", "a column"] {
                    self.unsigned(what)?;
                }
                while self.accept(b',') {
                    self.name("function_name or inlined_at")?;
                    while matches!(self.peek().kind, Kind::Int(_) | Kind::Punct(b'+'))
                        || (self.peek().kind == Kind::Word
                            && self.text_ahead(0).starts_with('$')
                            && self.peek_ahead(1).kind != Kind::Punct(b':'))
                    {
                        self.at += 1;
                    }
                }
            }
            ".section" => {
                self.at += 1;
                self.next();
                self.skip_braces()?;
            }
            ".pragma" => {
                self.at += 1;
                while self.peek().kind == Kind::Str || self.is(b',') {
                    self.at += 1;
                }
                self.expect(b';')?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn function(&mut self) -> Result<Function<'a>> {
        let entry = self.peek_dot() == ".entry";
        self.at += 1;
        if self.accept_dot(".attribute") {
            self.skip_parentheses()?;
        }
        let returns =
            if !entry && self.is(b'(') { self.parameters("return value")? } else { Vec::new() };
        let name = self.name("the name of the function")?;
        let parameters = if self.is(b'(') { self.parameters("parameter")? } else { Vec::new() };
        let mut function =
            Function { name, entry, returns, parameters, body: None, max_threads: None };
        loop {
            match self.peek_dot() {
                ".maxntid" | ".reqntid" => {
                    self.at += 1;
                    let mut threads = self.unsigned("a number of threads")?;
                    while self.accept(b',') {
                        threads = threads.saturating_mul(self.unsigned("a number of threads")?);
                    }
                    function.max_threads = Some(threads);
                }
                ".minnctapersm" | ".maxnreg" | ".maxnctapersm" => {
                    self.at += 1;
                    self.unsigned("a number")?;
                }
                ".noreturn" => self.at += 1,
                ".pragma" => {
                    self.debug_directive()?;
                }
                _ => break,
            }
        }
        if self.accept(b';') {
            return Ok(function);
        }
        if !self.is(b'{') {
            return Err(self.unexpected("`{` or `;`"));
        }
        function.body = Some(self.block()?);
        Ok(function)
    }

    fn skip_parentheses(&mut self) -> Result<()> {
        self.expect(b'(')?;
        while !self.accept(b')') {
            if self.next().kind == Kind::End {
                return Err(self.unexpected("`)`"));
            }
        }
        Ok(())
    }

    fn parameters(&mut self, what: &str) -> Result<Vec<Parameter<'a>>> {
        self.expect(b'(')?;
        let mut parameters = Vec::new();
        while !self.is(b')') {
            parameters.push(self.parameter(what)?);
            if !self.accept(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok(parameters)
    }

    fn parameter(&mut self, what: &str) -> Result<Parameter<'a>> {
        let register = match self.peek_dot() {
            ".reg" => true,
            ".param" => false,
            _ => return Err(self.unexpected(&format!("a {what} (.param or .reg)"))),
        };
        self.at += 1;
        let (mut ty, mut align, mut reference) = (None, None, None);
        loop {
            let dot = self.peek_dot();
            if let Some(kind) = reference_kind(dot) {
                reference = Some(kind);
            } else if let Some(found) = Type::parse(dot) {
                ty = Some(found);
            } else if dot == ".align" {
                self.at += 1;
                align = Some(self.alignment()?);
                continue;
            } else if dot != ".ptr" && Space::parse(dot).is_none() {
                break;
            }
            self.at += 1;
        }
        let name: Name = self.name(&format!("the name of the {what}"))?;
        let kind = match (register, reference) {
            (_, Some(kind)) => ParameterKind::Reference(kind),
            (true, None) => ParameterKind::Register,
            (false, None) => ParameterKind::Memory,
        };
        let ty = match (ty, reference) {
            (Some(ty), _) => ty,
            (None, Some(_)) => Type::B64,
            (None, None) => return Err(self.unexpected(&format!("a type of the {what}"))),
        };
        let elements = self.dimensions()?.unwrap_or(1);
        let bytes = self.checked_bytes(name, elements, u64::from(ty.bytes()))?;
        // A pointer's `.align` speaks of what it points to; only arrays have their own.
        let own = if elements > 1 || ty.bytes() == 1 { align } else { None };
        Ok(Parameter { name, kind, ty, bytes, align: own.unwrap_or(ty.bytes()).max(1) })
    }
}
