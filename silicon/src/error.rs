//! Everything that can go wrong, each in one line that names the remedy.

use std::path::{Path, PathBuf};

use lanewise_files::CacheError;

/// Why a cost could not be had.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A program is not on this machine.
    #[error("{program} is not installed: run `apt-get install {package}`")]
    Missing {
        /// The program.
        program: String,
        /// The Debian package that brings it.
        package: &'static str,
    },
    /// A program refused its input.
    #[error("{program} failed on {what}: {reason}")]
    Refused {
        /// The program.
        program: String,
        /// What it was given.
        what: String,
        /// Its own words, one line.
        reason: String,
    },
    /// A file could not be read or written.
    #[error("cannot {doing} {}: {source}", path.display())]
    File {
        /// The verb.
        doing: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A JSON file is not what it should be.
    #[error("{}: {reason}; {remedy}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
        /// What to do.
        remedy: &'static str,
    },
    /// A Liberty file cannot be read.
    #[error("{}:{line}: {reason}; give another file to --liberty", path.display())]
    Liberty {
        /// The file.
        path: PathBuf,
        /// Where.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A Liberty file lacks what synthesis needs.
    #[error("{}: the library has no {what}; give a complete standard-cell library to --liberty", path.display())]
    Lacking {
        /// The file.
        path: PathBuf,
        /// What is missing.
        what: &'static str,
    },
    /// No such module in the manifest.
    #[error("no block {name:?} in {}; `export-verilog --list` shows what there is", manifest.display())]
    NoBlock {
        /// The name asked for.
        name: String,
        /// The manifest.
        manifest: PathBuf,
    },
    /// A recorded stimulus cannot be read.
    #[error("{}:{line}: {reason}; record it again with `cosim run JOB --record BLOCK=FILE`", path.display())]
    Stimulus {
        /// The file.
        path: PathBuf,
        /// Where.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// An energy was asked for of a library without a supply.
    #[error("the library names no voltage (nom_voltage); give another file to --liberty")]
    NoVoltage,
    /// A netlist has something that its library cannot explain.
    #[error("{module}: {reason}")]
    Netlist {
        /// The module.
        module: String,
        /// What and why.
        reason: String,
    },
}

impl Error {
    /// For `map_err` after a file operation.
    pub fn file<'a>(
        doing: &'static str,
        path: &'a Path,
    ) -> impl FnOnce(std::io::Error) -> Error + use<'a> {
        move |source| Error::File { doing, path: path.into(), source }
    }
}

impl From<CacheError> for Error {
    fn from(CacheError { doing, path, source }: CacheError) -> Error {
        Error::File { doing, path, source }
    }
}
