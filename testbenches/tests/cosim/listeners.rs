//! Recordings replay under other simulators, waveforms open, and bad options are explained.

use super::command::{planted, root, run};
use std::path::Path;
use std::process::Command;

/// Compiles and runs a replay under iverilog with the Verilog of a directory; what it printed.
fn iverilog(bench: &Path, verilog: &Path) -> String {
    let directory = bench.parent().unwrap();
    let program = directory.join("replay");
    let mut compile = Command::new("iverilog");
    compile.args(["-g2005", "-Wall", "-o"]).arg(&program).arg(bench);
    compile.arg("-y").arg(verilog).arg("-Y").arg(".v");
    let compiled = compile.output().expect("iverilog starts");
    let messages = String::from_utf8_lossy(&compiled.stderr).into_owned();
    assert!(compiled.status.success(), "{messages}");
    let ran = Command::new(&program).current_dir(directory).output().expect("the replay starts");
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

/// The same under Verilator.
fn verilator(bench: &Path, verilog: &Path) -> String {
    let directory = bench.parent().unwrap();
    let stem = bench.file_stem().unwrap().to_string_lossy().into_owned();
    let mut build = Command::new("verilator");
    build.args(["--binary", "--timing", "-Wno-fatal", "--top-module", &stem, "--Mdir"]);
    build.arg(directory.join("obj")).arg("-y").arg(verilog).arg(bench);
    let built = build.output().expect("verilator starts");
    let messages = String::from_utf8_lossy(&built.stderr).into_owned();
    assert!(built.status.success(), "{messages}");
    let program = directory.join("obj").join(format!("V{stem}"));
    let ran = Command::new(program).current_dir(directory).output().expect("the replay starts");
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

#[test]
fn a_recording_replays_without_rust_and_can_fail() {
    let directory = tempfile::tempdir().unwrap();
    for (block, file) in [("shift_stage", "shift.hex"), ("all_ones_detector", "ones.hex")] {
        let path = directory.path().join(file);
        let record = format!("{block}={}", path.display());
        let done = run(
            "reduce",
            &["--size", "tiny33", "--sms", "1", "--units", "model", "--record", &record],
        );
        assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    }
    let bench = directory.path().join("shift_tb.v");
    let verilog = root().join("verilog_out");
    assert!(iverilog(&bench, &verilog).contains("PASS"));
    assert!(verilator(&bench, &verilog).contains("PASS"));
    let bad = planted("split_mask.v", "32'h33333333", "32'h33333331");
    assert!(iverilog(&bench, bad.path()).contains("FAIL"));
    assert!(iverilog(&directory.path().join("ones_tb.v"), &verilog).contains("PASS"));
}

#[test]
fn waveforms_have_a_scope_for_each_instance() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("lanes.vcd");
    let name = file.display().to_string();
    let done = run(
        "vecadd",
        &[
            "--size",
            "tiny33",
            "--sms",
            "1",
            "--attach",
            "lanes,gating",
            "--wave",
            &name,
            "--wave-blocks",
            "shift_stage,lane_power_gate",
            "--wave-cycles",
            "0..800",
        ],
    );
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    let text = std::fs::read(&file).unwrap();
    let mut parser = vcd::Parser::new(&text[..]);
    let header = parser.parse_header().expect("a VCD header");
    for scope in ["sm0.sp0.shift_stage", "sm0.sp0.int.lane_power_gate"] {
        assert!(header.find_scope(&[scope]).is_some(), "{scope}");
    }
    let mut last = 0;
    for command in parser.by_ref() {
        if let vcd::Command::Timestamp(time) = command.expect("a VCD command") {
            assert!(time >= last, "time goes forward");
            last = time;
        }
    }
    assert!(last > 100);
}

#[test]
fn bad_options_name_the_remedy() {
    for (options, says) in [
        (&["--units", "fpga"][..], "there are model, rtl, verilated"),
        (&["--attach", "wings"], "there are lanes, gating, folding"),
        (&["--unit", "shift_stag=model"], "there is no block `shift_stag`"),
        (&["--unit", "shift_stage"], "write shift_stage=lockstep"),
        (&["--record", "shift_stage"], "write shift_stage=shift_stage.hex"),
        (&["--wave", "x.vcd", "--wave-blocks", "shift_stage", "--wave-cycles", "ten"], "FROM..TO"),
        (&["--units", "verilated", "--verilog", "/nowhere"], "/nowhere"),
    ] {
        let done = run("vecadd", options);
        assert_eq!(done.code, Some(2), "{options:?}: {}", done.err);
        assert!(done.err.contains(says), "{options:?}: {}", done.err);
    }
}
