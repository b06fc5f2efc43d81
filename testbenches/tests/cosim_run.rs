//! `cosim run` as users see it: verdicts, exit codes, records.

use std::path::Path;
use std::process::{Command, Output};

fn cosim(args: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_cosim")).args(args).output();
    output.unwrap_or_else(|e| panic!("cosim does not start: {e}"))
}

fn job(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels");
    root.join(name).join(format!("{name}.toml")).display().to_string()
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_good_job_passes_and_leaves_a_record() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("records").display().to_string();
    let path = job("vecadd");
    let done = cosim(&["run", &path, "--functional", "--size", "tiny33", "--out", &out]);
    assert_eq!(done.status.code(), Some(0), "{}", error(&done));
    let text = std::fs::read_to_string(Path::new(&out).join("record.json")).unwrap();
    assert!(text.contains("\"passed\": true") && text.contains("\"size\": \"tiny33\""), "{text}");
    let again = directory.path().join("again").display().to_string();
    cosim(&["run", &path, "--functional", "--size", "tiny33", "--out", &again]);
    let repeated = std::fs::read_to_string(Path::new(&again).join("record.json")).unwrap();
    assert_eq!(text, repeated, "the same job gives the same record");
}

#[test]
fn a_failed_expectation_is_exit_code_1() {
    let directory = tempfile::tempdir().unwrap();
    let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.entry k() { ret; }";
    std::fs::write(directory.path().join("k.ptx"), ptx).unwrap();
    let text = "ptx = \"k.ptx\"\nsteps = [{ kernel = \"k\", grid = 1, block = 1 }]\n\
                [buffers]\na = { type = \"s32\", values = [1, 2] }\nb = { type = \"s32\", values = [1, -7] }\n\
                [[expect]]\nbuffer = \"a\"\nequals = \"b\"\n";
    let path = directory.path().join("k.toml");
    std::fs::write(&path, text).unwrap();
    let done = cosim(&["run", &path.display().to_string(), "--functional"]);
    assert_eq!(done.status.code(), Some(1));
    assert!(error(&done).contains("element 1 is 2, expected -7; 1 of 2 elements differ"));
}

#[test]
fn bad_input_is_exit_code_2_with_a_remedy() {
    let path = job("vecadd");
    for (args, reason) in [
        (vec!["run", &path], "--functional"),
        (vec!["run", "no-such-job.toml", "--functional"], "no-such-job.toml"),
        (vec!["run", &path, "--functional", "--size", "tiny32"], "did you mean `tiny33`?"),
        (vec!["run", &path, "--functional", "--max-instructions", "3"], "--max-instructions"),
        (vec!["run", &path, "--functoinal"], "--functional"),
    ] {
        let done = cosim(&args);
        assert_eq!(done.status.code(), Some(2), "{args:?}");
        assert!(error(&done).contains(reason), "{args:?}: {}", error(&done));
    }
}
