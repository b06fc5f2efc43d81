//! Walks a rust-hdl block into a tree of scopes, with arrays put back together.
//!
//! rust-hdl shows an array as `name$0`, `name$1`, ...; here it is one entry with a count.

use rust_hdl::core::ast::Verilog;
use rust_hdl::core::atom::{Atom, AtomKind};
use rust_hdl::core::block::Block;
use rust_hdl::core::probe::Probe;
use rust_hdl::core::type_descriptor::TypeKind;
use std::fmt::Write;

/// A signal, constant or array of them.
#[derive(Clone, Debug)]
pub struct Atoms {
    pub name: String,
    pub kind: AtomKind,
    pub width: usize,
    /// Elements if it is an array.
    pub count: Option<usize>,
    /// `64'h1f` and the like; only constants mean it.
    pub value: String,
    /// Enumerations and signed numbers are refused later, where the error can say where.
    pub plain_bits: bool,
}

/// A child block or an array of equal ones.
#[derive(Clone, Debug)]
pub struct Child {
    pub name: String,
    pub count: Option<usize>,
    pub scope: Scope,
    /// False if the elements of an array differ, which one module cannot express.
    pub uniform: bool,
}

/// A block: its signals, its logic, its children.
#[derive(Clone, Debug)]
pub struct Scope {
    pub hdl: Verilog,
    pub atoms: Vec<Atoms>,
    pub children: Vec<Child>,
    /// rust-hdl interfaces are not supported; their names, for the error.
    pub interfaces: Vec<String>,
}

impl Scope {
    /// Equal for blocks that are the same hardware, whatever their instances are called.
    pub fn structure(&self) -> String {
        let mut text = format!("{:?}", self.hdl);
        for atom in &self.atoms {
            let constant = if atom.kind == AtomKind::Constant { &atom.value } else { "" };
            let _ = write!(
                text,
                "|{} {:?} {} {:?} {constant}",
                atom.name, atom.kind, atom.width, atom.count
            );
        }
        for child in &self.children {
            let _ =
                write!(text, "|{} {:?} {{{}}}", child.name, child.count, child.scope.structure());
        }
        text
    }
}

/// The tree below a block.
pub fn scope_of(block: &dyn Block) -> Scope {
    let mut walker = Walker { stack: vec![("".into(), Scope::empty(Verilog::Empty))] };
    block.accept("top", &mut walker);
    let (_, root) = walker.stack.pop().expect("the walker starts with one scope");
    root.children.into_iter().next().expect("a block visits its own scope").scope
}

impl Scope {
    fn empty(hdl: Verilog) -> Self {
        Scope { hdl, atoms: vec![], children: vec![], interfaces: vec![] }
    }
}

struct Walker {
    stack: Vec<(String, Scope)>,
}

/// `name$3` is element 3 of array `name`.
fn split_index(name: &str) -> (&str, Option<usize>) {
    match name.rsplit_once('$') {
        Some((base, index)) if index.bytes().all(|b| b.is_ascii_digit()) => {
            (base, index.parse().ok())
        }
        _ => (name, None),
    }
}

impl Probe for Walker {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        self.stack.push((name.to_string(), Scope::empty(node.hdl())));
    }

    fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
        if let Some((_, scope)) = self.stack.last_mut() {
            scope.interfaces.push(name.to_string());
        }
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        let (base, index) = split_index(name);
        let (_, scope) = self.stack.last_mut().expect("atoms are inside a scope");
        if let (Some(index), Some(last)) = (index, scope.atoms.last_mut()) {
            if last.name == base && last.count == Some(index) {
                last.count = Some(index + 1);
                return;
            }
        }
        scope.atoms.push(Atoms {
            name: base.to_string(),
            kind: signal.kind(),
            width: signal.bits(),
            count: index.map(|_| 1),
            value: format!("{:x}", signal.verilog()),
            plain_bits: match signal.descriptor().kind {
                TypeKind::Bits(_) => true,
                // A clock is a composite of one bit.
                TypeKind::Composite(_) => signal.bits() == 1,
                _ => false,
            },
        });
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        let (name, scope) = self.stack.pop().expect("scopes end as often as they start");
        let (base, index) = split_index(&name);
        let (_, parent) = self.stack.last_mut().expect("the root scope stays");
        if let (Some(index), Some(last)) = (index, parent.children.last_mut()) {
            if last.name == base && last.count == Some(index) {
                last.count = Some(index + 1);
                last.uniform &= last.scope.structure() == scope.structure();
                return;
            }
        }
        parent.children.push(Child {
            name: base.to_string(),
            count: index.map(|_| 1),
            scope,
            uniform: true,
        });
    }
}
