//! However a run ends, what was listened to is written, and a difference outweighs everything else.

use super::command::{job, planted, run};
use std::process::{Command, Stdio};

#[test]
fn a_difference_outweighs_a_recording_that_cannot_be_written() {
    let bad = planted("reshift_stage.v", "(temp_mask_i),", "(temp_mask_i & 32'hffff_fffe),");
    let directory = tempfile::tempdir().unwrap();
    let (verilog, out) = (bad.path().display().to_string(), directory.path().display().to_string());
    // The second recording is in a directory of the name that the first one's testbench wants.
    let first = format!("shift_stage={out}/a.hex");
    let second = format!("reshift_stage={out}/a_tb.v/b.hex");
    let done = run(
        "vecadd",
        &[
            "--size",
            "tiny33",
            "--sms",
            "1",
            "--attach",
            "lanes",
            "--units",
            "lockstep",
            "--verilog",
            &verilog,
            "--out",
            &out,
            "--record",
            &first,
            "--record",
            &second,
        ],
    );
    assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
    assert!(done.err.contains("reshift_stage (sm0/sp"), "{}", done.err);
    assert!(done.err.contains("a_tb.v: "), "and says what else is wrong: {}", done.err);
    assert!(directory.path().join("a_tb.v/b_tb.v").exists(), "the other recording is written");
}

#[test]
fn a_kernel_that_faults_because_of_its_units_fails_and_leaves_what_was_listened_to() {
    // Addresses go through the lanes too.
    let bad =
        planted("reshift_stage.v", "restored_o = held_result_q", "restored_o = ~held_result_q");
    let directory = tempfile::tempdir().unwrap();
    let (verilog, out) = (bad.path().display().to_string(), directory.path().display().to_string());
    let (record, wave) = (format!("shift_stage={out}/a.hex"), format!("{out}/a.vcd"));
    let options = [
        "--size",
        "tiny33",
        "--sms",
        "1",
        "--attach",
        "lanes",
        "--verilog",
        &verilog,
        "--record",
        &record,
        "--wave",
        &wave,
        "--wave-blocks",
        "reshift_stage",
        "--out",
        &out,
        "--units",
    ];
    let done = run("vecadd", &[&options[..], &["verilated"]].concat());
    assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
    assert!(done.err.contains("vecadd.ptx"), "the fault is told: {}", done.err);
    assert!(done.out.contains("recorded "), "{}", done.out);
    for file in ["a.hex", "a_tb.v", "a.vcd"] {
        let bytes = std::fs::read(directory.path().join(file)).unwrap();
        assert!(!bytes.is_empty(), "{file}");
    }
    // The unit that misleads the kernel differs from its model, here in the same run.
    let done =
        run("vecadd", &[&options[..], &["verilated", "--unit", "reshift_stage=lockstep"]].concat());
    assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
}

#[test]
fn a_reader_that_goes_away_stops_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().display().to_string();
    let mut cosim = Command::new(env!("CARGO_BIN_EXE_cosim"))
        .args(["run", &job("vecadd"), "--size", "tiny33", "--sms", "1", "--out", &out])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(cosim.stdout.take());
    let done = cosim.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&done.stderr), "");
    assert_eq!(done.status.code(), Some(0));
    assert!(directory.path().join("record.json").exists());
}
