//! The stimulus that a real kernel gave a block, and a stand-alone Verilog testbench that replays it.
//!
//! The vectors are a text file for `$readmemh`: a line a clocked cycle, the inputs, the outputs and a mask of
//! the output bits that mean something, all as one hexadecimal number. Beside it lies `<file>_tb.v`, which
//! needs nothing of Lanewise but the block's Verilog and prints PASS or FAIL.

use crate::image::Layout;
use lanewise_files::whole;
use lanewise_sim::units::{Field, Io};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Rows after which a recording is full.
const MOST_ROWS: usize = 200_000;

/// What is known once an instance has been chosen.
struct Shape {
    entry: String,
    inputs: Layout,
    outputs: Layout,
}

/// The inputs and outputs of the first instance of a block.
pub struct Recording {
    block: String,
    file: PathBuf,
    shape: OnceLock<Shape>,
    rows: Mutex<Vec<String>>,
}

impl Recording {
    /// Records `block` into `file`.
    pub fn new(block: &str, file: &Path) -> Self {
        Recording {
            block: block.into(),
            file: file.into(),
            shape: OnceLock::new(),
            rows: Mutex::default(),
        }
    }

    /// The block that is recorded.
    pub fn block(&self) -> &str {
        &self.block
    }

    /// Whether the instance now made is the one to record: the first of its block.
    pub(super) fn claim<I: Io, O: Io>(&self, block: &str, entry: &str) -> bool {
        let shape =
            Shape { entry: entry.into(), inputs: Layout::of::<I>(), outputs: Layout::of::<O>() };
        block == self.block && self.shape.set(shape).is_ok()
    }

    pub(super) fn row(&self, inputs: &[u32], outputs: &[u32]) {
        let Some(shape) = self.shape.get() else { return };
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        if rows.len() >= MOST_ROWS {
            return;
        }
        let meaning = shape.outputs.meaning(outputs);
        let mut bits = String::new();
        // The first field of the inputs is leftmost.
        for (layout, image) in
            [(&shape.inputs, inputs), (&shape.outputs, outputs), (&shape.outputs, &meaning[..])]
        {
            for (index, field) in layout.fields().iter().enumerate() {
                let words = layout.field(index, image);
                for bit in (0..field.bits()).rev() {
                    bits.push(if words[bit / 32] >> (bit % 32) & 1 != 0 { '1' } else { '0' });
                }
            }
        }
        rows.push(hex(&bits));
    }

    /// Writes the vectors and the testbench; returns the testbench and how many vectors it has.
    pub fn write(&self) -> Result<(PathBuf, usize), String> {
        let Some(shape) = self.shape.get() else {
            return Err(format!("no {} was attached; --attach names mechanisms", self.block));
        };
        let rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = rows.join("\n");
        text.push('\n');
        whole(&self.file, |out| out.write_all(text.as_bytes()))?;
        let stem = self.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let bench = self.file.with_file_name(format!("{stem}_tb.v"));
        let vectors = self.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = testbench(shape, &stem, &vectors, rows.len());
        whole(&bench, |out| out.write_all(text.as_bytes()))?;
        Ok((bench, rows.len()))
    }
}

/// Binary digits as hexadecimal ones.
fn hex(bits: &str) -> String {
    let missing = (4 - bits.len() % 4) % 4;
    let padded = "0".repeat(missing) + bits;
    let digit =
        |nibble: &[u8]| nibble.iter().fold(0, |value, bit| value * 2 + u32::from(bit - b'0'));
    padded
        .as_bytes()
        .chunks(4)
        .map(|nibble| char::from_digit(digit(nibble), 16).unwrap_or('0'))
        .collect()
}

fn bits(fields: &[Field]) -> usize {
    fields.iter().map(Field::bits).sum()
}

/// The testbench as text.
fn testbench(shape: &Shape, stem: &str, vectors: &str, count: usize) -> String {
    let module: String =
        stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let (inputs, outputs) = (shape.inputs.fields(), shape.outputs.fields());
    let (ins, outs) = (bits(inputs), bits(outputs));
    let clocked = lanewise_hw::catalogue::find(&shape.entry)
        .map(|entry| (entry.build)().info().clocked)
        .unwrap_or(true);
    let mut text = String::new();
    let entry = &shape.entry;
    let _ = writeln!(
        text,
        "// Replays what a kernel gave {entry}: {count} clocked cycles from {vectors}."
    );
    let _ = writeln!(
        text,
        "// iverilog -g2005 -o replay {module}_tb.v {entry}.v <its modules>; ./replay"
    );
    let _ = writeln!(text, "`timescale 1ns / 1ps\nmodule {module}_tb;");
    let width = ins + 2 * outs;
    let _ = writeln!(text, "  reg [{}:0] vectors [0:{}];", width - 1, count.max(1) - 1);
    let _ = writeln!(text, "  reg [{}:0] in;\n  reg [{}:0] expected, mask;", ins - 1, outs - 1);
    let _ = writeln!(text, "  wire [{}:0] out;\n  integer row, failures;", outs - 1);
    if clocked {
        let _ = writeln!(text, "  reg clk, rst;");
    }
    let _ = writeln!(text, "\n  {entry} dut (");
    let mut ports: Vec<String> = vec![];
    if clocked {
        ports.extend(["    .clk_i(clk)".to_string(), "    .rst_i(rst)".to_string()]);
    }
    for (fields, bus, suffix, total) in [(inputs, "in", "i", ins), (outputs, "out", "o", outs)] {
        let mut top = total;
        for field in fields {
            let low = top - field.bits();
            ports.push(format!("    .{}_{suffix}({bus}[{}:{low}])", field.name, top - 1));
            top = low;
        }
    }
    let _ = writeln!(text, "{}\n  );\n", ports.join(",\n"));
    let _ = writeln!(text, "  initial begin");
    let _ = writeln!(text, "    $readmemh(\"{vectors}\", vectors);");
    let _ = writeln!(text, "    failures = 0;\n    in = 0;");
    if clocked {
        let _ = writeln!(
            text,
            "    clk = 0;\n    rst = 1;\n    #5 clk = 1;\n    #5 clk = 0;\n    rst = 0;"
        );
    }
    let _ = writeln!(text, "    for (row = 0; row < {count}; row = row + 1) begin");
    let _ = writeln!(text, "      {{in, expected, mask}} = vectors[row];\n      #5;");
    let _ = writeln!(text, "      if (((out ^ expected) & mask) !== 0) begin");
    let _ = writeln!(text, "        if (failures < 10)");
    let _ = writeln!(
        text,
        "          $display(\"row %0d: in %h out %h expected %h\", row, in, out, expected);"
    );
    let _ = writeln!(text, "        failures = failures + 1;\n      end");
    if clocked {
        let _ = writeln!(text, "      clk = 1;\n      #5 clk = 0;");
    }
    let _ = writeln!(text, "    end");
    let _ = writeln!(text, "    if (failures == 0) $display(\"PASS: {count} cycles\");");
    let _ = writeln!(text, "    else $display(\"FAIL: %0d of {count} cycles differ\", failures);");
    let _ = writeln!(text, "    $finish;\n  end\nendmodule");
    text
}
