//! Every cycle that is told is a core cycle of the SM: in differences and in waveforms, over several launches.

use super::command::{planted, run};

/// A job of three launches on one SM.
const JOB: [&str; 4] = ["--size", "tiny33", "--sms", "1"];

/// The time stamps of a VCD file.
fn times(file: &str) -> Vec<u64> {
    let text = std::fs::read_to_string(file).unwrap();
    text.lines().filter_map(|line| line.strip_prefix('#')?.parse().ok()).collect()
}

#[test]
fn a_late_bug_in_a_combinational_block_is_told_in_its_cycle() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().display().to_string();
    // A machine without mechanisms knows when two instructions issue together for the first time.
    let done = run("backprop", &[&JOB[..], &["--series", "1", "--out", &out]].concat());
    assert_eq!(done.code, Some(0), "{}", done.err);
    let series = std::fs::read_to_string(directory.path().join("series.csv")).unwrap();
    let double = series.lines().find(|line| line.split(',').nth(1) == Some("2"));
    let cycle: u64 = double.unwrap().split(',').next().unwrap().parse().unwrap();
    assert!(cycle > 300, "late enough to tell cycles from calls: {cycle}");

    let bad = planted(
        "crisp_classifier.v",
        "store_stall_o = may_stall",
        "store_stall_o = issued_i[1] | may_stall",
    );
    let verilog = bad.path().display().to_string();
    let options =
        ["--attach", "crisp", "--units", "lockstep", "--verilog", &verilog, "--out", &out];
    let done = run("backprop", &[&JOB[..], &options].concat());
    assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
    let says =
        format!("crisp_classifier (sm0/crisp_classifier) differs in cycle {cycle}: store_stall");
    assert!(done.err.contains(&says), "{says}: {}", done.err);
    let waveform = done.err.lines().find_map(|l| l.trim().strip_prefix("waveform: ")).unwrap();
    let times = times(waveform);
    assert!(times.len() > 50, "the cycles before are in it: {times:?}");
    assert_eq!(times.last(), Some(&((cycle + 1) * 10)));
}

#[test]
fn waveforms_end_with_the_machine() {
    let directory = tempfile::tempdir().unwrap();
    for block in ["crisp_counters", "crisp_classifier", "fold_controller"] {
        let file = directory.path().join(block).display().to_string();
        let wave = ["--wave", &file, "--wave-blocks", block, "--wave-cycles", "0..1000000"];
        let options = [&JOB[..], &["--attach", "crisp,folding"], &wave].concat();
        let done = run("backprop", &options);
        assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
        // The sum over all launches.
        let cycles = done.out.lines().find_map(|line| line.strip_prefix("crisp (SM 0): ")).unwrap();
        let cycles: u64 = cycles.split(' ').next().unwrap().parse().unwrap();
        let times = times(&file);
        assert!(times.is_sorted(), "{block}: time goes forward");
        let last = times.last().unwrap() / 10;
        // A combinational block that goes on as it was is not told of.
        let least = if block == "crisp_classifier" { cycles / 2 } else { cycles };
        assert!((least..=cycles).contains(&last), "{block}: {last} of {cycles} cycles");
    }
}

#[test]
fn the_first_difference_is_the_same_for_any_number_of_threads() {
    let bad = planted("reshift_stage.v", "(temp_mask_i),", "(temp_mask_i & 32'hffff_fffe),");
    let verilog = bad.path().display().to_string();
    let said = |threads: &str| {
        let directory = tempfile::tempdir().unwrap();
        let out = directory.path().display().to_string();
        let done = run(
            "matmul",
            &[
                "--size",
                "default",
                "--sms",
                "4",
                "--threads",
                threads,
                "--attach",
                "lanes",
                "--units",
                "lockstep",
                "--verilog",
                &verilog,
                "--out",
                &out,
            ],
        );
        assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
        let files = std::fs::read_dir(directory.path()).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let waves: Vec<String> = names.filter(|name| name.ends_with(".vcd")).collect();
        assert_eq!(waves.len(), 1, "one waveform: {waves:?}");
        done.err.replace(&out, "")
    };
    let one = said("1");
    assert!(one.contains("reshift_stage (sm0/sp0"), "the first by cycle and name: {one}");
    for _ in 0..3 {
        assert_eq!(said("4"), one);
    }
}
