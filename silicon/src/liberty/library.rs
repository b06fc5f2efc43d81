//! A library in the units used here: um2, fF and ps.

use std::collections::BTreeMap;
use std::path::Path;

use super::syntax::{self, Group};
use super::{Function, Table};
use crate::Error;

/// All cells of a Liberty file.
#[derive(Clone, Debug)]
pub struct Library {
    /// The library's own name.
    pub name: String,
    /// Nominal supply in volts, if the file says.
    pub voltage: Option<f64>,
    /// Cells by name.
    pub cells: BTreeMap<String, Cell>,
}

/// One cell.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Its name.
    pub name: String,
    /// Area in um2.
    pub area: f64,
    /// What it is.
    pub kind: Kind,
    /// Its signal pins.
    pub pins: Vec<Pin>,
}

/// What a cell is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Outputs depend on inputs only.
    Combinational,
    /// A flip-flop.
    FlipFlop {
        /// Name of its state in the functions of its outputs.
        state: String,
        /// What it takes over.
        next: Function,
        /// The clock and its edge.
        clock: Function,
    },
    /// A latch.
    Latch,
    /// Tri-state drivers, clock gates, fillers: nothing that synthesis uses here.
    Other,
}

/// One pin.
#[derive(Clone, Debug)]
pub struct Pin {
    /// Its name.
    pub name: String,
    /// Whether the cell drives it.
    pub output: bool,
    /// Capacitance of an input in fF.
    pub capacitance: f64,
    /// Function of an output.
    pub function: Option<Function>,
    /// Delays to an output, or set-up times of an input.
    pub arcs: Vec<Arc>,
}

/// How an output follows an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// In the same direction.
    Positive,
    /// In the opposite direction.
    Negative,
    /// In either.
    Both,
}

/// What starts an arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Any change of the related pin.
    Any,
    /// The clock edge.
    Clock,
    /// Nothing: it is a set-up time before the clock edge.
    Setup,
}

/// Timing from one pin to another. Tables are in ps over slew in ps and load in fF.
#[derive(Clone, Debug)]
pub struct Arc {
    /// The pin it starts at.
    pub from: String,
    /// How the output follows.
    pub sense: Sense,
    /// What starts it.
    pub edge: Edge,
    /// Delay (or set-up time) of a falling and a rising output (or data).
    pub delay: [Table; 2],
    /// Slew of a falling and a rising output; absent for set-up times.
    pub slew: Option<[Table; 2]>,
}

impl Library {
    /// Reads a Liberty text; `path` is for messages.
    pub fn parse(text: &str, path: &Path) -> Result<Library, Error> {
        let group = syntax::parse(text).map_err(|error| Error::Liberty {
            path: path.into(),
            line: error.line,
            reason: error.reason,
        })?;
        let units = Units::of(&group).map_err(|reason| Error::Liberty {
            path: path.into(),
            line: 1,
            reason,
        })?;
        let templates: Vec<&Group> = group.all("lu_table_template").collect();
        let cells: BTreeMap<String, Cell> = group
            .all("cell")
            .map(|cell| (cell.name().to_string(), read_cell(cell, &templates, units)))
            .collect();
        let voltage = group.attribute("nom_voltage").and_then(|volts| volts.parse().ok());
        let library = Library { name: group.name().to_string(), voltage, cells };
        library.complete(path)?;
        Ok(library)
    }

    /// Synthesis needs a flip-flop on the rising edge, an inverter and a gate with two inputs.
    fn complete(&self, path: &Path) -> Result<(), Error> {
        let lacks = |what| Err(Error::Lacking { path: path.into(), what });
        let rising = |cell: &Cell| {
            matches!(
                cell.kind,
                Kind::FlipFlop { next: Function::Pin(_), clock: Function::Pin(_), .. }
            )
        };
        if !self.cells.values().any(rising) {
            return lacks("flip-flop");
        }
        if self.inverter().is_none() {
            return lacks("inverter");
        }
        if self.nand2().is_none() {
            return lacks("NAND gate with two inputs");
        }
        Ok(())
    }

    /// The smallest inverter.
    pub fn inverter(&self) -> Option<&Cell> {
        self.smallest(&[true, false])
    }

    /// The smallest NAND gate with two inputs: the unit of gate equivalents.
    pub fn nand2(&self) -> Option<&Cell> {
        self.smallest(&[true, true, true, false])
    }

    /// Buffers, smallest first.
    pub fn buffers(&self) -> Vec<&Cell> {
        self.with_table(&[false, true])
    }

    fn smallest(&self, table: &[bool]) -> Option<&Cell> {
        self.with_table(table).into_iter().next()
    }

    /// Combinational cells with one output of this truth table, smallest first.
    fn with_table(&self, table: &[bool]) -> Vec<&Cell> {
        let mut cells: Vec<&Cell> = self
            .cells
            .values()
            .filter(|cell| cell.kind == Kind::Combinational)
            .filter(|cell| cell.truth_table().is_some_and(|own| own == table))
            .collect();
        cells.sort_by(|a, b| a.area.total_cmp(&b.area).then_with(|| a.name.cmp(&b.name)));
        cells
    }

    /// Whether every combinational cell that could be used has delays.
    pub fn has_timing(&self) -> bool {
        self.cells.values().filter(|cell| cell.kind == Kind::Combinational).all(|cell| {
            cell.outputs().all(|pin| !pin.arcs.is_empty() || cell.inputs().count() == 0)
        })
    }
}

impl Cell {
    /// Pins that it drives.
    pub fn outputs(&self) -> impl Iterator<Item = &Pin> {
        self.pins.iter().filter(|pin| pin.output)
    }

    /// Pins that drive it.
    pub fn inputs(&self) -> impl Iterator<Item = &Pin> {
        self.pins.iter().filter(|pin| !pin.output)
    }

    /// The pin called `name`.
    pub fn pin(&self, name: &str) -> Option<&Pin> {
        self.pins.iter().find(|pin| pin.name == name)
    }

    /// Its function over its inputs in order, if it has one output.
    fn truth_table(&self) -> Option<Vec<bool>> {
        let mut outputs = self.outputs();
        let output = outputs.next()?;
        let inputs: Vec<&str> = self.inputs().map(|pin| pin.name.as_str()).collect();
        if outputs.next().is_some() || inputs.len() > 8 {
            return None;
        }
        Some(output.function.as_ref()?.table(&inputs))
    }
}

/// Factors from the file's units to ps and fF.
#[derive(Clone, Copy)]
struct Units {
    time: f64,
    load: f64,
}

impl Units {
    fn of(library: &Group) -> Result<Units, String> {
        let time = match library.attribute("time_unit").unwrap_or("1ns") {
            "1ps" => 1.0,
            "10ps" => 10.0,
            "100ps" => 100.0,
            "1ns" => 1000.0,
            other => return Err(format!("time_unit {other:?} is not known")),
        };
        let load = match library.values("capacitive_load_unit") {
            None => 1000.0,
            Some([number, unit]) => {
                let number: f64 =
                    number.parse().map_err(|_| "capacitive_load_unit has no number".to_string())?;
                match unit.to_lowercase().as_str() {
                    "ff" => number,
                    "pf" => number * 1000.0,
                    other => return Err(format!("capacitive_load_unit {other:?} is not known")),
                }
            }
            Some(_) => return Err("capacitive_load_unit needs a number and a unit".into()),
        };
        Ok(Units { time, load })
    }
}

fn read_cell(group: &Group, templates: &[&Group], units: Units) -> Cell {
    let pins: Vec<Pin> = group.all("pin").map(|pin| read_pin(pin, templates, units)).collect();
    let kind = kind(group, &pins);
    let area = group.attribute("area").and_then(|area| area.parse().ok()).unwrap_or(0.0);
    Cell { name: group.name().into(), area, kind, pins }
}

fn kind(group: &Group, pins: &[Pin]) -> Kind {
    let function = |group: &Group, name| group.attribute(name).and_then(Function::parse);
    if let Some(ff) = group.all("ff").next() {
        return match (function(ff, "next_state"), function(ff, "clocked_on")) {
            (Some(next), Some(clock)) => Kind::FlipFlop { state: ff.name().into(), next, clock },
            _ => Kind::Other,
        };
    }
    if group.all("latch").next().is_some() {
        return Kind::Latch;
    }
    let outputs = || pins.iter().filter(|pin| pin.output);
    let tri_state = group.all("pin").any(|pin| pin.attribute("three_state").is_some());
    if outputs().next().is_some() && outputs().all(|pin| pin.function.is_some()) && !tri_state {
        Kind::Combinational
    } else {
        Kind::Other
    }
}

fn read_pin(group: &Group, templates: &[&Group], units: Units) -> Pin {
    let capacitance = group.attribute("capacitance").and_then(|text| text.parse::<f64>().ok());
    Pin {
        name: group.name().into(),
        output: group.attribute("direction") == Some("output"),
        capacitance: capacitance.unwrap_or(0.0) * units.load,
        function: group.attribute("function").and_then(Function::parse),
        arcs: group.all("timing").flat_map(|timing| read_arcs(timing, templates, units)).collect(),
    }
}

/// One arc for each related pin; none if the timing is of a kind that is not used here.
fn read_arcs(group: &Group, templates: &[&Group], units: Units) -> Vec<Arc> {
    let edge = match group.attribute("timing_type").unwrap_or("combinational") {
        "combinational" => Edge::Any,
        "rising_edge" | "falling_edge" => Edge::Clock,
        "setup_rising" | "setup_falling" => Edge::Setup,
        _ => return Vec::new(),
    };
    let load = if edge == Edge::Setup { units.time } else { units.load };
    let table = |name: &str| {
        let table = Table::read(group.all(name).next()?, templates)?;
        Some(table.scaled(units.time, load, units.time))
    };
    let pair = |fall: &str, rise: &str| Some([table(fall)?, table(rise)?]);
    let (delay, slew) = if edge == Edge::Setup {
        (pair("fall_constraint", "rise_constraint"), None)
    } else {
        (pair("cell_fall", "cell_rise"), pair("fall_transition", "rise_transition"))
    };
    let Some(delay) = delay else {
        return Vec::new();
    };
    if edge != Edge::Setup && slew.is_none() {
        return Vec::new();
    }
    let sense = match group.attribute("timing_sense") {
        Some("positive_unate") => Sense::Positive,
        Some("negative_unate") => Sense::Negative,
        _ => Sense::Both,
    };
    group
        .attribute("related_pin")
        .unwrap_or("")
        .split_whitespace()
        .map(|from| Arc {
            from: from.into(),
            sense,
            edge,
            delay: delay.clone(),
            slew: slew.clone(),
        })
        .collect()
}
