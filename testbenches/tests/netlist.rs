//! What Yosys makes of an exported block, as a count of cells.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use lanewise_hw::catalogue;

/// A tiny Liberty library of the simple cells of up to four inputs.
pub const SIMPLE_CELLS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/simple_cells.lib");

/// The cells of a catalogue entry without children after `script`, by type.
pub fn cells(entry: &str, script: &str) -> BTreeMap<String, usize> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("block.v");
    let modules = catalogue::find(entry).expect("in the catalogue").modules().expect("exported");
    std::fs::write(&file, &modules[0].text).expect("writable");
    let statistics = folder.path().join("stat");
    let script = format!(
        "read_verilog {}; prep -top {entry}; {script}; tee -q -o {} stat",
        file.display(),
        statistics.display()
    );
    let output = Command::new("yosys")
        .args(["-Q", "-T", "-q", "-p", &script])
        .output()
        .expect("yosys runs; scripts/setup installs it");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    parse(&statistics)
}

/// The lines after `Number of cells`: a type and how many there are.
fn parse(statistics: &Path) -> BTreeMap<String, usize> {
    let text = std::fs::read_to_string(statistics).expect("yosys wrote its statistics");
    let (_, cells) = text.split_once("Number of cells:").expect("a count of cells");
    cells
        .lines()
        .skip(1)
        .map_while(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?.to_string(), words.next()?.parse().ok()?))
        })
        .collect()
}
