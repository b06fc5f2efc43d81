//! A stand-alone Verilog testbench that replays a recording: it needs nothing of Lanewise but the block's Verilog.

use super::recording::{bits, Shape};
use std::fmt::Write as _;
use std::path::Path;

/// The name of a module made of a file's: letters, digits and underscores, no digit first.
fn module_name(stem: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let digit_first = stem.starts_with(|c: char| c.is_ascii_digit());
    let first = if digit_first { "_" } else { "" };
    format!("{first}{}_tb", stem.chars().map(letter).collect::<String>())
}

/// The testbench of so many rows in `file`, as text.
///
/// There is no `timescale`: the block has none, and simulators warn of modules with and without in one design.
pub(super) fn testbench(shape: &Shape, file: &Path, rows: usize) -> String {
    let name =
        |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (stem, vectors) = (name(file.file_stem()), name(file.file_name()));
    let quoted = vectors.replace('\\', "\\\\").replace('"', "\\\"");
    let Shape { entry, clocked, inputs, outputs } = shape;
    let (ins, outs) = (bits(inputs), bits(outputs));
    let mut text = format!(
        "// Replays what a kernel gave {entry}: {rows} rows of {vectors}, which is read from the directory in which\n\
         // the simulation runs. Prints PASS or FAIL. The block and its modules are in verilog_out:\n\
         //\n\
         // $ iverilog -g2005 -o replay {stem}_tb.v -y verilog_out -Y .v && ./replay\n\
         // $ verilator --binary --timing -y verilog_out {stem}_tb.v && obj_dir/V{stem}_tb\n\
         module {};\n",
        module_name(&stem)
    );
    // Writing to a string cannot fail.
    let _ = writeln!(text, "  reg [{}:0] vectors [0:{}];", shape.bits() - 1, rows.max(1) - 1);
    let _ = writeln!(text, "  reg [{}:0] in;\n  reg [{}:0] expected, mask;", ins - 1, outs - 1);
    let _ = writeln!(text, "  wire [{}:0] out;\n  integer row, cycles, failures;", outs - 1);
    if *clocked {
        let _ = writeln!(text, "  reg clk, rst;");
    }
    let _ = writeln!(text, "\n  {entry} dut (");
    let mut ports: Vec<String> = vec![];
    if *clocked {
        ports.extend(["    .clk_i(clk)".to_string(), "    .rst_i(rst)".to_string()]);
    }
    for (layout, bus, suffix, total) in [(inputs, "in", "i", ins), (outputs, "out", "o", outs)] {
        let mut top = total;
        for field in layout.fields() {
            let low = top - field.bits();
            ports.push(format!("    .{}_{suffix}({bus}[{}:{low}])", field.name, top - 1));
            top = low;
        }
    }
    let _ = writeln!(text, "{}\n  );\n", ports.join(",\n"));
    let _ = writeln!(text, "  initial begin\n    $readmemh(\"{quoted}\", vectors);");
    let _ = writeln!(text, "    cycles = 0;\n    failures = 0;\n    in = 0;");
    let (row, counts) = match clocked {
        true => {
            text.push_str("    clk = 0;\n    rst = 1;\n    #5 clk = 1;\n    #5 clk = 0;\n");
            // Nothing is meant in a reset: its mask is empty.
            ("{rst, in, expected, mask}", "if (!rst) cycles = cycles + 1;")
        }
        false => ("{in, expected, mask}", "cycles = cycles + 1;"),
    };
    let _ = writeln!(text, "    for (row = 0; row < {rows}; row = row + 1) begin");
    let _ = writeln!(text, "      {row} = vectors[row];\n      #5;\n      {counts}");
    text.push_str(
        "      if (((out ^ expected) & mask) !== 0) begin\n        if (failures < 10)\n          \
         $display(\"row %0d: in %h out %h expected %h\", row, in, out, expected);\n        \
         failures = failures + 1;\n      end\n",
    );
    if *clocked {
        text.push_str("      clk = 1;\n      #5 clk = 0;\n");
    }
    text.push_str(
        "    end\n    if (cycles == 0) $display(\"FAIL: there are no vectors\");\n    \
         else if (failures == 0) $display(\"PASS: %0d cycles\", cycles);\n    \
         else $display(\"FAIL: %0d of %0d cycles differ\", failures, cycles);\n    \
         $finish;\n  end\nendmodule\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_file_name_makes_a_module_name() {
        for (stem, name) in [
            ("shift", "shift_tb"),
            ("2nd run.a-b", "_2nd_run_a_b_tb"),
            ("\u{fc}", "__tb"),
            ("", "_tb"),
        ] {
            assert_eq!(module_name(stem), name);
        }
    }
}
