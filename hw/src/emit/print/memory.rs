//! Writes memories in the one form that Verilator, Icarus and Yosys all take for a RAM without a word.

use super::super::signal::{Memory, Table};
use std::fmt::Write;

/// Bits of a memory, all its copies together.
pub fn bits(table: &Table, memory: &Memory) -> usize {
    let width = table.signals[memory.write_data].width;
    (width << table.signals[memory.write_addr].width) * memory.count.unwrap_or(1)
}

/// The memories of a module, an array of them as a generate loop.
pub fn memories(table: &Table) -> String {
    let bodies: Vec<_> = table.memories.iter().map(|memory| one(table, memory)).collect();
    bodies.join("\n")
}

fn one(table: &Table, memory: &Memory) -> String {
    let (addr, width) =
        (table.signals[memory.write_addr].width, table.signals[memory.write_data].width);
    let (pad, words) = match memory.count {
        None => ("  ", format!("{}_mem", memory.name)),
        Some(_) => ("      ", "mem".to_string()),
    };
    // Bits of a port that belong to one copy, and within it to one read port.
    let port = |id: usize, width: usize, ports: usize, at: usize| {
        let name = &table.signals[id].name;
        let each = width * ports;
        match (memory.count, each, width) {
            (None, _, _) if ports == 1 => name.clone(),
            (None, _, 1) => format!("{name}[{at}]"),
            (None, _, _) => format!("{name}[{}:{}]", (at + 1) * width - 1, at * width),
            (Some(_), 1, _) => format!("{name}[g]"),
            (Some(_), _, _) if at == 0 => format!("{name}[g*{each} +: {width}]"),
            (Some(_), _, _) => format!("{name}[g*{each} + {} +: {width}]", at * width),
        }
    };
    let mut text = String::new();
    let _ = writeln!(text, "{pad}reg [{}:0] {words} [0:{}];\n", width - 1, (1usize << addr) - 1);
    let _ = writeln!(text, "{pad}always @(posedge clk_i) begin");
    let _ = writeln!(text, "{pad}  if ({}) begin", port(memory.write, 1, 1, 0));
    let _ = writeln!(
        text,
        "{pad}    {words}[{}] <= {};",
        port(memory.write_addr, addr, 1, 0),
        port(memory.write_data, width, 1, 0)
    );
    let _ = writeln!(text, "{pad}  end\n{pad}end\n");
    for read in 0..memory.reads {
        let _ = writeln!(
            text,
            "{pad}assign {} = {words}[{}];",
            port(memory.read_data, width, memory.reads, read),
            port(memory.read_addr, addr, memory.reads, read)
        );
    }
    let valid = table.find(&memory.valid_by).map_or(&memory.valid_by, |id| &table.signals[id].name);
    let remark = format!("  // Memory without reset: a word means something only under {valid}.\n");
    match memory.count {
        None => remark + &text,
        Some(count) => format!(
            "{remark}  generate\n    for (g = 0; g < {count}; g = g + 1) begin : g_{}\n{text}    end\n  \
             endgenerate\n",
            memory.name
        ),
    }
}
