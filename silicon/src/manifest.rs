//! The list of exported modules, as `export-verilog` wrote it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::Error;

/// All exported modules and where they are.
#[derive(Debug)]
pub struct Manifest {
    folder: PathBuf,
    modules: Vec<Module>,
}

/// One exported module.
#[derive(Clone, Debug, Deserialize)]
pub struct Module {
    /// Its name in Verilog.
    pub module: String,
    /// The block it is a variant of.
    pub block: String,
    /// The mechanism's family.
    pub family: String,
    /// Its file, beside the manifest.
    pub file: String,
    /// What it was built with.
    pub parameters: BTreeMap<String, String>,
    /// Whether it has a clock.
    pub clocked: bool,
    /// Flip-flops of its own, children's left out.
    pub flip_flops: usize,
    /// Modules it contains.
    pub instantiates: Vec<String>,
    /// Its ports, in order.
    pub ports: Vec<Port>,
}

/// One port of a module.
#[derive(Clone, Debug, Deserialize)]
pub struct Port {
    /// Its name in Verilog.
    pub name: String,
    /// `input` or `output`.
    pub direction: Direction,
    /// Its bits.
    pub width: usize,
}

/// Which way a port goes.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Into the module.
    Input,
    /// Out of the module.
    Output,
}

/// The Verilog of a module and of all that it contains.
#[derive(Clone, Debug)]
pub struct Source {
    /// The top module.
    pub top: String,
    /// Verilog text, children first.
    pub texts: Vec<String>,
}

impl Module {
    /// Whether this is the block with its default parameters.
    pub fn is_default(&self) -> bool {
        self.module == self.block
    }

    /// Bits of all ports.
    pub fn port_bits(&self) -> usize {
        self.ports.iter().map(|port| port.width).sum()
    }

    /// Ports of one direction.
    pub fn ports_of(&self, direction: Direction) -> impl Iterator<Item = &Port> {
        self.ports.iter().filter(move |port| port.direction == direction)
    }
}

impl Manifest {
    /// Reads `manifest.json` in `folder`.
    pub fn load(folder: &Path) -> Result<Manifest, Error> {
        #[derive(Deserialize)]
        struct File {
            modules: Vec<Module>,
        }
        let path = folder.join("manifest.json");
        let text = fs::read_to_string(&path).map_err(Error::file("read", &path))?;
        let file: File = serde_json::from_str(&text).map_err(|reason| Error::Json {
            path,
            reason: reason.to_string(),
            remedy: "write it again with `cargo run --release --bin export-verilog`",
        })?;
        Ok(Manifest { folder: folder.into(), modules: file.modules })
    }

    /// The file that was read.
    pub fn path(&self) -> PathBuf {
        self.folder.join("manifest.json")
    }

    /// Every module, in the order of the catalogue.
    pub fn modules(&self) -> &[Module] {
        &self.modules
    }

    /// The module called `name`.
    pub fn find(&self, name: &str) -> Result<&Module, Error> {
        self.get(name).ok_or_else(|| Error::NoBlock { name: name.into(), manifest: self.path() })
    }

    /// The module called `name`, if it was exported.
    pub fn get(&self, name: &str) -> Option<&Module> {
        self.modules.iter().find(|module| module.module == name)
    }

    /// The modules with these names, or all; a block's name brings its variants too.
    pub fn select(&self, names: &[String]) -> Result<Vec<&Module>, Error> {
        if names.is_empty() {
            return Ok(self.modules.iter().collect());
        }
        for name in names {
            if !self.modules.iter().any(|module| &module.module == name || &module.block == name) {
                self.find(name)?;
            }
        }
        let wanted = |module: &&Module| {
            names.iter().any(|name| &module.module == name || &module.block == name)
        };
        Ok(self.modules.iter().filter(wanted).collect())
    }

    /// How long synthesis will take, roughly: flip-flops, children's included, and port bits.
    pub fn weight(&self, module: &Module) -> usize {
        let children = module.instantiates.iter().filter_map(|child| self.get(child));
        let inside: usize = children.map(|child| self.weight(child)).sum();
        module.flip_flops + module.port_bits() + inside
    }

    /// The Verilog of `name` and of all that it contains, each module once.
    pub fn source(&self, name: &str) -> Result<Source, Error> {
        let mut order = Vec::new();
        self.visit(name, &mut order)?;
        let texts = order
            .into_iter()
            .map(|module| {
                let path = self.folder.join(&module.file);
                fs::read_to_string(&path).map_err(Error::file("read", &path))
            })
            .collect::<Result<_, _>>()?;
        Ok(Source { top: name.into(), texts })
    }

    fn visit<'a>(&'a self, name: &str, order: &mut Vec<&'a Module>) -> Result<(), Error> {
        if order.iter().any(|module| module.module == name) {
            return Ok(());
        }
        let module = self.find(name)?;
        for child in &module.instantiates {
            self.visit(child, order)?;
        }
        order.push(module);
        Ok(())
    }
}
