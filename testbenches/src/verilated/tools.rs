//! Verilator and g++: found, asked for their version, run, and missed with a sentence that helps.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use lanewise_files::CacheError;

/// Why a verilated block could not be had.
#[derive(Debug, thiserror::Error)]
pub enum VerilatedError {
    /// A program is not on this machine.
    #[error("{program} is not installed: run `apt-get install {package}`")]
    Missing {
        /// The program.
        program: String,
        /// The Debian package that brings it.
        package: &'static str,
    },
    /// A program refused its input.
    #[error("{program} failed on {what}:\n{output}")]
    Refused {
        /// The program.
        program: String,
        /// What it was given.
        what: String,
        /// All it printed.
        output: String,
    },
    /// Verilog could not be read.
    #[error("cannot read {}: {source}; each module is in a file of its own, named after it", path.display())]
    Source {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A program is there and does not start.
    #[error("cannot run {program}: {source}")]
    Start {
        /// The program.
        program: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A file of a build could not be read or written.
    #[error("cannot {doing} {}: {source}; set LANEWISE_CACHE to a writable directory", path.display())]
    File {
        /// The verb.
        doing: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The shared object could not be loaded.
    #[error("cannot load {}: {source}; delete it, it is rebuilt on demand", path.display())]
    Load {
        /// The shared object.
        path: PathBuf,
        /// The loader's reason.
        source: libloading::Error,
    },
    /// The Verilog has no such top module or its ports cannot be read.
    #[error("verilator's description of {module} has no {what}")]
    Ports {
        /// The top module.
        module: String,
        /// What was looked for.
        what: String,
    },
}

impl VerilatedError {
    /// For `map_err` after a file operation of a build.
    pub(super) fn file<'a>(
        doing: &'static str,
        path: &'a Path,
    ) -> impl FnOnce(std::io::Error) -> VerilatedError + use<'a> {
        move |source| VerilatedError::File { doing, path: path.into(), source }
    }
}

impl From<CacheError> for VerilatedError {
    fn from(CacheError { doing, path, source }: CacheError) -> VerilatedError {
        VerilatedError::File { doing, path, source }
    }
}

/// The programs that build verilated blocks, and where the results are kept.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// Verilator's command.
    pub verilator: String,
    /// The C++ compiler's command.
    pub cxx: String,
    /// The directory of finished builds.
    pub cache: PathBuf,
}

impl Toolchain {
    /// `verilator` and `g++` from the path; the cache is `$LANEWISE_CACHE`, or `target/verilated` of
    /// the workspace.
    pub fn from_env() -> Self {
        let cache = std::env::var_os("LANEWISE_CACHE").map(PathBuf::from).unwrap_or_else(|| {
            Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("target").join("verilated")
        });
        Self { verilator: "verilator".into(), cxx: "g++".into(), cache }
    }

    /// One line that changes whenever either program does. Asked once a process.
    pub(super) fn versions(&self) -> Result<String, VerilatedError> {
        static KNOWN: Mutex<Option<HashMap<(String, String), String>>> = Mutex::new(None);
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_default();
        let programs = (self.verilator.clone(), self.cxx.clone());
        if let Some(versions) = known.get(&programs) {
            return Ok(versions.clone());
        }
        let verilator = self.verilator(&flags(&["--version"]), "--version")?;
        let cxx = self.cxx(&flags(&["--version"]), "--version")?;
        let versions = format!("{}; {}", verilator.trim(), cxx.lines().next().unwrap_or_default());
        known.insert(programs, versions.clone());
        Ok(versions)
    }

    pub(super) fn verilator(
        &self,
        args: &[OsString],
        what: &str,
    ) -> Result<String, VerilatedError> {
        run(&self.verilator, "verilator", args, what)
    }

    pub(super) fn cxx(&self, args: &[OsString], what: &str) -> Result<String, VerilatedError> {
        run(&self.cxx, "g++", args, what)
    }
}

/// An option or a path on a command line.
pub(super) type Word<'a> = &'a dyn AsRef<OsStr>;

/// Options and paths, mixed.
pub(super) fn args<const N: usize>(words: [Word; N]) -> Vec<OsString> {
    words.map(|word| word.as_ref().into()).into()
}

/// Options only.
pub(super) fn flags(words: &[&str]) -> Vec<OsString> {
    words.iter().map(Into::into).collect()
}

fn run(
    program: &str,
    package: &'static str,
    args: &[OsString],
    what: &str,
) -> Result<String, VerilatedError> {
    let done = Command::new(program).args(args).output().map_err(|source| match source.kind() {
        ErrorKind::NotFound => VerilatedError::Missing { program: program.into(), package },
        _ => VerilatedError::Start { program: program.into(), source },
    })?;
    let stdout = String::from_utf8_lossy(&done.stdout);
    if !done.status.success() {
        let output = format!("{stdout}{}", String::from_utf8_lossy(&done.stderr));
        return Err(VerilatedError::Refused { program: program.into(), what: what.into(), output });
    }
    Ok(stdout.into_owned())
}
