//! Writes the text of a module: header, ports, declarations, instances, logic, registers.

mod expression;
mod memory;
mod statement;

use super::signal::{Instance, Role};
use super::wiring::{Connection, Plan};
use super::{Error, Heading, Module, PortShape};
use crate::rtl::{Info, Port};
use expression::{literal, place_text};
use std::fmt::Write;

/// Lines are at most this long where the grammar allows it.
const COLUMNS: usize = 100;

/// Prints a module.
pub fn module(info: &Info, heading: &Heading, plan: &Plan) -> Result<Module, Error> {
    let printer = Printer { plan, info };
    let ports = printer.ports()?;
    let mut text = printer.header(heading);
    text += "`default_nettype none\n\n";
    let _ = writeln!(text, "module {} (\n{}\n);", heading.name, printer.port_list(&ports));
    for section in [
        printer.constants(),
        printer.declarations(),
        printer.instances(),
        statement::logic(plan),
        statement::registers(plan),
        memory::memories(&plan.table),
    ] {
        if !section.is_empty() {
            text += "\n";
            text += &section;
        }
    }
    text += "\nendmodule\n\n`default_nettype wire\n";
    let mut children: Vec<_> = plan.table.instances.iter().map(|i| i.module.clone()).collect();
    children.sort();
    children.dedup();
    let state_bits = plan.table.registers.iter().map(|r| plan.table.signals[r.now].bits()).sum();
    let ram_bits = plan.table.memories.iter().map(|m| memory::bits(&plan.table, m)).sum();
    Ok(Module { name: heading.name.into(), text, children, ports, state_bits, ram_bits })
}

struct Printer<'a> {
    plan: &'a Plan,
    info: &'a Info,
}

/// `[31:0] ` or nothing for one bit.
fn range(bits: usize) -> String {
    if bits == 1 {
        String::new()
    } else {
        format!("[{}:0] ", bits - 1)
    }
}

/// Breaks prose into comment lines.
fn remark(text: &str) -> String {
    let mut lines = String::new();
    let mut line = String::from("//");
    for word in text.split_whitespace() {
        if line.len() + 1 + word.len() > COLUMNS - 4 {
            let _ = writeln!(lines, "{line}");
            line = String::from("//");
        }
        line.push(' ');
        line.push_str(word);
    }
    let _ = writeln!(lines, "{line}");
    lines
}

impl Printer<'_> {
    fn header(&self, heading: &Heading) -> String {
        let info = self.info;
        let mut text = String::from("// SPDX-License-Identifier: MIT OR Apache-2.0\n//\n");
        text += &remark(&format!("{}: {}", heading.name, info.promise));
        text += "//\n";
        text += &remark(&format!("Mechanism: {} ({}).", info.paper.title(), info.section));
        if !heading.params.is_empty() {
            let params: Vec<_> =
                heading.params.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            text += &remark(&format!("Built with {}.", params.join(", ")));
        }
        if self.plan.table.signals.iter().any(|s| !s.dims.is_empty()) {
            text += &remark("Arrays are packed into vectors, element 0 in the low bits.");
        }
        text += &remark(&format!(
            "Exported from hw/src/{}/{}.rs by export-verilog; change it there.",
            info.family, info.name
        ));
        text + "\n"
    }

    /// The ports, checked against the block's own list.
    fn ports(&self) -> Result<Vec<PortShape>, Error> {
        let table = &self.plan.table;
        let mut listed = self.info.ports.iter();
        let mut ports = vec![];
        for signal in &table.signals {
            let (direction, suffix) = match signal.role {
                Role::Input => ("input", "_i"),
                Role::Output => ("output", "_o"),
                Role::ClockOrReset if !signal.name.is_empty() => {
                    let doc = if signal.name == "clk_i" {
                        "clock"
                    } else {
                        "synchronous reset, active high"
                    };
                    ports.push(PortShape {
                        name: signal.name.clone(),
                        direction: "input",
                        width: 1,
                        element_width: None,
                        doc,
                    });
                    continue;
                }
                _ => continue,
            };
            let matching = listed.next().filter(|Port { name, input, .. }| {
                format!("{name}{suffix}") == signal.name && *input == (direction == "input")
            });
            let Some(port) = matching else {
                return Err(table.error(
                    format!("`{}` is not the next port of rtl_block!", signal.name),
                    "rtl_block!".into(),
                    "list the ports in the order of the struct",
                ));
            };
            ports.push(PortShape {
                name: signal.name.clone(),
                direction,
                width: signal.bits(),
                element_width: (!signal.dims.is_empty()).then_some(signal.width),
                doc: port.doc,
            });
        }
        let clocked = ports.iter().take(2).map(|p| p.name.as_str()).eq(["clk_i", "rst_i"]);
        if clocked != self.info.clocked || listed.next().is_some() {
            return Err(table.error(
                "clock, reset or ports differ from rtl_block!".into(),
                "rtl_block!".into(),
                "list every port, and say `clocked` only with clock and reset first",
            ));
        }
        Ok(ports)
    }

    fn port_list(&self, ports: &[PortShape]) -> String {
        let ranges = ports.iter().map(|p| range(p.width).len()).max().unwrap_or(0);
        let names = ports.iter().map(|p| p.name.len()).max().unwrap_or(0);
        let mut lines = vec![];
        for (at, port) in ports.iter().enumerate() {
            let kind = match port.direction {
                "input" => "input  wire",
                _ if self.is_variable(&port.name) => "output reg ",
                _ => "output wire",
            };
            let comma = if at + 1 < ports.len() { "," } else { "" };
            let declaration =
                format!("  {kind} {:>ranges$}{}{comma}", range(port.width), port.name);
            let column = 2 + 12 + ranges + names + 1;
            let line = format!("{declaration:column$} // {}", port.doc);
            if line.len() <= COLUMNS {
                lines.push(line);
            } else {
                lines.extend(remark(port.doc).lines().map(|l| format!("  {l}")));
                lines.push(declaration);
            }
        }
        lines.join("\n")
    }

    /// Whether a signal is assigned in an `always` block and must be a `reg`.
    fn is_variable(&self, name: &str) -> bool {
        self.plan.groups.iter().filter(|g| g.as_assign().is_none()).any(|group| {
            let mut found = false;
            group.statements.iter().for_each(|s| {
                s.visit(&mut |_| {}, &mut |p| {
                    found |= self.plan.table.signals[p.signal].name == name
                })
            });
            found
        })
    }

    fn constants(&self) -> String {
        let mut text = String::new();
        for signal in &self.plan.table.signals {
            if let Role::Constant(value) = &signal.role {
                let digits = value.split_once("'h").map_or(value.as_str(), |(_, digits)| digits);
                let value = u128::from_str_radix(digits, 16).unwrap_or(0);
                let _ = writeln!(
                    text,
                    "  localparam {}{} = {};",
                    range(signal.width),
                    signal.name,
                    literal(value, signal.width)
                );
            }
        }
        text
    }

    fn declarations(&self) -> String {
        let table = &self.plan.table;
        let mut lines = vec![];
        for (id, signal) in table.signals.iter().enumerate() {
            let kind = match signal.role {
                Role::Local | Role::RegisterNext => {
                    if self.is_variable(&signal.name) {
                        "reg "
                    } else {
                        "wire"
                    }
                }
                Role::RegisterNow => "reg ",
                Role::RamRead => "wire",
                Role::ChildInput(_) | Role::ChildOutput(_)
                    if self.plan.connections.get(&id) == Some(&Connection::Net) =>
                {
                    if self.is_variable(&signal.name) {
                        "reg "
                    } else {
                        "wire"
                    }
                }
                _ => continue,
            };
            lines.push((kind, range(signal.bits()), &signal.name));
        }
        let width = lines.iter().map(|(_, range, _)| range.len()).max().unwrap_or(0);
        lines.iter().fold(String::new(), |mut text, (kind, range, name)| {
            let _ = writeln!(text, "  {kind} {range:>width$}{name};");
            text
        })
    }

    fn instances(&self) -> String {
        let instances = &self.plan.table.instances;
        let mut text = String::new();
        if instances.iter().any(|i| i.count.is_some())
            || self.plan.table.memories.iter().any(|m| m.count.is_some())
        {
            text += "  genvar g;\n\n";
        }
        let bodies: Vec<_> = instances.iter().map(|i| self.instance(i)).collect();
        text + &bodies.join("\n")
    }

    fn instance(&self, instance: &Instance) -> String {
        let table = &self.plan.table;
        let mut pins = vec![];
        if instance.clocked {
            pins.push(("clk_i".to_string(), "clk_i".to_string()));
            pins.push(("rst_i".to_string(), "rst_i".to_string()));
        }
        for &port in &instance.ports {
            let signal = &table.signals[port];
            let net = match &self.plan.connections[&port] {
                Connection::Place(place) => place_text(table, place),
                Connection::Literal { value, width } => literal(*value, *width),
                Connection::Net => match instance.count {
                    None => signal.name.clone(),
                    Some(count) if signal.bits() == count => format!("{}[g]", signal.name),
                    Some(count) => {
                        let width = signal.bits() / count;
                        format!("{}[g*{width} +: {width}]", signal.name)
                    }
                },
            };
            pins.push((signal.port.clone(), net));
        }
        let width = pins.iter().map(|(pin, _)| pin.len()).max().unwrap_or(0);
        let pins: Vec<_> =
            pins.iter().map(|(pin, net)| format!("    .{pin:width$} ({net})")).collect();
        let body =
            format!("  {} u_{} (\n{}\n  );\n", instance.module, instance.name, pins.join(",\n"));
        let Some(count) = instance.count else { return body };
        let indented: String = body.lines().map(|line| format!("    {line}\n")).collect();
        format!(
            "  generate\n    for (g = 0; g < {count}; g = g + 1) begin : g_{}\n{indented}    end\n  \
             endgenerate\n",
            instance.name
        )
    }
}
