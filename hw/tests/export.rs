//! The command line of export-verilog: what it writes, what it refuses, and what `--check` notices.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_export-verilog")).args(arguments).output().unwrap()
}

fn code_and_message(arguments: &[&str]) -> (i32, String) {
    let output = run(arguments);
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn path(folder: &Path) -> &str {
    folder.to_str().unwrap()
}

#[test]
fn two_exports_are_byte_identical_and_pass_the_check() {
    let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    assert!(run(&["--out", path(a.path())]).status.success());
    assert!(run(&["--out", path(b.path())]).status.success());
    let mut files = 0;
    for entry in fs::read_dir(a.path()).unwrap().flatten() {
        let twin = b.path().join(entry.file_name());
        assert_eq!(fs::read(entry.path()).unwrap(), fs::read(twin).unwrap());
        files += 1;
    }
    assert_eq!(files, fs::read_dir(b.path()).unwrap().count());
    assert_eq!(code_and_message(&["--check", "--out", path(a.path())]).0, 0);
}

#[test]
fn what_is_checked_in_is_what_the_blocks_export() {
    let checked_in = concat!(env!("CARGO_MANIFEST_DIR"), "/../verilog_out");
    assert_eq!(code_and_message(&["--check", "--out", checked_in]), (0, String::new()));
}

#[test]
fn the_check_names_a_file_with_one_changed_character() {
    let folder = tempfile::tempdir().unwrap();
    run(&["--out", path(folder.path())]);
    let file = folder.path().join("idle_counters.v");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("^ step", "| step", 1)).unwrap();
    let (code, message) = code_and_message(&["--check", "--out", path(folder.path())]);
    assert_eq!(code, 1);
    assert!(message.contains("idle_counters.v:"), "{message}");
    assert!(!message.contains("split_mask.v"), "{message}");
}

#[test]
fn the_check_names_missing_and_stray_modules() {
    let folder = tempfile::tempdir().unwrap();
    run(&["--out", path(folder.path())]);
    fs::remove_file(folder.path().join("split_mask.v")).unwrap();
    fs::write(folder.path().join("stray.v"), "").unwrap();
    let (code, message) = code_and_message(&["--check", "--out", path(folder.path())]);
    assert_eq!(code, 1);
    assert!(message.contains("split_mask.v") && message.contains("stray.v"), "{message}");
}

#[test]
fn one_block_comes_with_what_it_instantiates_and_leaves_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    run(&["--out", path(folder.path()), "--block", "lane_shift", "--param", "width=1"]);
    assert!(folder.path().join("lane_shift__width_1.v").exists());
    assert!(folder.path().join("lane_shift_cluster__width_1.v").exists());
    assert!(!folder.path().join("idle_counters.v").exists());
    run(&["--out", path(folder.path()), "--block", "idle_counters"]);
    let manifest = fs::read_to_string(folder.path().join("manifest.json")).unwrap();
    assert!(manifest.contains("\"lane_shift__width_1\"") && manifest.contains("\"idle_counters\""));
}

#[test]
fn bad_requests_say_what_to_do_and_write_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = path(folder.path());
    for (arguments, remedy) in [
        (vec!["--block", "idle_counter"], "did you mean `idle_counters`?"),
        (vec!["--block", "lane_shift", "--param", "depth=4"], "has no parameter `depth`; it has"),
        (vec!["--block", "lane_shift", "--param", "width=7"], "the catalogue has:"),
        (vec!["--block", "idle_counters", "--param", "width=7"], "drop --param width"),
        (vec!["--param", "width=1"], "needs --block"),
        (vec!["--block", "lane_shift", "--param", "width"], "write it as NAME=VALUE"),
    ] {
        let (code, message) = code_and_message(&[&["--out", out][..], &arguments].concat());
        assert_eq!(code, 2, "{message}");
        assert!(message.contains(remedy), "{message}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn an_unwritable_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let (code, message) = code_and_message(&["--out", path(&file.join("below"))]);
    assert_eq!(code, 2);
    assert!(message.contains("cannot write") && message.contains("--out"), "{message}");
}
