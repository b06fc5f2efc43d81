//! The signals of one module, under the names they have in Verilog.

use super::tree::{Atoms, Scope};
use super::{Error, Known};
use crate::register::tag;
use rust_hdl::core::ast::Verilog;
use rust_hdl::core::atom::AtomKind;
use std::collections::HashMap;

/// What a signal is to its module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    Input,
    Output,
    Local,
    Constant(String),
    RegisterNext,
    RegisterNow,
    /// A read port of a memory.
    RamRead,
    /// An input of child `child`, driven by this module.
    ChildInput(usize),
    /// An output of child `child`.
    ChildOutput(usize),
    /// Clock or reset of a register or child: wired by the emitter itself.
    ClockOrReset,
}

/// A signal: `dims` elements (outer first) of `width` bits, packed with element 0 lowest.
#[derive(Clone, Debug)]
pub struct Signal {
    pub name: String,
    pub width: usize,
    pub dims: Vec<usize>,
    pub role: Role,
    /// For a child's port: the port's own name in the child.
    pub port: String,
}

impl Signal {
    pub fn bits(&self) -> usize {
        self.width * self.dims.iter().product::<usize>()
    }

    /// Whether this module's logic must give it a value.
    pub fn is_driven_here(&self) -> bool {
        matches!(self.role, Role::Output | Role::Local | Role::RegisterNext | Role::ChildInput(_))
    }
}

/// A register or array of registers.
#[derive(Clone, Debug)]
pub struct Register {
    pub now: usize,
    pub next: usize,
    /// One bit for each element that takes `next`, if the elements are written one by one.
    pub write: Option<usize>,
    /// The valid bit that stands in for a reset.
    pub valid_by: Option<String>,
}

/// A memory, or an array of equal ones, each with one write port.
#[derive(Clone, Debug)]
pub struct Memory {
    pub name: String,
    pub count: Option<usize>,
    pub write: usize,
    pub write_addr: usize,
    pub write_data: usize,
    pub read_addr: usize,
    pub read_data: usize,
    /// Read ports of each.
    pub reads: usize,
    /// What says which words mean something.
    pub valid_by: String,
}

/// A child instance or array of equal ones.
#[derive(Clone, Debug)]
pub struct Instance {
    pub name: String,
    pub module: String,
    pub count: Option<usize>,
    pub clocked: bool,
    /// Its ports without clock and reset, in order.
    pub ports: Vec<usize>,
}

/// Words of Verilog-2005 and SystemVerilog that a rust-hdl local could be called by. Ports, registers and
/// child nets always carry a suffix or a prefix that no keyword has.
const RESERVED: &str = "\
    alias always and assert assign assume automatic before begin bind bit buf byte case cell \
    checker class clocking config context cover cross deassign default design disable dist edge \
    end endcase event expect export final first_match force forever fork function generate \
    genvar global iff initial inout input inside instance int integer interface intersect join \
    large liblist library local logic matches medium module nand negedge new nor not null or \
    output package packed parameter posedge primitive priority program property protected pull0 \
    pull1 pure rand real reg reject_on release repeat restrict scalared sequence shortint signed \
    small solve specify string strong supply0 supply1 table tagged task this throughout time \
    timeprecision timeunit tran tri typedef union unique unsigned until uwire var vectored \
    virtual void wait wand weak wildcard wire with within wor xnor xor";

/// All names of one module.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub module: String,
    pub signals: Vec<Signal>,
    pub registers: Vec<Register>,
    pub instances: Vec<Instance>,
    pub memories: Vec<Memory>,
    /// From the path in rust-hdl's syntax tree, without indices, to the signal.
    by_path: HashMap<String, usize>,
}

impl Table {
    pub fn find(&self, path: &str) -> Option<usize> {
        self.by_path.get(path).copied()
    }

    pub fn error(&self, what: String, place: String, remedy: &'static str) -> Error {
        Error { module: self.module.clone(), what, place, remedy }
    }

    fn add(&mut self, path: String, signal: Signal) -> usize {
        let id = self.signals.len();
        self.signals.push(signal);
        self.by_path.insert(path, id);
        id
    }

    /// Builds the table of a scope.
    pub fn of(module: &str, scope: &Scope, known: &Known) -> Result<Self, Error> {
        let mut table = Table { module: module.into(), ..Table::default() };
        if let Some(name) = scope.interfaces.first() {
            return Err(table.error(
                format!("interface `{name}`"),
                "struct".into(),
                "list its signals one by one",
            ));
        }
        for atom in &scope.atoms {
            table.own(atom)?;
        }
        for child in &scope.children {
            table.child(child, known)?;
        }
        table.distinct_names()?;
        Ok(table)
    }

    fn own(&mut self, atom: &Atoms) -> Result<(), Error> {
        if !atom.plain_bits {
            return Err(self.error(
                format!("`{}` is not plain bits", atom.name),
                "struct".into(),
                "use Bits<N> or Bit",
            ));
        }
        let name = &atom.name;
        let (verilog, role) = match (atom.kind, name.as_str()) {
            (AtomKind::InputParameter, "clock") => ("clk_i".into(), Role::ClockOrReset),
            (AtomKind::InputParameter, "reset") => ("rst_i".into(), Role::ClockOrReset),
            (AtomKind::InputParameter, _) => (format!("{name}_i"), Role::Input),
            (AtomKind::OutputParameter, _) => (format!("{name}_o"), Role::Output),
            (AtomKind::LocalSignal, _) => (name.clone(), Role::Local),
            (AtomKind::Constant, _) => (name.to_uppercase(), Role::Constant(atom.value.clone())),
            _ => {
                return Err(self.error(
                    format!("`{name}` is neither input, output, local nor constant"),
                    "struct".into(),
                    "use Signal<In|Out|Local, _> or Constant",
                ))
            }
        };
        self.add(
            name.clone(),
            Signal {
                name: verilog,
                width: atom.width,
                dims: atom.count.into_iter().collect(),
                role,
                port: String::new(),
            },
        );
        Ok(())
    }

    fn child(&mut self, child: &super::tree::Child, known: &Known) -> Result<(), Error> {
        let register = match &child.scope.hdl {
            Verilog::Custom(text) if text == tag::RESET => Some(None),
            Verilog::Custom(text) => text
                .strip_prefix(tag::DATA)
                .or_else(|| text.strip_prefix(tag::SLOTS))
                .map(|v| Some(v.to_string())),
            _ => None,
        };
        if !child.uniform {
            return Err(self.error(
                format!("the elements of `{}` differ", child.name),
                "struct".into(),
                "give unlike children their own fields",
            ));
        }
        if let Verilog::Custom(text) = &child.scope.hdl {
            if let Some(valid_by) = text.strip_prefix(tag::RAM) {
                self.memory(child, valid_by);
                return Ok(());
            }
        }
        let instance = self.instances.len();
        let mut ports = vec![];
        let mut clocked = false;
        for atom in &child.scope.atoms {
            let path = format!("{}${}", child.name, atom.name);
            let (name, role) = match (atom.kind, atom.name.as_str(), &register) {
                (AtomKind::InputParameter, "clock" | "reset", _) => {
                    clocked = true;
                    (String::new(), Role::ClockOrReset)
                }
                (AtomKind::InputParameter, port @ ("d" | "write"), Some(_)) => {
                    (format!("{}_{port}", child.name), Role::RegisterNext)
                }
                (AtomKind::OutputParameter, "q", Some(_)) => {
                    (format!("{}_q", child.name), Role::RegisterNow)
                }
                (AtomKind::InputParameter, port, None) => {
                    (format!("{}_{port}", child.name), Role::ChildInput(instance))
                }
                (AtomKind::OutputParameter, port, None) => {
                    (format!("{}_{port}", child.name), Role::ChildOutput(instance))
                }
                _ => continue,
            };
            let port = match role {
                Role::ChildInput(_) => format!("{}_i", atom.name),
                Role::ChildOutput(_) => format!("{}_o", atom.name),
                _ => String::new(),
            };
            let dims = child.count.into_iter().chain(atom.count).collect();
            let id = self.add(path, Signal { name, width: atom.width, dims, role, port });
            ports.push(id);
        }
        if let Some(valid_by) = register {
            let find = |port: &str| self.find(&format!("{}${port}", child.name));
            let (now, next) = find("q").zip(find("d")).expect("a register has d and q");
            let write = find("write");
            if write.is_some() && child.count.is_some() {
                return Err(self.error(
                    format!("`{}` is an array of slots", child.name),
                    "struct".into(),
                    "give each its own field",
                ));
            }
            self.registers.push(Register { now, next, write, valid_by });
            return Ok(());
        }
        let Some(module) = known.name_of(&child.scope) else {
            return Err(self.error(
                format!("child `{}` is not in the catalogue", child.name),
                "struct".into(),
                "list it in hw/src/catalogue.rs with the same parameters",
            ));
        };
        ports.retain(|&id| self.signals[id].role != Role::ClockOrReset);
        self.instances.push(Instance {
            name: child.name.clone(),
            module: module.to_string(),
            count: child.count,
            clocked,
            ports,
        });
        Ok(())
    }

    /// A memory's ports are signals of this module.
    fn memory(&mut self, child: &super::tree::Child, valid_by: &str) {
        for atom in &child.scope.atoms {
            let role = match (atom.kind, atom.name.as_str()) {
                (_, "clock" | "reset") => Role::ClockOrReset,
                (AtomKind::OutputParameter, _) => Role::RamRead,
                _ => Role::Local,
            };
            let name = match role {
                Role::ClockOrReset => String::new(),
                _ => format!("{}_{}", child.name, atom.name),
            };
            let dims = child.count.into_iter().chain(atom.count).collect();
            let (width, port) = (atom.width, String::new());
            self.add(
                format!("{}${}", child.name, atom.name),
                Signal { name, width, dims, role, port },
            );
        }
        let find = |port: &str| self.by_path[&format!("{}${port}", child.name)];
        let read_data = find("read_data");
        self.memories.push(Memory {
            name: child.name.clone(),
            count: child.count,
            write: find("write"),
            write_addr: find("write_addr"),
            write_data: find("write_data"),
            read_addr: find("read_addr"),
            read_data,
            reads: self.signals[read_data].dims.last().copied().unwrap_or(1),
            valid_by: valid_by.to_string(),
        });
    }

    fn distinct_names(&self) -> Result<(), Error> {
        let mut seen = HashMap::new();
        for signal in self.signals.iter().filter(|s| !s.name.is_empty()) {
            if RESERVED.split(' ').any(|word| word == signal.name) {
                return Err(self.error(
                    format!("`{}` is a word of Verilog", signal.name),
                    "struct".into(),
                    "rename the field",
                ));
            }
            if seen.insert(&signal.name, ()).is_some() {
                return Err(self.error(
                    format!("two signals are called `{}`", signal.name),
                    "struct".into(),
                    "rename one of the fields",
                ));
            }
        }
        Ok(())
    }
}
