//! Runs the `cosim` binary.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What the binary printed and how it ended.
pub struct Done {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Done {
    fn from(output: Output) -> Self {
        Done {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The job of a kernel.
pub fn job(kernel: &str) -> String {
    root().join("kernels").join(kernel).join(format!("{kernel}.toml")).display().to_string()
}

/// Every kernel.
pub fn kernels() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("kernels")).expect("the kernels are there");
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// `cosim run` of a kernel with these options.
pub fn run(kernel: &str, options: &[&str]) -> Done {
    run_job(Path::new(&job(kernel)), options)
}

/// `cosim run` of a job with these options.
pub fn run_job(job: &Path, options: &[&str]) -> Done {
    let output = Command::new(env!("CARGO_BIN_EXE_cosim"))
        .arg("run")
        .arg(job)
        .args(options)
        .output()
        .unwrap_or_else(|e| panic!("cosim does not start: {e}"));
    output.into()
}

/// The share of warp instructions that folded, as a run says it; 0 if it says nothing.
pub fn folded_percent(done: &Done) -> f64 {
    let line = done.out.lines().find_map(|line| line.strip_suffix(" % folded"));
    line.and_then(|line| line.rsplit(' ').next()?.parse().ok()).unwrap_or(0.0)
}

/// A directory with all exported Verilog in which one file has been changed.
pub fn planted(file: &str, find: &str, replace: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for entry in std::fs::read_dir(root().join("verilog_out")).expect("the export is there") {
        let path = entry.expect("a directory entry").path();
        if path.extension().is_some_and(|e| e == "v") {
            let name = path.file_name().expect("a file has a name");
            std::fs::copy(&path, directory.path().join(name)).expect("it can be copied");
        }
    }
    let path = directory.path().join(file);
    let text = std::fs::read_to_string(&path).expect("the file to plant in");
    let bad = text.replacen(find, replace, 1);
    assert_ne!(bad, text, "{file} has no {find:?}");
    std::fs::write(&path, bad).expect("it can be written");
    directory
}
