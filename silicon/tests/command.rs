//! The command line: what it prints, what it refuses, and with which exit code.

use std::path::Path;
use std::process::{Command, Output};

const VERILOG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../verilog_out");
/// A real library, from Debian's qflow-tech-osu018.
const OSU018: &str = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";

fn area() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_area"));
    command.args(["--verilog", VERILOG]);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// One line on standard error that says `says`, and exit code 2.
fn refused(output: &Output, says: &str) {
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains(says), "no {says:?} in: {error}");
    assert_eq!(error.trim_end().lines().count(), 1, "{error}");
    assert!(output.stdout.is_empty());
}

fn with_library(contents: &[u8]) -> Output {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("cells.lib");
    std::fs::write(&file, contents).expect("writable");
    area().arg("--liberty").arg(&file).output().expect("area runs")
}

#[test]
fn numbers_are_the_same_in_every_run() {
    let run = || {
        let output = area().args(["--block", "crisp_classifier", "--json"]).output();
        text(&output.expect("area runs").stdout)
    };
    let first = run();
    assert!(first.contains("\"latches\": 0") && first.contains("\"module\": \"crisp_classifier\""));
    assert_eq!(first, run());
}

#[test]
fn a_block_brings_its_variants_and_one_module_its_cells() {
    let run =
        |name: &str| text(&area().args(["--block", name]).output().expect("area runs").stdout);
    let block = run("stall_model");
    assert!(block.contains("stall_model__width_10") && !block.contains("DFF_X1"), "{block}");
    let module = run("stall_model__width_10");
    assert!(module.contains("11 DFF_X1") && module.contains("longest path"), "{module}");
}

#[test]
fn results_can_go_to_a_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("cost.json");
    let status = area()
        .args(["--block", "crisp_classifier", "--json", "--out"])
        .arg(&file)
        .status()
        .expect("area runs");
    assert!(status.success());
    assert!(std::fs::read_to_string(&file).expect("written").contains("crisp_classifier"));
}

#[test]
fn a_real_library_works() {
    assert!(Path::new(OSU018).exists(), "scripts/setup installs {OSU018}");
    let output = area()
        .args(["--liberty", OSU018, "--block", "idle_counters", "--block", "split_mask"])
        .output()
        .expect("area runs");
    let said = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let row = said.lines().find(|line| line.starts_with("idle_counters")).expect("a row");
    let fields: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(fields[2], "96", "{row}");
    let mhz: f64 = fields[8].parse().expect("the library has delays");
    // At 180 nm, 96 counters of three bits run at some hundred MHz, not ten and not ten thousand.
    assert!((100.0..3000.0).contains(&mhz), "{row}");
}

#[test]
fn a_library_that_is_not_there_is_refused() {
    let output = area().args(["--liberty", "no/such.lib"]).output().expect("area runs");
    refused(&output, "cannot read no/such.lib");
}

#[test]
fn what_is_not_a_library_is_refused() {
    refused(&with_library(b"module m; endmodule\n"), "cells.lib:1: expected library");
    refused(&with_library(b"library (l) {\n  cell (A) {\n"), "cells.lib:2: the file ends");
    refused(&with_library(&[0xff, 0xfe, 0x00]), "not a text file");
}

#[test]
fn a_library_without_flip_flops_is_refused() {
    let whole = include_str!("../liberty/lanewise45.lib");
    let (gates, _) = whole.split_once("  cell (DFF_X1)").expect("a flip-flop");
    let output = with_library(format!("{gates}}}\n").as_bytes());
    refused(&output, "the library has no flip-flop");
}

#[test]
fn an_unknown_block_is_refused() {
    let output = area().args(["--block", "nonsense"]).output().expect("area runs");
    refused(&output, "no block \"nonsense\"");
}

#[test]
fn missing_yosys_is_named_with_its_package() {
    let output = area().args(["--block", "split_mask"]).env("PATH", "/nowhere").output();
    refused(&output.expect("area runs"), "yosys is not installed: run `apt-get install yosys`");
}

#[test]
fn verilog_that_is_not_there_is_refused() {
    let output = Command::new(env!("CARGO_BIN_EXE_area")).args(["--verilog", "/nowhere"]).output();
    refused(&output.expect("area runs"), "cannot read /nowhere/manifest.json");
}
