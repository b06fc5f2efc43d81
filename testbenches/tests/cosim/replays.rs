//! Recordings replay under other simulators, for every block and over several launches, and can fail.

use super::command::{planted, run};
use super::simulators::{commands, exported, iverilog, shell};
use std::path::Path;

/// Every block that can be attached.
const BLOCKS: [&str; 17] = [
    "all_ones_detector",
    "crisp_classifier",
    "crisp_counters",
    "crisp_light",
    "crisp_plus",
    "crit_model",
    "drowsy_regions",
    "dwl_gate",
    "fold_controller",
    "group_counters",
    "lane_power_gate",
    "lead_model",
    "miss_model",
    "reshift_stage",
    "result_collector",
    "shift_stage",
    "stall_model",
];

/// Runs a kernel with models and records blocks, each into a file of its name; what the run printed.
fn record(kernel: &str, blocks: &[&str], directory: &Path, options: &[&str]) -> String {
    let files = blocks.iter().map(|block| directory.join(format!("{block}.hex")));
    let records: Vec<String> =
        files.zip(blocks).map(|(file, block)| format!("{block}={}", file.display())).collect();
    let mut all = vec!["--size", "tiny33", "--sms", "1", "--units", "model"];
    all.extend(records.iter().flat_map(|record| ["--record", record]));
    all.extend(options);
    let done = run(kernel, &all);
    assert!(matches!(done.code, Some(0 | 4)), "{}{}", done.out, done.err);
    done.out
}

#[test]
fn every_block_replays_a_job_of_several_launches() {
    let directory = tempfile::tempdir().unwrap();
    // Three launches; counters of CRISP and its rivals are reset before each.
    let out = record("backprop", &BLOCKS, directory.path(), &[]);
    for block in BLOCKS {
        let line = out.lines().find(|line| line.contains(&format!(" of {block}: ")));
        let line = line.unwrap_or_else(|| panic!("{block} was not recorded: {out}"));
        let resets = ["crisp_c", "crisp_l", "crisp_p", "crit", "lead", "miss", "stall"];
        let counts = block != "crisp_classifier" && resets.iter().any(|b| block.starts_with(b));
        assert_eq!(line.contains(" and 3 resets of "), counts, "{line}");
        let said = iverilog(&directory.path().join(format!("{block}_tb.v")), &exported());
        let cycles = said.trim().strip_prefix("PASS: ").and_then(|n| n.strip_suffix(" cycles"));
        let cycles: usize =
            cycles.and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("{block}: {said}"));
        assert!(cycles > 0, "{block}: {said}");
        assert!(line.starts_with(&format!("recorded {cycles} cycles")), "{line}: {said}");
    }
}

#[test]
fn the_commands_of_the_page_say_pass_and_fail_without_a_warning() {
    let directory = tempfile::tempdir().unwrap();
    let bad = planted("split_mask.v", "32'h33333333", "32'h33333331");
    let file = directory.path().join("shift.hex").display().to_string();
    let options = ["--size", "tiny33", "--sms", "1", "--record", &format!("shift_stage={file}")];
    assert_eq!(run("reduce", &options).code, Some(0));
    let bench = std::fs::read_to_string(directory.path().join("shift_tb.v")).unwrap();
    for simulator in ["iverilog ", "verilator "] {
        for command in commands("docs/cosimulation.md", simulator) {
            assert!(
                bench.contains(&format!("// $ {command}\n")),
                "the testbench names it: {command}"
            );
            let said = shell(&command, directory.path(), &exported());
            assert!(said.contains("PASS: "), "{command}: {said}");
            let said = shell(&command, directory.path(), bad.path());
            assert!(said.contains("FAIL: "), "{command}: {said}");
        }
    }
}

#[test]
fn a_combinational_block_can_fail_and_so_can_nothing_at_all() {
    let directory = tempfile::tempdir().unwrap();
    record("reduce", &["crisp_classifier"], directory.path(), &[]);
    let bench = directory.path().join("crisp_classifier_tb.v");
    let bad = planted("crisp_classifier.v", "may_stall = !(busy", "may_stall = (busy");
    assert!(iverilog(&bench, bad.path()).contains("FAIL: "));
    let out = record("reduce", &["crisp_classifier"], directory.path(), &["--max-cycles", "0"]);
    assert!(out.contains("recorded 0 cycles of crisp_classifier"), "{out}");
    assert!(iverilog(&bench, &exported()).contains("FAIL: there are no vectors"));
}

#[test]
fn a_file_of_any_name_replays() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("2nd run-of.it.hex").display().to_string();
    let record = format!("crisp_classifier={file}");
    let done = run("vecadd", &["--size", "tiny33", "--sms", "1", "--record", &record]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    let said = iverilog(&directory.path().join("2nd run-of.it_tb.v"), &exported());
    assert!(said.contains("PASS: "), "{said}");
}
