//! What cannot be done is refused before the run, with what to change.

use super::command::run;

#[test]
fn options_that_would_do_nothing_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().display().to_string();
    let wave = ["--wave", "OUT/x.vcd", "--wave-blocks"];
    let wave = |more: &[&'static str]| [&wave[..], more].concat();
    for (options, says) in [
        (wave(&["shift_stag"]), "there is no block `shift_stag`; there are addend_align,"),
        (
            wave(&["dwl_gate", "--attach", "lanes"]),
            "no dwl_gate is attached to this machine, which has reshift_stage,",
        ),
        (wave(&["shift_stage", "--wave-cycles", "500..100"]), "there is no cycle in it"),
        (vec!["--wave-blocks", "shift_stage"], "--wave <FILE>"),
        (vec!["--wave-cycles", "0..9"], "--wave <FILE>"),
        (vec!["--functional", "--verilog", "verilog_out"], "cannot be used with"),
        (vec!["--functional", "--wave-cycles", "0..9"], "cannot be used with"),
        (
            vec!["--verilog", "verilog_out"],
            "no unit of this machine uses Verilog; add --units verilated",
        ),
        (
            vec!["--verilog", "verilog_out", "--units", "rtl", "--attach", "crisp"],
            "no unit of this machine uses Verilog",
        ),
        (vec!["--unit", "gang_issue=model"], "--unit: no gang_issue is attached"),
        (vec!["--unit", "dwl_gate=model", "--attach", "lanes"], "--unit: no dwl_gate is attached"),
        (
            vec!["--record", "dwl_gate=OUT/x.hex", "--attach", "lanes"],
            "--record: no dwl_gate is attached",
        ),
        (
            vec!["--trace", "OUT/x.json", "--set", "mechanisms.attach=lanes"],
            "add `--set mechanisms.attach=`",
        ),
        (
            vec!["--series", "9", "--out", "OUT", "--set", "mechanisms.attach=lanes"],
            "add `--set mechanisms.attach=`",
        ),
        (vec!["--series", "0", "--out", "OUT"], "--series <CYCLES>"),
        (vec!["--threads", "0"], "--threads <N>"),
    ] {
        let options: Vec<String> = options.iter().map(|o| o.replace("OUT", &out)).collect();
        let done = run("vecadd", &options.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(done.code, Some(2), "{options:?}: {}", done.err);
        assert!(done.err.contains(says), "{options:?}: {}", done.err);
        assert_eq!(done.out, "", "{options:?}: nothing has run");
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn verilog_that_is_not_there_is_not_a_matter_of_the_cache() {
    let done = run("vecadd", &["--units", "verilated", "--verilog", "/nowhere"]);
    assert_eq!(done.code, Some(2), "{}", done.err);
    assert!(done.err.contains("/nowhere/") && done.err.contains("named after it"), "{}", done.err);
    assert!(!done.err.contains("LANEWISE_CACHE"), "{}", done.err);
}

#[test]
fn files_that_cannot_be_written_are_found_before_the_run() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let below = file.path().join("below").display().to_string();
    let record = format!("shift_stage={below}");
    for options in [
        &["--record", &record][..],
        &["--wave", &below, "--wave-blocks", "shift_stage"],
        &["--out", &below],
        &["--out", &below, "--functional"],
        &["--trace", &below],
    ] {
        let done = run("vecadd", options);
        assert_eq!(done.code, Some(2), "{options:?}: {}", done.err);
        assert!(done.err.contains(&below), "{options:?}: {}", done.err);
        assert_eq!(done.out, "", "{options:?}: nothing has run");
    }
}
