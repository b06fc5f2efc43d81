//! Waveforms open, and bad options are explained.

use super::command::run;

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
