//! Does a netlist do what its RTL says? Proved with ABC, register by register.
//!
//! Both sides become combinational: a register's output is an input, its next value an output. If
//! from every state and input both give the same outputs and the same next state, they are equal
//! for all time. Registers are matched by name, for synthesis keeps names and codes. Of copies that it
//! merged, each must follow the one that stayed; a register that it dropped must be zero for ever, or
//! nothing may depend on it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use crate::liberty::{Function, Kind, Library};
use crate::manifest::Direction;
use crate::netlist::{Bit, Cell, Netlist};
use crate::tool::run;
use crate::Error;

/// The most that ABC may spend on a module, in seconds.
const LIMIT_S: usize = 120;

/// What the proof found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The same for all inputs and states.
    Equal,
    /// Some output or next state differs; ABC's own words.
    Different(String),
    /// ABC gave up.
    Undecided,
}

/// Proves that `netlist`, made of the cells of `library`, does what `rtl` does.
pub fn prove(rtl: &Netlist, netlist: &Netlist, library: &Library) -> Result<Verdict, Error> {
    let wrong = |reason| Error::Netlist { module: netlist.module.clone(), reason };
    let rtl = Cut::new(rtl, simple_gate).map_err(wrong)?;
    let mapped = Cut::new(netlist, |cell| library_gate(cell, library)).map_err(wrong)?;
    // Whatever synthesis dropped is one or the other: read by nobody, or always zero.
    let unread = decide(pair(&rtl, &mapped, Dropped::Unread).map_err(wrong)?, &netlist.module)?;
    if unread == Verdict::Equal || rtl.registers.len() == mapped.registers.len() {
        return Ok(unread);
    }
    decide(pair(&rtl, &mapped, Dropped::Zero).map_err(wrong)?, &netlist.module)
}

/// Compares the two sides with ABC.
fn decide([rtl, mapped]: [Side; 2], module: &str) -> Result<Verdict, Error> {
    let folder = tempfile::tempdir().map_err(Error::file("create", &std::env::temp_dir()))?;
    for (name, side) in [("rtl.blif", &rtl), ("netlist.blif", &mapped)] {
        let path = folder.path().join(name);
        fs::write(&path, side.blif()).map_err(Error::file("write", &path))?;
    }
    let commands = format!("cec -T {LIMIT_S} rtl.blif netlist.blif");
    let said = run("yosys-abc", "yosys", module, folder.path(), &["-c", &commands])?;
    // ABC exits with 0 whatever it finds: only its literal verdict counts.
    if said.contains("Networks are equivalent") {
        return Ok(Verdict::Equal);
    }
    if let Some(line) = said.lines().find(|line| line.contains("NOT EQUIVALENT")) {
        return Ok(Verdict::Different(line.trim().into()));
    }
    if said.contains("UNDECIDED") {
        return Ok(Verdict::Undecided);
    }
    let said = said.lines().last().unwrap_or("nothing");
    Err(Error::Netlist { module: module.into(), reason: format!("abc gave no verdict: {said}") })
}

/// What became of registers that a netlist does not have.
#[derive(Clone, Copy)]
enum Dropped {
    /// Nothing depends on them.
    Unread,
    /// They are zero, and stay zero.
    Zero,
}

/// A function of some bits of a netlist; bit k of the row is input k.
struct Gate {
    inputs: Vec<Bit>,
    table: Vec<bool>,
}

/// What a cell drives: nets with their functions, or one register.
enum Part {
    Nets(Vec<(usize, Gate)>),
    Register { output: usize, next: Gate },
}

/// A netlist cut at its registers.
struct Cut<'a> {
    netlist: &'a Netlist,
    gates: Vec<(usize, Gate)>,
    /// The next value of each register, by its output net.
    registers: BTreeMap<usize, Gate>,
}

impl<'a> Cut<'a> {
    fn new(
        netlist: &'a Netlist,
        part: impl Fn(&Cell) -> Result<Part, String>,
    ) -> Result<Cut<'a>, String> {
        let mut cut = Cut { netlist, gates: Vec::new(), registers: BTreeMap::new() };
        for cell in &netlist.cells {
            match part(cell)? {
                Part::Nets(nets) => cut.gates.extend(nets),
                Part::Register { output, next } => {
                    cut.registers.insert(output, next);
                }
            }
        }
        Ok(cut)
    }
}

fn net(cell: &Cell, pin: &str) -> Option<usize> {
    match cell.bit(pin) {
        Some(Bit::Net(net)) => Some(net),
        _ => None,
    }
}

fn gate(cell: &Cell, function: &Function) -> Result<Gate, String> {
    let pins = function.pins();
    let inputs = pins
        .iter()
        .map(|pin| cell.bit(pin).ok_or_else(|| format!("pin {pin} of {} is open", cell.name)))
        .collect::<Result<_, _>>()?;
    Ok(Gate { inputs, table: function.table(&pins) })
}

/// A cell of Yosys' own, as `techmap` leaves them.
fn simple_gate(cell: &Cell) -> Result<Part, String> {
    let function = match cell.kind.as_str() {
        "$_BUF_" => "A",
        "$_NOT_" => "!A",
        "$_AND_" => "A & B",
        "$_NAND_" => "!(A & B)",
        "$_OR_" => "A | B",
        "$_NOR_" => "!(A | B)",
        "$_XOR_" => "A ^ B",
        "$_XNOR_" => "!(A ^ B)",
        "$_ANDNOT_" => "A & !B",
        "$_ORNOT_" => "A | !B",
        "$_MUX_" => "(S & B) | (!S & A)",
        "$_DFF_P_" => {
            let output = net(cell, "Q").ok_or("a register drives nothing")?;
            return Ok(Part::Register { output, next: gate(cell, &Function::Pin("D".into()))? });
        }
        other => return Err(format!("{other} ({}) is no simple gate", cell.name)),
    };
    let function = Function::parse(function).ok_or("a gate without function")?;
    let nets = net(cell, "Y").map(|output| Ok::<_, String>((output, gate(cell, &function)?)));
    Ok(Part::Nets(nets.transpose()?.into_iter().collect()))
}

/// A cell of the library.
fn library_gate(cell: &Cell, library: &Library) -> Result<Part, String> {
    let kind = library
        .cells
        .get(&cell.kind)
        .ok_or_else(|| format!("the library has no cell {}", cell.kind))?;
    let mut nets = Vec::new();
    match &kind.kind {
        Kind::Combinational => {
            for pin in kind.outputs() {
                if let (Some(output), Some(function)) = (net(cell, &pin.name), &pin.function) {
                    nets.push((output, gate(cell, function)?));
                }
            }
            Ok(Part::Nets(nets))
        }
        Kind::FlipFlop { state, next, .. } => {
            let is_state = |function: &Option<Function>| matches!(function, Some(Function::Pin(pin)) if pin == state);
            let connected: Vec<_> =
                kind.outputs().filter(|pin| net(cell, &pin.name).is_some()).collect();
            match connected[..] {
                [pin] if is_state(&pin.function) => {
                    let output = net(cell, &pin.name).ok_or("a register drives nothing")?;
                    Ok(Part::Register { output, next: gate(cell, next)? })
                }
                _ => Err(format!("{} ({}) uses an inverted output", cell.kind, cell.name)),
            }
        }
        Kind::Latch | Kind::Other => Err(format!("{} ({}) is a latch", cell.kind, cell.name)),
    }
}

/// What a net is on one side of the proof, when it is not computed by a gate.
#[derive(Clone)]
enum Value {
    Variable(String),
    Constant(bool),
}

/// An output of the proof.
enum Observed<'a> {
    Bit(Bit),
    Next(&'a Gate),
    Constant(bool),
}

/// One side of the proof, ready to be written.
struct Side<'a> {
    cut: &'a Cut<'a>,
    inputs: Vec<String>,
    values: BTreeMap<usize, Value>,
    outputs: Vec<(String, Observed<'a>)>,
}

/// Gives both sides the same inputs and outputs.
fn pair<'a>(
    rtl: &'a Cut<'a>,
    mapped: &'a Cut<'a>,
    dropped: Dropped,
) -> Result<[Side<'a>; 2], String> {
    let mut sides = [rtl, mapped].map(|cut| Side {
        cut,
        inputs: Vec::new(),
        values: BTreeMap::new(),
        outputs: Vec::new(),
    });
    for side in &mut sides {
        side.ports();
    }
    let [mut left, mut right] = sides;
    // The names of each register, best first; synthesis may have kept any of them.
    let mut names: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (name, bit) in rtl.netlist.signals() {
        if let Bit::Net(net) = bit {
            names.entry(net).or_default().push(name);
        }
    }
    let mut matched = BTreeMap::new();
    for (&register, next) in &rtl.registers {
        let known = names.get(&register).map_or(&[][..], Vec::as_slice);
        let name = plain(known.first().copied().unwrap_or(rtl.netlist.name(register)));
        let found = known.iter().find_map(|name| mapped.netlist.signal(name));
        let (value, other) = match found {
            None => match dropped {
                Dropped::Zero => (Value::Constant(false), Some(Observed::Constant(false))),
                Dropped::Unread => {
                    left.inputs.push(format!("state:{name}"));
                    (Value::Variable(format!("state:{name}")), None)
                }
            },
            Some(Bit::Constant(constant)) => {
                (Value::Constant(constant), Some(Observed::Constant(constant)))
            }
            Some(Bit::Net(output)) => {
                let Some(theirs) = mapped.registers.get(&output) else {
                    return Err(format!("register {name} became a gate"));
                };
                let variable = matched.entry(output).or_insert_with(|| {
                    left.inputs.push(format!("state:{name}"));
                    format!("state:{name}")
                });
                (Value::Variable(variable.clone()), Some(Observed::Next(theirs)))
            }
        };
        left.values.insert(register, value);
        if let Some(other) = other {
            left.outputs.push((format!("next:{name}"), Observed::Next(next)));
            right.outputs.push((format!("next:{name}"), other));
        }
    }
    for &output in mapped.registers.keys() {
        let Some(variable) = matched.get(&output) else {
            return Err(format!("no register of the RTL is {}", mapped.netlist.name(output)));
        };
        right.values.insert(output, Value::Variable(variable.clone()));
    }
    right.inputs.clone_from(&left.inputs);
    Ok([left, right])
}

/// A name that BLIF can hold.
fn plain(name: &str) -> String {
    name.replace([' ', '#', '=', '\\'], "_")
}

impl Side<'_> {
    fn ports(&mut self) {
        for port in &self.cut.netlist.ports {
            for (index, bit) in port.bits.iter().enumerate() {
                let name = plain(&format!("{}[{index}]", port.name));
                match (port.direction, *bit) {
                    (Direction::Input, Bit::Net(net)) => {
                        self.inputs.push(name.clone());
                        self.values.insert(net, Value::Variable(name));
                    }
                    (Direction::Input, Bit::Constant(_)) => {}
                    (Direction::Output, bit) => {
                        self.outputs.push((format!("out:{name}"), Observed::Bit(bit)));
                    }
                }
            }
        }
    }

    /// The side as a combinational network in Berkeley's format.
    fn blif(&self) -> String {
        let mut text = String::from(".model side\n.inputs");
        self.inputs.iter().for_each(|name| push(&mut text, name));
        text.push_str("\n.outputs");
        self.outputs.iter().for_each(|(name, _)| push(&mut text, name));
        text.push_str("\n.names zero\n.names one\n1\n");
        for (output, gate) in &self.cut.gates {
            self.names(&mut text, gate, &format!("n{output}"));
        }
        for (name, observed) in &self.outputs {
            match observed {
                Observed::Next(gate) => self.names(&mut text, gate, name),
                Observed::Bit(bit) => {
                    let gate = Gate { inputs: vec![*bit], table: vec![false, true] };
                    self.names(&mut text, &gate, name);
                }
                Observed::Constant(constant) => {
                    let gate = Gate { inputs: Vec::new(), table: vec![*constant] };
                    self.names(&mut text, &gate, name);
                }
            }
        }
        text.push_str(".end\n");
        text
    }

    fn bit(&self, bit: Bit) -> String {
        let constant = |value: bool| if value { "one".to_string() } else { "zero".into() };
        match bit {
            Bit::Constant(value) => constant(value),
            Bit::Net(net) => match self.values.get(&net) {
                Some(Value::Variable(name)) => name.clone(),
                Some(Value::Constant(value)) => constant(*value),
                None => format!("n{net}"),
            },
        }
    }

    fn names(&self, text: &mut String, gate: &Gate, output: &str) {
        text.push_str(".names");
        gate.inputs.iter().for_each(|bit| push(text, &self.bit(*bit)));
        push(text, output);
        text.push('\n');
        for (row, _) in gate.table.iter().enumerate().filter(|(_, on)| **on) {
            for input in 0..gate.inputs.len() {
                text.push(if row >> input & 1 == 1 { '1' } else { '0' });
            }
            text.push_str(if gate.inputs.is_empty() { "1\n" } else { " 1\n" });
        }
    }
}

fn push(text: &mut String, word: &str) {
    write!(text, " {word}").expect("a String takes all that is written to it");
}
