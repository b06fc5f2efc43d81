//! A Verilog module as text, from the emitter or from a file.

use std::path::Path;

use lanewise_hw::emit::Module;

use super::tools::VerilatedError;

/// One module and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The module's name.
    pub name: String,
    /// Verilog.
    pub text: String,
}

impl Source {
    /// Reads a file that holds one module and is named after it.
    pub fn read(path: &Path) -> Result<Self, VerilatedError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| VerilatedError::Source { path: path.into(), source })?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, text })
    }
}

impl From<Module> for Source {
    fn from(module: Module) -> Self {
        Self { name: module.name, text: module.text }
    }
}
