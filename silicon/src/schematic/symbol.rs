//! A block from outside: a box with its ports, inputs left and outputs right.

use super::svg::{Picture, CHARACTER, SMALL};
use crate::manifest::{Direction, Module, Port};

const ROW: f64 = 20.0;
const GAP: f64 = 10.0;
const STUB: f64 = 34.0;
const HEAD: f64 = 44.0;

/// The symbol of a module.
pub fn draw(module: &Module) -> String {
    let inputs: Vec<&Port> = module.ports_of(Direction::Input).collect();
    let outputs: Vec<&Port> = module.ports_of(Direction::Output).collect();
    let longest =
        |ports: &[&Port]| ports.iter().map(|port| port.name.len()).max().unwrap_or(0) as f64;
    let widths = |ports: &[&Port]| {
        ports.iter().map(|port| range(port.width).len()).max().unwrap_or(0) as f64 * SMALL
    };
    let inside = (longest(&inputs) + longest(&outputs)) * CHARACTER + 60.0;
    let width = inside.max(module.module.len() as f64 * CHARACTER + 40.0);
    let (left, right) = (widths(&inputs) + STUB + 8.0, widths(&outputs) + STUB + 8.0);
    let (rows_left, rows_right) = (rows(&inputs), rows(&outputs));
    let last = |rows: &[f64]| rows.last().copied().unwrap_or(0.0);
    let height = HEAD + last(&rows_left).max(last(&rows_right)) + ROW;
    let top = 10.0;
    let mut picture = Picture::default();
    picture.rect("block", left, top, width, height, 3.0);
    picture.text("name", "middle", left + width / 2.0, top + 22.0, &module.module);
    for (port, row) in inputs.iter().zip(&rows_left) {
        let y = top + HEAD + row;
        let clock = module.clocked && port.name == "clk_i";
        stub(&mut picture, port, left - STUB, left, y, "end", left - STUB - 4.0);
        let indent = if clock { 14.0 } else { 8.0 };
        picture.text("", "start", left + indent, y + 4.0, &port.name);
        if clock {
            let mark = format!("M{left:.1} {:.1} l8 5 l-8 5", y - 5.0);
            picture.path("mark", &mark);
        }
    }
    let edge = left + width;
    for (port, row) in outputs.iter().zip(&rows_right) {
        let y = top + HEAD + row;
        stub(&mut picture, port, edge, edge + STUB, y, "start", edge + STUB + 4.0);
        picture.text("", "end", edge - 8.0, y + 4.0, &port.name);
    }
    picture.finish(&format!("{}: symbol", module.module), edge + right, height + 2.0 * top)
}

/// Where each port is; clock and reset, data, and configuration stand apart.
fn rows(ports: &[&Port]) -> Vec<f64> {
    let group = |port: &Port| match port.name.as_str() {
        "clk_i" | "rst_i" => 0,
        name if name.starts_with("cfg_") => 2,
        _ => 1,
    };
    let mut y = 0.0;
    let mut before: Option<i32> = None;
    ports
        .iter()
        .map(|port| {
            let apart = before.is_some_and(|before| before != group(port));
            y += if before.is_none() { 0.0 } else { ROW } + if apart { GAP } else { 0.0 };
            before = Some(group(port));
            y
        })
        .collect()
}

fn stub(picture: &mut Picture, port: &Port, x0: f64, x1: f64, y: f64, anchor: &str, label: f64) {
    let class = if port.width > 1 { "bus" } else { "wire" };
    picture.path(class, &format!("M{x0:.1} {y:.1} H{x1:.1}"));
    if port.width > 1 {
        picture.text("small", anchor, label, y + 3.5, &range(port.width));
    }
}

/// Bits as Verilog writes them.
pub fn range(width: usize) -> String {
    if width > 1 {
        format!("[{}:0]", width - 1)
    } else {
        String::new()
    }
}
