//! Exports a rust-hdl block as Verilog that a person would sign, or refuses and says where.
//!
//! rust-hdl's own export is silently wrong in places (precedence, widths) and names everything
//! `top$x$0`. This emitter starts from the same syntax tree (`Logic::hdl`) and works in small steps:
//!
//! 1. `tree`: walk the block into scopes with their signals;
//! 2. `lower`: resolve every name and give every expression its width;
//! 3. `check`: every signal is written before it is read, and on every path (no latch);
//! 4. `wiring`: find which statements are mere connections to child instances;
//! 5. `print`: write the text.
//!
//! What cannot be translated faithfully is an [`Error`]; nothing else is ever emitted in its place.

mod affine;
mod check;
mod expr;
mod lower;
mod print;
mod reference;
mod signal;
mod tree;
mod wiring;

use crate::rtl::RtlBlock;

/// A Verilog module, one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Module name, which is also the stem of its file.
    pub name: String,
    /// The whole text of the file.
    pub text: String,
    /// The modules it instantiates, each once.
    pub children: Vec<String>,
    /// The ports as they stand in the module's header.
    pub ports: Vec<PortShape>,
    /// Flip-flops.
    pub state_bits: usize,
    /// Bits of memory.
    pub ram_bits: usize,
}

/// A port of the exported module.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct PortShape {
    /// Name in Verilog.
    pub name: String,
    /// `input` or `output`.
    pub direction: &'static str,
    /// Bits of the whole port.
    pub width: usize,
    /// Bits of one element, where the port is an array.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element_width: Option<usize>,
    /// Its meaning.
    pub doc: &'static str,
}

/// A construct that has no faithful translation, or a block that breaks a rule of the emitter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{module}: {what} ({place}); {remedy}")]
pub struct Error {
    /// The module being exported.
    pub module: String,
    /// What is wrong.
    pub what: String,
    /// Where in the block.
    pub place: String,
    /// What to write instead.
    pub remedy: &'static str,
}

/// How child instances find their module: the structure of a known block, and its name.
#[derive(Default)]
pub struct Known {
    by_structure: std::collections::HashMap<String, String>,
}

impl Known {
    /// Registers a block under its module name, so that instances of it can refer to it.
    pub fn add(&mut self, name: &str, block: &dyn RtlBlock) {
        self.by_structure.insert(tree::scope_of(block).structure(), name.to_string());
    }

    fn name_of(&self, scope: &tree::Scope) -> Option<&str> {
        self.by_structure.get(&scope.structure()).map(String::as_str)
    }
}

/// What the header of a module says besides the block's own description.
pub struct Heading<'a> {
    /// Module name.
    pub name: &'a str,
    /// The parameters this module was built with.
    pub params: &'a [(&'static str, String)],
}

/// Exports one block. Children must be in `known`.
pub fn module(block: &dyn RtlBlock, heading: &Heading, known: &Known) -> Result<Module, Error> {
    let info = block.info();
    let scope = tree::scope_of(block);
    let lowered = lower::lower(heading.name, &scope, known)?;
    check::every_path_assigns(&lowered)?;
    let plan = wiring::plan(lowered);
    print::module(&info, heading, &plan)
}
