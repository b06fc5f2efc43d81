//! The ports of a Verilog module as Verilator reads them: names, widths, directions, in order.

use std::collections::HashMap;

use lanewise_sim::units::Direction;

use super::build::write_sources;
use super::source::Source;
use super::tools::{args, Toolchain, VerilatedError, Word};

/// A port as the tool sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerilogPort {
    /// The name, with its `_i` or `_o`.
    pub name: String,
    /// Bits.
    pub bits: usize,
    /// Which way it goes.
    pub direction: Direction,
}

/// The ports of the first module, in the order of its header.
pub fn ports(modules: &[Source]) -> Result<Vec<VerilogPort>, VerilatedError> {
    let tools = Toolchain::from_env();
    let top = modules.first().map_or("", |module| module.name.as_str());
    let directory =
        tempfile::tempdir().map_err(VerilatedError::file("write to", &std::env::temp_dir()))?;
    let files = write_sources(modules, directory.path())?;
    let output = directory.path().join("module.xml");
    let mut command = args([&"--xml-only" as Word, &"--xml-output", &output, &"--Mdir"]);
    command.extend(args([&directory.path() as Word, &"--top-module", &top]));
    command.extend(files.iter().map(Into::into));
    tools.verilator(&command, top)?;
    let xml = std::fs::read_to_string(&output).map_err(VerilatedError::file("read", &output))?;
    read(&xml, top)
}

fn read(xml: &str, top: &str) -> Result<Vec<VerilogPort>, VerilatedError> {
    let missing = |what: String| VerilatedError::Ports { module: top.into(), what };
    let widths: HashMap<&str, usize> = xml
        .lines()
        .filter(|line| line.trim_start().starts_with("<basicdtype "))
        .filter_map(|line| {
            let left: usize = attribute(line, "left").map_or(Ok(0), str::parse).ok()?;
            Some((attribute(line, "id")?, left + 1))
        })
        .collect();
    let mut lines = xml.lines().skip_while(|line| !line.contains("topModule=\"1\""));
    lines.next().ok_or_else(|| missing("top module".into()))?;
    let mut found = Vec::new();
    for line in lines.take_while(|line| !line.contains("</module>")) {
        let (true, Some(direction)) =
            (line.trim_start().starts_with("<var "), attribute(line, "dir"))
        else {
            continue;
        };
        let name = attribute(line, "name").ok_or_else(|| missing("port name".into()))?;
        let index: usize = attribute(line, "pinIndex")
            .and_then(|index| index.parse().ok())
            .ok_or_else(|| missing(format!("place for port {name}")))?;
        let bits = attribute(line, "dtype_id")
            .and_then(|id| widths.get(id))
            .ok_or_else(|| missing(format!("width for port {name}")))?;
        let direction = match direction {
            "input" => Direction::In,
            "output" => Direction::Out,
            other => return Err(missing(format!("plain direction for port {name}: {other}"))),
        };
        found.push((index, VerilogPort { name: name.into(), bits: *bits, direction }));
    }
    found.sort_by_key(|(index, _)| *index);
    Ok(found.into_iter().map(|(_, port)| port).collect())
}

/// The value of `name="..."` in a line of Verilator's XML, which puts one element on a line.
fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let start = line.find(&format!(" {name}=\""))? + name.len() + 3;
    let length = line[start..].find('"')?;
    Some(&line[start..start + length])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_come_in_header_order_with_their_widths() {
        let text =
            "module m (input wire clk_i, input wire [70:0] wide_i, output wire [2:0] out_o);\n\
                    assign out_o = wide_i[2:0] & {3{clk_i}};\nendmodule\n";
        let found = ports(&[Source { name: "m".into(), text: text.into() }]).expect("ports");
        let port = |name: &str, bits, direction| VerilogPort { name: name.into(), bits, direction };
        assert_eq!(
            found,
            [
                port("clk_i", 1, Direction::In),
                port("wide_i", 71, Direction::In),
                port("out_o", 3, Direction::Out)
            ]
        );
    }
}
