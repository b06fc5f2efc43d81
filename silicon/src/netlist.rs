//! Yosys' JSON netlists, reduced to cells, nets and names.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::manifest::Direction;
use crate::Error;

/// One flat module.
#[derive(Clone, Debug)]
pub struct Netlist {
    /// Its name.
    pub module: String,
    /// Ports in alphabetical order.
    pub ports: Vec<Port>,
    /// Cells in alphabetical order.
    pub cells: Vec<Cell>,
    /// For each net the name of the signal bit it carries, the same in every netlist of the module.
    names: Vec<String>,
    /// Every signal bit that a net carries; one net may carry several.
    aliases: BTreeMap<String, Bit>,
}

/// A bundle of nets at the edge.
#[derive(Clone, Debug)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Which way it goes.
    pub direction: Direction,
    /// Its bits, lowest first.
    pub bits: Vec<Bit>,
}

/// One instance.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Its name.
    pub name: String,
    /// The library cell.
    pub kind: String,
    /// Its pins and what they are connected to; a pin has one bit.
    pub pins: Vec<(String, Bit)>,
}

/// What a pin is connected to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bit {
    /// A net, by number.
    Net(usize),
    /// A constant.
    Constant(bool),
}

impl Cell {
    /// What a pin is connected to.
    pub fn bit(&self, pin: &str) -> Option<Bit> {
        self.pins.iter().find(|(name, _)| name == pin).map(|(_, bit)| *bit)
    }
}

impl Netlist {
    /// Reads the module `module` from a JSON file of Yosys.
    pub fn load(path: &Path, module: &str) -> Result<Netlist, Error> {
        let found = json::load(path, module)?;
        Netlist::build(module, found)
            .map_err(|reason| Error::Netlist { module: module.into(), reason })
    }

    fn build(name: &str, module: json::Module) -> Result<Netlist, String> {
        let mut ports = Vec::new();
        for (port, found) in module.ports {
            let bits = bits(&found.bits)?;
            ports.push(Port { name: port, direction: found.direction, bits });
        }
        let mut cells = Vec::new();
        for (cell, found) in module.cells {
            let mut pins = Vec::new();
            for (pin, connected) in found.connections {
                match bits(&connected)?[..] {
                    [bit] => pins.push((pin, bit)),
                    _ => return Err(format!("{} {cell} is not a gate: pin {pin}", found.kind)),
                }
            }
            cells.push(Cell { name: cell, kind: found.kind, pins });
        }
        let mut named: BTreeMap<usize, (bool, usize, String)> = BTreeMap::new();
        let mut aliases = BTreeMap::new();
        for (signal, found) in module.netnames {
            let signal_bits = bits(&found.bits)?;
            for (index, bit) in signal_bits.iter().enumerate() {
                let name = if signal_bits.len() == 1 {
                    signal.clone()
                } else {
                    format!("{signal}[{index}]")
                };
                if let Bit::Net(net) = bit {
                    // A name from the source beats one that Yosys made up, and the outermost beats
                    // those of the same signal in children.
                    let depth = name.matches('.').count();
                    let rank = (found.hide_name != 0, depth, name.clone());
                    let entry = named.entry(*net).or_insert_with(|| rank.clone());
                    if rank < *entry {
                        *entry = rank;
                    }
                }
                if found.hide_name == 0 {
                    aliases.insert(name, *bit);
                }
            }
        }
        let highest = |cells: &[Cell]| {
            cells
                .iter()
                .flat_map(|cell| cell.pins.iter().map(|(_, bit)| *bit))
                .chain(ports.iter().flat_map(|port| port.bits.iter().copied()))
                .filter_map(|bit| match bit {
                    Bit::Net(net) => Some(net),
                    Bit::Constant(_) => None,
                })
                .max()
        };
        let count = highest(&cells).max(named.keys().copied().max()).map_or(0, |net| net + 1);
        let mut names: Vec<String> = (0..count).map(|net| format!("net{net}")).collect();
        for (net, (_, _, name)) in named {
            names[net] = name;
        }
        Ok(Netlist { module: name.into(), ports, cells, names, aliases })
    }

    /// How many nets there may be: every net's number is below.
    pub fn nets(&self) -> usize {
        self.names.len()
    }

    /// The name of a net.
    pub fn name(&self, net: usize) -> &str {
        &self.names[net]
    }

    /// What the signal bit `name` of the source is here, if it is still there.
    pub fn signal(&self, name: &str) -> Option<Bit> {
        self.aliases.get(name).copied()
    }

    /// The signal bits of the source that a net carries.
    pub fn signals(&self) -> impl Iterator<Item = (&str, Bit)> {
        self.aliases.iter().map(|(name, bit)| (name.as_str(), *bit))
    }

    /// Bits of the ports of one direction.
    pub fn port_bits(&self, direction: Direction) -> impl Iterator<Item = Bit> + '_ {
        self.ports
            .iter()
            .filter(move |port| port.direction == direction)
            .flat_map(|port| port.bits.iter().copied())
    }
}

fn bits(found: &[json::Bit]) -> Result<Vec<Bit>, String> {
    found
        .iter()
        .map(|bit| match bit {
            json::Bit::Net(net) => Ok(Bit::Net(*net)),
            json::Bit::Constant(text) => match text.as_str() {
                "1" => Ok(Bit::Constant(true)),
                // Nobody reads an undefined bit, or it may as well be zero.
                "0" | "x" => Ok(Bit::Constant(false)),
                other => Err(format!("a pin is tied to {other:?}")),
            },
        })
        .collect()
}

/// Yosys' JSON as it is.
pub(crate) mod json {
    use super::*;
    use serde_json::value::RawValue;

    #[derive(Deserialize)]
    struct Design<'a> {
        /// FPGA cells come along as modules of their own; only the one that is asked for is read.
        #[serde(borrow)]
        modules: BTreeMap<String, &'a RawValue>,
    }

    /// Reads one module of a file.
    pub fn load(path: &Path, module: &str) -> Result<Module, Error> {
        let text = fs::read_to_string(path).map_err(Error::file("read", path))?;
        let wrong = |reason: String| Error::Json {
            path: path.into(),
            reason,
            remedy: "delete target/silicon and run again",
        };
        let design: Design =
            serde_json::from_str(&text).map_err(|reason| wrong(reason.to_string()))?;
        let found = design.modules.get(module).ok_or_else(|| wrong(format!("no {module}")))?;
        serde_json::from_str(found.get()).map_err(|reason| wrong(reason.to_string()))
    }

    #[derive(Deserialize)]
    pub struct Module {
        pub ports: BTreeMap<String, Port>,
        pub cells: BTreeMap<String, Cell>,
        pub netnames: BTreeMap<String, Name>,
    }

    #[derive(Deserialize)]
    pub struct Port {
        pub direction: Direction,
        pub bits: Vec<Bit>,
    }

    #[derive(Deserialize)]
    pub struct Cell {
        #[serde(rename = "type")]
        pub kind: String,
        #[serde(default)]
        pub port_directions: BTreeMap<String, Direction>,
        pub connections: BTreeMap<String, Vec<Bit>>,
    }

    #[derive(Deserialize)]
    pub struct Name {
        #[serde(default)]
        pub hide_name: u8,
        pub bits: Vec<Bit>,
    }

    #[derive(Clone, Deserialize, PartialEq, Eq, Hash)]
    #[serde(untagged)]
    pub enum Bit {
        Net(usize),
        Constant(String),
    }
}
