//! The replays in testbenches/verilog are what their README says they are, and they pass.

use super::command::root;
use super::simulators::{commands, exported, iverilog};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The most that a shipped file may weigh.
const MOST_BYTES: usize = 100_000;

/// The replays of a directory: testbenches and vectors, by name.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "v" || e == "hex")).collect();
    found.sort();
    found
}

#[test]
fn the_shipped_replays_are_up_to_date_and_pass() {
    let (shipped, fresh) = (root().join("testbenches/verilog"), tempfile::tempdir().unwrap());
    for command in commands("testbenches/verilog/README.md", "cosim run ") {
        let here = fresh.path().display().to_string();
        let command = command.replace("testbenches/verilog", &here);
        let ran = Command::new(env!("CARGO_BIN_EXE_cosim"))
            .args(command.split_whitespace().skip(1))
            .current_dir(root())
            .output()
            .unwrap();
        // 4: stopped at --max-cycles.
        let error = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(matches!(ran.status.code(), Some(0 | 4)), "{command}: {error}");
    }
    let name = |path: &PathBuf| path.file_name().unwrap().to_owned();
    let (old, new) = (files(&shipped), files(fresh.path()));
    assert_eq!(
        old.iter().map(name).collect::<Vec<_>>(),
        new.iter().map(name).collect::<Vec<_>>(),
        "run the commands of testbenches/verilog/README.md"
    );
    for (old, new) in old.iter().zip(&new) {
        let (was, is) = (std::fs::read(old).unwrap(), std::fs::read(new).unwrap());
        assert!(was == is, "{} is old: run the commands of its README.md", old.display());
        assert!(is.len() <= MOST_BYTES, "{}: {} bytes", new.display(), is.len());
        if new.extension().is_some_and(|e| e == "v") {
            let said = iverilog(new, &exported());
            assert!(said.contains("PASS: "), "{}: {said}", new.display());
        }
    }
}
