//! Real PTX, loaded and checked: text in, kernels with resolved registers and reconvergence points out.
//!
//! ```
//! use lanewise_sim::ptx::Module;
//! let text = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
//! let module = Module::load("nothing.ptx", text).unwrap();
//! assert_eq!(module.kernel("nothing").unwrap().insts.len(), 1);
//! ```
//!
//! Stages, one folder or file each: `lexer`, `parser` (into `syntax`), `layout` (where variables live),
//! `lower` (names, types and calls resolved, into [`ir`]) and [`mod@cfg`] (reconvergence). An instruction or
//! modifier that is not supported is an error here, never a surprise at run time.

pub mod cfg;
pub mod ir;
pub mod layout;
mod lexer;
mod lower;
mod parser;
mod source;
mod syntax;
mod types;

pub use layout::{Image, Placed};
pub use source::{PtxError, Source};
pub use syntax::ReferenceKind;
pub use types::{Space, Type};

/// A loaded PTX file.
#[derive(Debug, Clone)]
pub struct Module {
    /// The text it came from.
    pub source: Source,
    /// Every `.entry` with a body, in file order.
    pub kernels: Vec<ir::Kernel>,
    /// Its variables and their initial bytes.
    pub image: Image,
}

impl Module {
    /// Loads a text; `name` is what errors show, usually the path.
    pub fn load(name: &str, text: &str) -> Result<Module, Box<PtxError>> {
        let source = Source::new(name, text);
        let file = parser::parse(&source)?;
        let image = layout::place(&source, &file)?;
        let kernels = lower::lower(&source, &file, &image)?;
        Ok(Module { kernels, image, source: source.clone() })
    }

    /// The kernel of this name.
    pub fn kernel(&self, name: &str) -> Option<&ir::Kernel> {
        self.kernels.iter().find(|k| k.name == name)
    }
}
