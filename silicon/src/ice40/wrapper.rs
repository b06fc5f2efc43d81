//! A block between two shift registers, so that one with thousands of ports fits on five pins.

use std::fmt::Write;

use crate::manifest::{Direction, Module, Port};

/// Bits of the ports that the wrapper serves: all but clock and reset.
pub fn bits(module: &Module, direction: Direction) -> usize {
    served(module, direction).map(|port| port.width).sum()
}

fn served(module: &Module, direction: Direction) -> impl Iterator<Item = &Port> {
    module.ports_of(direction).filter(|port| !matches!(port.name.as_str(), "clk_i" | "rst_i"))
}

/// The name of a module's wrapper.
pub fn name(module: &Module) -> String {
    format!("{}_serial", module.module)
}

/// A module that shifts inputs in, and captures outputs with `load_i` to shift them out.
pub fn verilog(module: &Module) -> String {
    let (inputs, outputs) = (bits(module, Direction::Input), bits(module, Direction::Output));
    let name = name(module);
    let mut text = format!(
        "module {name} (\n  input  wire clk_i,\n  input  wire rst_i,\n  input  wire load_i,\n  \
         input  wire shift_i,\n  output wire shift_o\n);\n\n  reg  [{0}:0] in_q;\n  \
         reg  [{1}:0] out_q;\n  wire [{1}:0] out;\n\n  assign shift_o = out_q[{1}];\n\n  \
         always @(posedge clk_i) begin\n    in_q <= (in_q << 1) | shift_i;\n    \
         out_q <= load_i ? out : (out_q << 1);\n  end\n\n  {2} u_block (\n",
        inputs - 1,
        outputs - 1,
        module.module
    );
    let mut lines = Vec::new();
    if module.clocked {
        lines.push("    .clk_i (clk_i)".to_string());
        lines.push("    .rst_i (rst_i)".to_string());
    }
    for (direction, vector) in [(Direction::Input, "in_q"), (Direction::Output, "out")] {
        let mut from = 0;
        for port in served(module, direction) {
            lines.push(format!("    .{} ({vector}[{from} +: {}])", port.name, port.width));
            from += port.width;
        }
    }
    writeln!(text, "{}\n  );\n\nendmodule", lines.join(",\n"))
        .expect("a String takes all that is written to it");
    text
}
