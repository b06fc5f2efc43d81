//! A module as a reader thinks of it: ports, registers, children and, for each signal of the source
//! that is computed, one cloud with the operators behind it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::manifest::{Direction, Module};
use crate::netlist::json;

/// Nodes and the wires between them.
#[derive(Debug)]
pub struct Diagram {
    /// In a fixed order: inputs, children, registers, clouds, outputs.
    pub nodes: Vec<Node>,
    /// From node to node, each pair once.
    pub wires: BTreeSet<(usize, usize)>,
}

/// One thing in a diagram.
#[derive(Debug)]
pub struct Node {
    /// What it is.
    pub shape: Shape,
    /// Its name in the source.
    pub name: String,
    /// What stands below the name.
    pub note: String,
    /// Its bits.
    pub width: usize,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An input port.
    Input,
    /// An output port.
    Output,
    /// Flip-flops under one name.
    Register,
    /// Operators that compute one signal.
    Logic,
    /// An instance of another module, or several.
    Child,
}

/// The diagram of a module, from Yosys' `prep`.
pub fn diagram(module: &Module, netlist: &json::Module) -> Diagram {
    let mut reader = Reader::new(netlist);
    reader.inputs(module);
    reader.children();
    reader.registers();
    reader.signals();
    reader.trace();
    reader.outputs(module);
    Diagram { nodes: reader.nodes, wires: reader.wires }
}

struct Reader<'a> {
    netlist: &'a json::Module,
    /// The cell that drives each net.
    drivers: HashMap<usize, &'a json::Cell>,
    /// The node that each net belongs to.
    owners: HashMap<usize, usize>,
    nodes: Vec<Node>,
    wires: BTreeSet<(usize, usize)>,
    /// Nets whose cones must still be traced, by node.
    roots: BTreeMap<usize, Vec<usize>>,
}

/// Clock and reset reach every register and would hide everything else.
fn is_global(name: &str) -> bool {
    matches!(name, "clk_i" | "rst_i")
}

fn nets(bits: &[json::Bit]) -> impl Iterator<Item = usize> + '_ {
    bits.iter().filter_map(|bit| match bit {
        json::Bit::Net(net) => Some(*net),
        json::Bit::Constant(_) => None,
    })
}

fn is_register(cell: &json::Cell) -> bool {
    cell.kind.contains("dff")
}

fn is_child(cell: &json::Cell) -> bool {
    !cell.kind.starts_with('$')
}

impl<'a> Reader<'a> {
    fn new(netlist: &'a json::Module) -> Reader<'a> {
        let mut drivers = HashMap::new();
        for cell in netlist.cells.values() {
            for (pin, bits) in &cell.connections {
                if cell.port_directions.get(pin) == Some(&Direction::Output) {
                    nets(bits).for_each(|net| {
                        drivers.insert(net, cell);
                    });
                }
            }
        }
        Reader {
            netlist,
            drivers,
            owners: HashMap::new(),
            nodes: Vec::new(),
            wires: BTreeSet::new(),
            roots: BTreeMap::new(),
        }
    }

    fn node(&mut self, shape: Shape, name: &str, width: usize) -> usize {
        self.nodes.push(Node { shape, name: name.into(), note: String::new(), width });
        self.nodes.len() - 1
    }

    fn inputs(&mut self, module: &Module) {
        for port in module.ports_of(Direction::Input).filter(|port| !is_global(&port.name)) {
            let node = self.node(Shape::Input, &port.name, port.width);
            if let Some(found) = self.netlist.ports.get(&port.name) {
                nets(&found.bits).for_each(|net| {
                    self.owners.insert(net, node);
                });
            }
        }
    }

    /// Instances of one module under one name, as a generate loop makes them, are one node.
    fn children(&mut self) {
        let mut groups: BTreeMap<(String, &str), Vec<&json::Cell>> = BTreeMap::new();
        for (name, cell) in &self.netlist.cells {
            if is_child(cell) {
                let name = name.rsplit('.').next().unwrap_or(name);
                groups.entry((name.to_string(), &cell.kind)).or_default().push(cell);
            }
        }
        for ((name, kind), cells) in groups {
            let node = self.node(Shape::Child, &name, 0);
            let times = if cells.len() > 1 { format!(" x {}", cells.len()) } else { String::new() };
            self.nodes[node].note = format!("{kind}{times}");
            for cell in cells {
                for (pin, bits) in &cell.connections {
                    if cell.port_directions.get(pin) == Some(&Direction::Output) {
                        nets(bits).for_each(|net| {
                            self.owners.insert(net, node);
                        });
                    } else {
                        self.roots.entry(node).or_default().extend(nets(bits));
                    }
                }
            }
        }
    }

    /// Public signals, longest first where one is part of another.
    fn public(&self) -> Vec<(&'a String, &'a json::Name)> {
        let netlist = self.netlist;
        let mut names: Vec<_> =
            netlist.netnames.iter().filter(|(_, name)| name.hide_name == 0).collect();
        names.sort_by_key(|(name, found)| (std::cmp::Reverse(found.bits.len()), name.as_str()));
        names
    }

    fn registers(&mut self) {
        for (name, found) in self.public() {
            let is_state =
                |net: &usize| self.drivers.get(net).is_some_and(|cell| is_register(cell));
            let state: Vec<usize> = nets(&found.bits)
                .filter(|net| is_state(net) && !self.owners.contains_key(net))
                .collect();
            if state.is_empty() || !name.ends_with("_q") {
                continue;
            }
            let node = self.node(Shape::Register, name, found.bits.len());
            for net in state {
                self.owners.insert(net, node);
                let cell = self.drivers[&net];
                let index = nets(&cell.connections["Q"]).position(|q| q == net).unwrap_or(0);
                let roots = self.roots.entry(node).or_default();
                if let Some(json::Bit::Net(next)) = cell.connections["D"].get(index) {
                    roots.push(*next);
                }
                // The enable came from the source too: a register that holds its value.
                if let Some(enable) = cell.connections.get("EN") {
                    roots.extend(nets(enable));
                }
            }
        }
    }

    /// A cloud for each signal of the source that operators compute, outputs included.
    fn signals(&mut self) {
        let ports: BTreeSet<&str> = self.netlist.ports.keys().map(String::as_str).collect();
        let next_values: BTreeSet<String> = self
            .nodes
            .iter()
            .filter(|node| node.shape == Shape::Register)
            .map(|node| format!("{}d", node.name.trim_end_matches('q')))
            .collect();
        // A register's next value is told with the register. Ports come last: where a port is
        // another name of a signal, the signal's is the one that explains it.
        let (outer, inner): (Vec<_>, Vec<_>) = self
            .public()
            .into_iter()
            .filter(|(name, _)| !next_values.contains(*name))
            .partition(|(name, _)| ports.contains(name.as_str()));
        for (name, found) in inner.into_iter().chain(outer) {
            self.cloud(name, found);
        }
    }

    fn cloud(&mut self, name: &str, found: &json::Name) {
        let own: Vec<usize> = nets(&found.bits)
            .filter(|net| self.drivers.contains_key(net) && !self.owners.contains_key(net))
            .collect();
        if own.is_empty() {
            return;
        }
        let node = self.node(Shape::Logic, name, found.bits.len());
        for net in &own {
            self.owners.insert(*net, node);
        }
        self.roots.insert(node, own);
    }

    /// Output ports, each wired to what drives it.
    fn outputs(&mut self, module: &Module) {
        for port in module.ports_of(Direction::Output) {
            let Some(found) = self.netlist.ports.get(&port.name) else {
                continue;
            };
            let sources: BTreeSet<usize> =
                nets(&found.bits).filter_map(|net| self.owners.get(&net).copied()).collect();
            let node = self.node(Shape::Output, &port.name, port.width);
            for source in sources {
                self.wires.insert((source, node));
            }
        }
    }

    /// Follows every root back to the nodes it depends on and notes the operators in between.
    fn trace(&mut self) {
        for (node, roots) in std::mem::take(&mut self.roots) {
            let mut operators: BTreeMap<&'static str, usize> = BTreeMap::new();
            let mut seen: BTreeSet<*const json::Cell> = BTreeSet::new();
            let mut open: Vec<(usize, bool)> = roots.iter().map(|net| (*net, true)).collect();
            let mut done: BTreeSet<usize> = BTreeSet::new();
            while let Some((net, root)) = open.pop() {
                let owner = self.owners.get(&net).copied();
                let inner = root && owner == Some(node);
                if let (Some(owner), false) = (owner, inner) {
                    if owner != node {
                        self.wires.insert((owner, node));
                    }
                    continue;
                }
                let Some(cell) = self.drivers.get(&net).copied() else {
                    continue;
                };
                if !done.insert(net) || is_register(cell) || is_child(cell) {
                    continue;
                }
                if seen.insert(cell) {
                    *operators.entry(operator(&cell.kind)).or_insert(0) += 1;
                    for (pin, bits) in &cell.connections {
                        if cell.port_directions.get(pin) == Some(&Direction::Input) {
                            open.extend(nets(bits).map(|net| (net, false)));
                        }
                    }
                }
            }
            if self.nodes[node].shape != Shape::Child {
                self.nodes[node].note = summary(&operators);
            }
        }
    }
}

/// The operators of a cloud, most frequent first.
fn summary(operators: &BTreeMap<&'static str, usize>) -> String {
    let mut sorted: Vec<_> = operators.iter().collect();
    sorted.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), **name));
    let words: Vec<String> = sorted
        .iter()
        .take(5)
        .map(
            |(name, count)| if **count == 1 { name.to_string() } else { format!("{count} {name}") },
        )
        .collect();
    let more = if sorted.len() > 5 { ", .." } else { "" };
    format!("{}{more}", words.join(", "))
}

/// How a reader would call one of Yosys' cells.
fn operator(kind: &str) -> &'static str {
    match kind {
        "$add" | "$alu" => "+",
        "$sub" | "$neg" => "-",
        "$mul" => "x",
        "$eq" | "$eqx" => "==",
        "$ne" | "$nex" => "!=",
        "$lt" => "<",
        "$le" => "<=",
        "$gt" => ">",
        "$ge" => ">=",
        "$and" | "$logic_and" => "and",
        "$or" | "$logic_or" => "or",
        "$xor" => "xor",
        "$xnor" => "xnor",
        "$not" | "$logic_not" => "not",
        "$reduce_or" | "$reduce_bool" => "any",
        "$reduce_and" => "all",
        "$reduce_xor" => "parity",
        "$mux" | "$pmux" | "$bmux" => "mux",
        "$shl" | "$sshl" => "<<",
        "$shr" | "$sshr" | "$shift" | "$shiftx" => ">>",
        _ => "logic",
    }
}
