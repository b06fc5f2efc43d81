//! Other people's Verilog simulators, run as users run them.

use super::command::root;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles and runs a replay under iverilog with the Verilog of a directory; what it printed.
pub fn iverilog(bench: &Path, verilog: &Path) -> String {
    let directory = bench.parent().expect("a testbench is in a directory");
    let program = bench.with_extension("vvp");
    let mut compile = Command::new("iverilog");
    compile.args(["-g2005", "-Wall", "-o"]).arg(&program).arg(bench);
    compile.arg("-y").arg(verilog).arg("-Y").arg(".v");
    let compiled = compile.output().expect("iverilog starts");
    let messages = String::from_utf8_lossy(&compiled.stderr).into_owned();
    assert!(compiled.status.success(), "{messages}");
    assert!(!messages.contains("_tb.v"), "no warning of the testbench: {messages}");
    let ran = Command::new("vvp").arg(&program).current_dir(directory).output();
    String::from_utf8_lossy(&ran.expect("the replay starts").stdout).into_owned()
}

/// A command of a page as a shell sees it, in a directory in which `verilog_out` is that Verilog; what it printed.
pub fn shell(command: &str, directory: &Path, verilog: &Path) -> String {
    let link = directory.join("verilog_out");
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink(verilog, &link).expect("a link can be made");
    let ran = Command::new("sh").args(["-ec", command]).current_dir(directory).output();
    let ran = ran.expect("the shell starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(ran.status.success(), "{command}: {}{}", text(&ran.stdout), text(&ran.stderr));
    assert!(!text(&ran.stderr).contains("Warning"), "{command}: {}", text(&ran.stderr));
    text(&ran.stdout)
}

/// The lines of a page's blocks of code that start with a word.
pub fn commands(page: &str, first: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(page)).expect("the page is there");
    let lines = text.lines().filter(|line| line.starts_with(first));
    let found: Vec<String> = lines.map(Into::into).collect();
    assert!(!found.is_empty(), "{page} has no line that starts with `{first}`");
    found
}

/// The exported Verilog.
pub fn exported() -> PathBuf {
    root().join("verilog_out").canonicalize().expect("the export is there")
}
