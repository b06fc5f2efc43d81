//! Every module of the catalogue is clean under three tools, and the tools see what they should.

use lanewise_hw::catalogue;
use lanewise_testbenches::lint::{iverilog, verilator, yosys, Complaint};
use lanewise_testbenches::verilated::Source;
use rayon::prelude::*;

fn whole_catalogue(tool: fn(&[Source]) -> Result<(), Complaint>) {
    let complaints: Vec<String> = catalogue::entries()
        .par_iter()
        .filter_map(|entry| {
            let modules = match entry.modules() {
                Ok(modules) => modules.into_iter().map(Source::from).collect::<Vec<_>>(),
                Err(error) => return Some(error.to_string()),
            };
            tool(&modules).err().map(|complaint| complaint.to_string())
        })
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn verilator_has_nothing_to_say() {
    whole_catalogue(verilator);
}

#[test]
fn iverilog_has_nothing_to_say() {
    whole_catalogue(iverilog);
}

#[test]
fn yosys_makes_no_latch_and_has_nothing_to_say() {
    whole_catalogue(yosys);
}

/// A clean module with `body` in it.
fn module(body: &str) -> Vec<Source> {
    let text = format!(
        "module seeded (\n  input  wire [3:0] a_i,\n  input  wire       b_i,\n  \
         output reg  [3:0] y_o\n);\n{body}\nendmodule\n"
    );
    vec![Source { name: "seeded".into(), text }]
}

fn complaint(result: Result<(), Complaint>, says: &str) {
    let text = result.expect_err("the seeded bug is seen").to_string();
    assert!(text.contains(says), "no {says:?} in: {text}");
}

#[test]
fn the_clean_module_passes_so_that_the_seeded_bugs_are_what_fails() {
    let clean = module("  always @(*) begin\n    y_o = b_i ? a_i : 4'd0;\n  end");
    for tool in [verilator, iverilog, yosys] {
        tool(&clean).unwrap_or_else(|complaint| panic!("{complaint}"));
    }
}

#[test]
fn a_latch_is_seen() {
    let latch = module("  always @(*) begin\n    if (b_i) y_o = a_i;\n  end");
    complaint(verilator(&latch), "LATCH");
    complaint(yosys(&latch), "latch");
}

#[test]
fn a_width_mismatch_is_seen() {
    let wide = module("  always @(*) begin\n    y_o = {b_i, a_i};\n  end");
    complaint(verilator(&wide), "WIDTH");
}

#[test]
fn an_unused_input_is_seen() {
    let unused = module("  always @(*) begin\n    y_o = a_i;\n  end");
    complaint(verilator(&unused), "UNUSED");
}

#[test]
fn a_multiple_driver_is_seen() {
    let twice =
        module("  wire x;\n  assign x = b_i;\n  assign x = a_i[0];\n  always @(*) y_o = {4{x}};");
    complaint(yosys(&twice), "multiple");
}

#[test]
fn a_syntax_error_and_an_unknown_name_are_seen() {
    complaint(iverilog(&module("  always @(*) y_o = a_i +;")), "syntax error");
    complaint(iverilog(&module("  always @(*) y_o = a_i & unknown;")), "unknown");
}

#[test]
fn systemverilog_is_not_verilog_2005() {
    complaint(iverilog(&module("  always_comb y_o = a_i & {4{b_i}};")), "syntax error");
}
