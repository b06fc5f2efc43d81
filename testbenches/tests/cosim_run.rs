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
        (vec!["run", &path, "--config", "gtx481"], "one of gtx480, thesis"),
        (vec!["run", &path, "--set", "gpu.sm=1"], "there is no key `sm`"),
        (vec!["run", &path, "--series", "100"], "--out"),
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

#[test]
fn a_timed_run_leaves_records_a_series_and_a_trace() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("records").display().to_string();
    let trace = directory.path().join("trace.json").display().to_string();
    let path = job("reduce");
    let options = ["--size", "tiny33", "--sms", "1", "--series", "100", "--trace", &trace];
    let done = cosim(&[&["run", &path, "--out", &out][..], &options].concat());
    assert_eq!(done.status.code(), Some(0), "{}", error(&done));
    let read = |name: &str| std::fs::read_to_string(Path::new(&out).join(name)).unwrap();
    assert!(read("record.json").contains("\"scheduler_cycles\""));
    assert!(read("record.csv").starts_with("kernel,sm,launches,threads_per_block"));
    #[cfg(unix)]
    for name in ["record.json", "record.csv", "series.csv"] {
        use std::os::unix::fs::PermissionsExt;
        let mode = Path::new(&out).join(name).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o644, "{name}: others may read it");
    }
    assert!(read("series.csv").starts_with("start_cycle,warp_instructions"));
    let trace = std::fs::read_to_string(&trace).unwrap();
    assert!(trace.starts_with("{\"displayTimeUnit\"") && trace.contains("bar.sync"), "{trace}");
}

#[test]
fn a_limit_ends_a_run_with_exit_code_4_and_what_was_measured() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().display().to_string();
    let done = cosim(&["run", &job("matmul"), "--max-cycles", "500", "--out", &out]);
    assert_eq!(done.status.code(), Some(4), "{}", error(&done));
    let text = std::fs::read_to_string(directory.path().join("record.json")).unwrap();
    assert!(text.contains("\"ended\": \"max-cycles\"") && text.contains("\"passed\": false"));
}

#[test]
fn records_do_not_depend_on_the_number_of_threads() {
    let record = |threads: &str| {
        let directory = tempfile::tempdir().unwrap();
        let out = directory.path().display().to_string();
        let path = job("bfs");
        let done = cosim(&["run", &path, "--size", "odd", "--threads", threads, "--out", &out]);
        assert_eq!(done.status.code(), Some(0), "{}", error(&done));
        std::fs::read(directory.path().join("record.json")).unwrap()
    };
    let one = record("1");
    assert!(record("2") == one && record("3") == one);
}

/// Sends Ctrl-C to a job that would run for days, with timing or without, and returns its exit code and record.
#[cfg(unix)]
fn interrupted(timed: bool) -> (Option<i32>, String) {
    use std::time::{Duration, Instant};
    let directory = tempfile::tempdir().unwrap();
    let ptx =
        ".version 6.3\n.target sm_70\n.address_size 64\n.entry k() {\nLOOP:\nbra.uni LOOP;\n}";
    std::fs::write(directory.path().join("k.ptx"), ptx).unwrap();
    let text = format!(
        "ptx = \"k.ptx\"\nsteps = [{{ kernel = \"k\", grid = 1, block = 32, timed = {timed} }}]\n"
    );
    let path = directory.path().join("k.toml");
    std::fs::write(&path, text).unwrap();
    let out = directory.path().join("out");
    let mut child = Command::new(env!("CARGO_BIN_EXE_cosim"))
        .args(["run", &path.display().to_string(), "--out", &out.display().to_string()])
        .args(["--max-instructions", "1000000000000", "--sms", "1"])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    // Long enough for it to load its job and to listen.
    std::thread::sleep(Duration::from_secs(2));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let deadline = Instant::now() + Duration::from_secs(60);
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("it does not listen");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    (status.code(), std::fs::read_to_string(out.join("record.json")).unwrap_or_default())
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_with_exit_code_4_and_what_was_measured() {
    for timed in [true, false] {
        let (code, record) = interrupted(timed);
        assert_eq!(code, Some(4), "timed = {timed}: {record}");
        assert!(record.contains("\"ended\": \"interrupted\""), "{record}");
        assert!(record.contains("\"kernel\": \"k\""), "{record}");
        assert!(record.contains("\"warp_instructions\": "), "{record}");
        assert!(!record.contains("\"warp_instructions\": 0"), "timed = {timed}: {record}");
    }
}
