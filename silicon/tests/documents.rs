//! What is checked in is what the tool writes: the page of costs and the pictures.
//!
//! The normal run compares the page's fingerprint and the rows of quick modules; `LANEWISE_FULL=1`
//! writes the whole page again.

use std::fs;
use std::path::Path;
use std::process::Command;

use lanewise_silicon::cache;
use lanewise_silicon::cost::Cost;
use lanewise_silicon::manifest::Manifest;
use lanewise_silicon::report::{fingerprint, line};
use lanewise_silicon::synthesis::Technology;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// Modules whose rows are made again in every run, of all families.
const QUICK: [&str; 6] = [
    "split_mask",
    "lane_shift_cluster__variant_fold",
    "idle_counters",
    "fold_controller",
    "crisp_classifier",
    "drowsy_regions__blocks_16",
];

fn page() -> String {
    fs::read_to_string(Path::new(ROOT).join("docs/silicon.md")).expect("the page is checked in")
}

#[test]
fn the_page_is_of_this_verilog_and_library() {
    let manifest = Manifest::load(&Path::new(ROOT).join("verilog_out")).expect("a manifest");
    let technology = Technology::lanewise45().expect("the project's library");
    let now = fingerprint(&manifest, &technology).expect("a fingerprint");
    assert!(
        page().contains(&now),
        "docs/silicon.md is of another export or another Yosys: run `scripts/area --report`"
    );
}

#[test]
fn rows_of_quick_modules_are_what_synthesis_gives() {
    let manifest = Manifest::load(&Path::new(ROOT).join("verilog_out")).expect("a manifest");
    let technology = Technology::lanewise45().expect("the project's library");
    let cache = cache::standard();
    let page = page();
    for module in QUICK {
        let source = manifest.source(module).expect("in the manifest");
        let row = line(&Cost::of(&source, &technology, &cache).expect("a cost"));
        // The page may have one more column, the share of a reference lane.
        let row = row.trim_end_matches(" |");
        assert!(page.contains(row), "not in docs/silicon.md: {row}; run `scripts/area --report`");
    }
}

#[test]
fn the_whole_page_is_what_the_tool_writes() {
    if std::env::var_os("LANEWISE_FULL").is_none() {
        return;
    }
    check(&["--report", "--check"], Path::new(ROOT), 0);
}

/// Runs the tool in a folder; what it said on standard error.
fn check(args: &[&str], folder: &Path, code: i32) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_area"))
        .args(args)
        .current_dir(folder)
        .output()
        .expect("area runs");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{error}");
    error
}

#[test]
fn the_pictures_are_those_of_the_exported_verilog() {
    check(&["--schematics", "--check"], Path::new(ROOT), 0);
}

#[test]
fn a_picture_that_was_changed_is_seen() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().to_str().expect("a plain path");
    let block = ["--block", "crisp_classifier", "--schematics", path];
    check(&block, Path::new(ROOT), 0);
    let check_again = [&block[..], &["--check"]].concat();
    check(&check_again, Path::new(ROOT), 0);
    let file = folder.path().join("crisp_classifier.inside.svg");
    let drawn = fs::read_to_string(&file).expect("drawn");
    fs::write(&file, drawn.replacen("lsq_full_i", "lsq_fell_i", 1)).expect("writable");
    let said = check(&check_again, Path::new(ROOT), 1);
    assert!(
        said.contains("crisp_classifier.inside.svg") && said.contains("scripts/area"),
        "{said}"
    );
}
