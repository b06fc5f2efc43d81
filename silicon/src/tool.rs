//! Yosys and its companions: run, and missed with a sentence that helps.

use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use crate::Error;

/// Runs `program` in `folder`; what it printed, or why it failed.
pub fn run(
    program: &str,
    package: &'static str,
    what: &str,
    folder: &Path,
    args: &[&str],
) -> Result<String, Error> {
    let output =
        Command::new(program).args(args).current_dir(folder).output().map_err(|reason| {
            if reason.kind() == ErrorKind::NotFound {
                Error::Missing { program: program.into(), package }
            } else {
                Error::Refused {
                    program: program.into(),
                    what: what.into(),
                    reason: reason.to_string(),
                }
            }
        })?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(printed);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said
        .lines()
        .chain(printed.lines())
        .find(|line| line.contains("ERROR"))
        .or_else(|| said.lines().last())
        .unwrap_or("it said nothing");
    let reason = format!("{} ({})", line.trim().trim_start_matches("ERROR: "), output.status);
    Err(Error::Refused { program: program.into(), what: what.into(), reason })
}

/// Runs a Yosys script in `folder`.
pub fn yosys(what: &str, folder: &Path, script: &str) -> Result<(), Error> {
    let file = folder.join("script.ys");
    std::fs::write(&file, script).map_err(Error::file("write", &file))?;
    run("yosys", "yosys", what, folder, &["-Q", "-T", "-q", "-s", "script.ys"]).map(|_| ())
}

/// Yosys' version, without the build's details: `Yosys 0.23`.
pub fn yosys_version() -> Result<String, Error> {
    static VERSION: OnceLock<String> = OnceLock::new();
    if let Some(version) = VERSION.get() {
        return Ok(version.clone());
    }
    let said = run("yosys", "yosys", "-V", Path::new("."), &["-V"])?;
    let version = said.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    Ok(VERSION.get_or_init(|| version).clone())
}
