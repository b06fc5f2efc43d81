//! Verilator's lint, Icarus Verilog and Yosys synthesis over one module: silence or a complaint.

use std::fmt;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use crate::verilated::Source;

/// What a tool said about a module that should have left it speechless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The module.
    pub module: String,
    /// The tool.
    pub tool: &'static str,
    /// Its words.
    pub output: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}:\n{}", self.tool, self.module, self.output)
    }
}

impl std::error::Error for Complaint {}

/// `verilator --lint-only -Wall` prints nothing.
pub fn verilator(modules: &[Source]) -> Result<(), Complaint> {
    silent("verilator", "verilator", modules, |top, files| {
        let mut args =
            vec!["--lint-only".into(), "-Wall".into(), "--top-module".into(), top.into()];
        args.extend_from_slice(files);
        args
    })
}

/// `iverilog -g2005 -Wall` prints nothing.
pub fn iverilog(modules: &[Source]) -> Result<(), Complaint> {
    silent("iverilog", "iverilog", modules, |top, files| {
        let mut args: Vec<String> =
            ["-g2005", "-Wall", "-t", "null", "-s", top].map(str::to_string).into();
        args.extend_from_slice(files);
        args
    })
}

/// `yosys synth; check -assert` of the first module prints no warning, and no latch is left. The others
/// are black boxes: each is a block of the catalogue and has its own turn.
pub fn yosys(modules: &[Source]) -> Result<(), Complaint> {
    silent("yosys", "yosys", modules, |top, files| {
        let options = std::iter::once("").chain(std::iter::repeat("-lib "));
        let read: String = files
            .iter()
            .zip(options)
            .map(|(file, o)| format!("read_verilog {o}{file}; "))
            .collect();
        // -Q -T -q leave warnings only, and those go to the standard error.
        let script = format!(
            "{read}synth -noshare -noabc -top {top}; check -assert; \
             select -assert-none t:$dlatch t:$_DLATCH_*_ t:$sr t:$dlatchsr"
        );
        ["-Q", "-T", "-q", "-p", &script].map(str::to_string).into()
    })
}

/// Runs a tool on files of the modules, in a directory of their own; any word it prints is a complaint.
fn silent(
    tool: &'static str,
    package: &str,
    modules: &[Source],
    command: impl Fn(&str, &[String]) -> Vec<String>,
) -> Result<(), Complaint> {
    let top = modules.first().map_or("", |module| module.name.as_str());
    let complain = |output: String| Err(Complaint { module: top.into(), tool, output });
    let directory = match write(modules) {
        Ok(directory) => directory,
        Err(error) => return complain(format!("cannot write the modules: {error}")),
    };
    // Relative names keep the user's paths, and their spaces, out of scripts and messages.
    let files: Vec<String> = modules.iter().map(|module| format!("{}.v", module.name)).collect();
    let done = Command::new(tool)
        .args(command(top, &files))
        .current_dir(directory.path() as &Path)
        .output();
    match done {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            complain(format!("{tool} is not installed: run `apt-get install {package}`"))
        }
        Err(error) => complain(format!("cannot run {tool}: {error}")),
        Ok(done) => {
            let said = [done.stdout, done.stderr].concat();
            let said = String::from_utf8_lossy(&said).trim().to_string();
            match (done.status.success(), said.is_empty()) {
                (true, true) => Ok(()),
                (true, false) => complain(said),
                (false, _) => complain(format!("{said}\n({})", done.status)),
            }
        }
    }
}

fn write(modules: &[Source]) -> std::io::Result<tempfile::TempDir> {
    let directory = tempfile::tempdir()?;
    for module in modules {
        std::fs::write(directory.path().join(format!("{}.v", module.name)), &module.text)?;
    }
    Ok(directory)
}
