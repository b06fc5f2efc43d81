//! Writes the catalogue, or a part of it, as a folder of Verilog with a manifest and a FuseSoC core.
//!
//! A folder is written whole or not at all: every file goes to a temporary folder beside its place
//! and is renamed once all of them are complete.

mod core;
mod manifest;
mod select;

pub use manifest::Manifest;
pub use select::{list, select};

use crate::catalogue::{entries, Entry, Library};
use crate::emit::{self, Module};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Why an export did not happen. Each message is one line that names the remedy.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The catalogue has no such block.
    #[error("no block `{name}` in the catalogue{hint}; --list shows all")]
    UnknownBlock {
        /// What was asked for.
        name: String,
        /// The nearest name, if one is near.
        hint: String,
    },
    /// A parameter that the block does not have, or a value that is not exported.
    #[error("{0}")]
    Param(String),
    /// A block cannot be translated.
    #[error("cannot export {0}")]
    Emit(#[from] emit::Error),
    /// A file or folder could not be written.
    #[error("cannot write {path}: {source}; choose another folder with --out")]
    Write {
        /// Where.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// The files of an export, by name relative to the folder.
pub struct Export {
    files: BTreeMap<String, String>,
    complete: bool,
}

/// Exports the chosen entries with everything they instantiate.
///
/// The manifest and the core also keep what an earlier export left in `folder`, so that exporting one
/// block again does not make the folder forget the others.
pub fn export(chosen: &[Entry], folder: &Path) -> Result<Export, Error> {
    let library = Library::shared();
    let mut names: BTreeSet<String> = chosen.iter().map(|e| e.name.clone()).collect();
    let modules: BTreeMap<String, (Entry, Module)> = entries()
        .into_iter()
        .map(|entry| Ok((entry.name.clone(), (entry.clone(), library.module(&entry)?))))
        .collect::<Result<_, emit::Error>>()?;
    let mut queue: Vec<String> = names.iter().cloned().collect();
    while let Some(name) = queue.pop() {
        for child in &modules[&name].1.children {
            if names.insert(child.clone()) {
                queue.push(child.clone());
            }
        }
    }
    let mut files: BTreeMap<String, String> =
        names.iter().map(|n| (file_of(n), modules[n].1.text.clone())).collect();
    let earlier = Manifest::modules_in(folder);
    names.extend(earlier.into_iter().filter(|n| modules.contains_key(n)));
    // The catalogue's own order, so that families stay together.
    let all: Vec<_> = entries()
        .iter()
        .filter(|e| names.contains(&e.name))
        .map(|e| modules[&e.name].clone())
        .collect();
    files.insert("manifest.json".into(), Manifest::of(&all).to_json());
    files.insert("lanewise.core".into(), core::text(&all));
    if core::has_testbench(&all) {
        files.insert(core::TESTBENCH.0.into(), core::TESTBENCH.1.into());
    }
    Ok(Export { files, complete: chosen.len() == entries().len() })
}

/// The file of a module.
pub fn file_of(module: &str) -> String {
    format!("{module}.v")
}

impl Export {
    /// Writes every file. A complete export also removes modules that no longer exist.
    pub fn write(&self, folder: &Path) -> Result<usize, Error> {
        let failed = |path: &Path| {
            let path = path.to_path_buf();
            move |source| Error::Write { path, source }
        };
        fs::create_dir_all(folder).map_err(failed(folder))?;
        let temporary = tempfile::Builder::new()
            .prefix(".export-")
            .tempdir_in(folder)
            .map_err(failed(folder))?;
        for (name, text) in &self.files {
            let path = temporary.path().join(name);
            fs::write(&path, text).map_err(failed(&path))?;
        }
        for name in self.files.keys() {
            let path = folder.join(name);
            fs::rename(temporary.path().join(name), &path).map_err(failed(&path))?;
        }
        if self.complete {
            for name in self.strangers(folder) {
                let path = folder.join(name);
                fs::remove_file(&path).map_err(failed(&path))?;
            }
        }
        Ok(self.files.len())
    }

    /// Every difference between this export and the folder, one line each.
    pub fn differences(&self, folder: &Path) -> Vec<String> {
        let mut lines = vec![];
        for (name, text) in &self.files {
            let path = folder.join(name);
            match fs::read_to_string(&path) {
                Err(error) => lines.push(format!("{}: {error}", path.display())),
                Ok(found) if found != *text => {
                    let line =
                        1 + found.lines().zip(text.lines()).take_while(|(a, b)| a == b).count();
                    lines.push(format!("{}:{line}: differs from the export", path.display()));
                }
                Ok(_) => {}
            }
        }
        if self.complete {
            lines.extend(
                self.strangers(folder)
                    .iter()
                    .map(|n| format!("{}: not in the catalogue", folder.join(n).display())),
            );
        }
        lines
    }

    /// Verilog files in the folder that the export does not have.
    fn strangers(&self, folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| name.ends_with(".v") && !self.files.contains_key(name))
            .collect();
        names.sort();
        names
    }
}
