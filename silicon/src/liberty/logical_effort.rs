//! The project's own 45 nm library, derived by rule: areas by counting gate fingers, delays by
//! logical effort. [`text`] is `liberty/lanewise45.lib`, and a test keeps the two equal.

use std::fmt::Write;

/// One poly pitch times the row height, in um2: an inverter of area 0.532 is one finger and one edge.
const PITCH: f64 = 0.266;
/// Input capacitance of the smallest inverter, in fF: about 1 um of gate at 1.5 fF/um.
const UNIT_CAP: f64 = 1.5;
/// Delay unit in ps. An inverter that drives four copies takes 5 units, and 0.5 ns per um of
/// drawn gate length, the usual rule for a slow corner, gives 22.5 ps at 45 nm.
const TAU: f64 = 4.5;
/// Loads at which the tables are given, in fF; delay is linear in load, so two are enough.
const LOADS: [f64; 2] = [0.0, 100.0];

/// One input of a cell.
struct Input {
    name: &'static str,
    /// Its capacitance, in unit inverters.
    load: f64,
    /// Delay from here to the output without load, in units.
    delay: f64,
}

/// One cell with one output.
struct Cell {
    name: String,
    /// Gate fingers of n (or p) transistors, side by side.
    fingers: usize,
    inputs: Vec<Input>,
    function: &'static str,
    /// Strength of the last stage, in unit inverters.
    drive: f64,
    unate: &'static str,
    why: &'static str,
}

fn input(name: &'static str, load: f64, delay: f64) -> Input {
    Input { name, load, delay }
}

/// A single inverting stage: logical effort `g` of each input, parasitic delay `p`.
fn gate(
    name: &str,
    function: &'static str,
    efforts: &[(&'static str, f64)],
    p: f64,
    why: &'static str,
) -> Cell {
    Cell {
        name: format!("{name}_X1"),
        fingers: efforts.len(),
        inputs: efforts.iter().map(|&(pin, g)| input(pin, g, p)).collect(),
        function,
        drive: 1.0,
        unate: "negative_unate",
        why,
    }
}

/// An inverting gate and the inverter behind it.
fn followed(
    name: &str,
    function: &'static str,
    efforts: &[(&'static str, f64)],
    p: f64,
    why: &'static str,
) -> Cell {
    let mut cell = gate(name, function, efforts, p, why);
    cell.fingers += 1;
    cell.unate = "positive_unate";
    for input in &mut cell.inputs {
        // Own parasitic, one unit load, and the inverter's parasitic.
        input.delay = p + 1.0 + 1.0;
    }
    cell
}

fn inverter(size: usize) -> Cell {
    Cell {
        name: format!("INV_X{size}"),
        fingers: size,
        inputs: vec![input("A", size as f64, 1.0)],
        function: "!A",
        drive: size as f64,
        unate: "negative_unate",
        why: "g 1, p 1, the units of the model",
    }
}

fn buffer(first: usize, size: usize) -> Cell {
    Cell {
        name: format!("BUF_X{size}"),
        fingers: first + size,
        inputs: vec![input("A", first as f64, 1.0 + size as f64 / first as f64 + 1.0)],
        function: "A",
        drive: size as f64,
        unate: "positive_unate",
        why: "two inverters, the first of half the size or the smallest",
    }
}

/// XOR or XNOR.
fn exclusive(name: &str, function: &'static str) -> Cell {
    Cell {
        fingers: 5,
        unate: "non_unate",
        ..gate(name, function, &[("A", 4.0), ("B", 4.0)], 4.0, "g 4, p 4; area 1.596")
    }
}

fn multiplexer() -> Cell {
    Cell {
        name: "MUX2_X1".into(),
        fingers: 6,
        // Two half-size tri-state arms (g 2, p 4) drive the output inverter: 4 + 2 + 1. The select
        // pin sees the gates of both arms and the inverter that makes its complement: 2 more.
        inputs: vec![input("A", 1.0, 7.0), input("B", 1.0, 7.0), input("S", 2.0, 9.0)],
        function: "(S & B) | (!S & A)",
        drive: 1.0,
        unate: "non_unate",
        why: "half-size tri-state arms (g 2, p 4) and an output inverter",
    }
}

fn cells() -> Vec<Cell> {
    const AND_OR: &str = "g (n+2)/3 for NAND, (2n+1)/3 for NOR; p n";
    let third = |n: usize| n as f64 / 3.0;
    let mut cells: Vec<Cell> = [1, 2, 4, 8].map(inverter).into();
    cells.extend([(1, 1), (1, 2), (2, 4), (4, 8)].map(|(first, size)| buffer(first, size)));
    cells.extend([
        gate("NAND2", "!(A & B)", &[("A", third(4)), ("B", third(4))], 2.0, AND_OR),
        gate(
            "NAND3",
            "!(A & B & C)",
            &[("A", third(5)), ("B", third(5)), ("C", third(5))],
            3.0,
            AND_OR,
        ),
        gate(
            "NAND4",
            "!(A & B & C & D)",
            &[("A", 2.0), ("B", 2.0), ("C", 2.0), ("D", 2.0)],
            4.0,
            AND_OR,
        ),
        gate("NOR2", "!(A | B)", &[("A", third(5)), ("B", third(5))], 2.0, AND_OR),
        gate(
            "NOR3",
            "!(A | B | C)",
            &[("A", third(7)), ("B", third(7)), ("C", third(7))],
            3.0,
            AND_OR,
        ),
        gate(
            "NOR4",
            "!(A | B | C | D)",
            &[("A", 3.0), ("B", 3.0), ("C", 3.0), ("D", 3.0)],
            4.0,
            AND_OR,
        ),
        followed("AND2", "A & B", &[("A", third(4)), ("B", third(4))], 2.0, "NAND2 and INV"),
        followed("OR2", "A | B", &[("A", third(5)), ("B", third(5))], 2.0, "NOR2 and INV"),
        gate(
            "AOI21",
            "!((A & B) | C)",
            &[("A", 2.0), ("B", 2.0), ("C", third(5))],
            third(7),
            "g 2 in the AND, 5/3 beside it; p 7/3",
        ),
        gate(
            "OAI21",
            "!((A | B) & C)",
            &[("A", 2.0), ("B", 2.0), ("C", third(4))],
            third(8),
            "g 2 in the OR, 4/3 beside it; p 8/3",
        ),
        gate(
            "AOI22",
            "!((A & B) | (C & D))",
            &[("A", 2.0), ("B", 2.0), ("C", 2.0), ("D", 2.0)],
            4.0,
            "g 2, p 4",
        ),
        gate(
            "OAI22",
            "!((A | B) & (C | D))",
            &[("A", 2.0), ("B", 2.0), ("C", 2.0), ("D", 2.0)],
            4.0,
            "g 2, p 4",
        ),
        exclusive("XOR2", "A ^ B"),
        exclusive("XNOR2", "!(A ^ B)"),
        multiplexer(),
    ]);
    cells
}

const HEAD: &str = "\
/* lanewise45: a small 45 nm standard-cell library for area and first-order timing.
 *
 * Written by `cargo run -p lanewise-silicon --bin lanewise45` from the rules in
 * silicon/src/liberty/logical_effort.rs; change it there. It is a model, not a process design kit.
 *
 * Area. The X1 areas are those of the NanGate 45 nm open cell library. They follow one rule, which
 *   also gives the larger drives: each gate finger takes one poly pitch (0.266 um2 of a row 1.4 um
 *   high) and the cell's edge one more. XOR2, MUX2 and DFF are given as counts of fingers.
 * Delay. Logical effort (Sutherland, Sproull and Harris): d = tau (p + C_load / (drive C_inv)). The
 *   comment of each cell has its effort g and parasitic delay p, the textbook's for a p to n width
 *   ratio of 2. tau = 4.5 ps: an inverter with four copies as load takes 5 tau = 22.5 ps, which is
 *   0.5 ns per um of gate length, the rule of thumb for a slow corner (0.36 is typical: divide
 *   delays by 1.4). Delay does not depend on the input's slope, rise equals fall, and wires
 *   have no capacitance: numbers before layout.
 * Capacitance. g times 1.5 fF: about 1 um of gate width at 1.5 fF/um. Delays depend only on ratios.
 * Flip-flop. Clock to output: clock inverter (p 1, load 3), half-size tri-state stage (p 2, load 2), output
 *   inverter. Set-up: half-size tri-state stage and the feedback inverter (p 1, load 1): together about 3 inverters
 *   of fan-out four. Hold is not modelled.
 */
library (lanewise45) {
  technology (cmos);
  delay_model : table_lookup;
  time_unit : \"1ps\";
  voltage_unit : \"1V\";
  current_unit : \"1mA\";
  capacitive_load_unit (1, ff);
  nom_voltage : 1.1;
  input_threshold_pct_rise : 50;
  input_threshold_pct_fall : 50;
  output_threshold_pct_rise : 50;
  output_threshold_pct_fall : 50;
  slew_lower_threshold_pct_rise : 20;
  slew_upper_threshold_pct_rise : 80;
  slew_lower_threshold_pct_fall : 20;
  slew_upper_threshold_pct_fall : 80;
  lu_table_template (by_load) {
    variable_1 : input_net_transition;
    variable_2 : total_output_net_capacitance;
    index_1 (\"1, 200\");
    index_2 (\"0, 100\");
  }
  lu_table_template (by_slew) {
    variable_1 : related_pin_transition;
    variable_2 : constrained_pin_transition;
    index_1 (\"1, 200\");
    index_2 (\"1, 200\");
  }
";

/// The library as a Liberty file.
pub fn text() -> String {
    let mut text = String::from(HEAD);
    for cell in cells() {
        combinational(&mut text, &cell).expect("a String takes all that is written to it");
    }
    flip_flop(&mut text).expect("a String takes all that is written to it");
    text.push_str("}\n");
    text
}

fn area(fingers: usize) -> f64 {
    PITCH * (fingers + 1) as f64
}

fn combinational(text: &mut String, cell: &Cell) -> std::fmt::Result {
    writeln!(text, "\n  /* {} */", cell.why)?;
    writeln!(text, "  cell ({}) {{\n    area : {:.3};", cell.name, area(cell.fingers))?;
    for input in &cell.inputs {
        input_pin(text, input.name, input.load, "")?;
    }
    writeln!(text, "    pin (Y) {{\n      direction : output;")?;
    writeln!(text, "      function : \"{}\";", cell.function)?;
    for input in &cell.inputs {
        writeln!(text, "      timing () {{\n        related_pin : \"{}\";", input.name)?;
        writeln!(text, "        timing_sense : {};", cell.unate)?;
        tables(text, input.delay, cell.drive)?;
    }
    writeln!(text, "    }}\n  }}")
}

fn flip_flop(text: &mut String) -> std::fmt::Result {
    writeln!(text, "\n  /* 16 fingers: 4.522 um2 */")?;
    writeln!(text, "  cell (DFF_X1) {{\n    area : {:.3};", area(16))?;
    writeln!(text, "    ff (IQ, IQN) {{\n      next_state : \"D\";")?;
    writeln!(text, "      clocked_on : \"CK\";\n    }}")?;
    input_pin(text, "CK", 1.0, "      clock : true;\n")?;
    let setup = TAU * ((2.0 + 2.0) + (1.0 + 1.0));
    let constraint = format!(
        "      timing () {{\n        related_pin : \"CK\";\n        timing_type : setup_rising;\n\
         \x20       rise_constraint (by_slew) {{ values (\"{setup:.1}, {setup:.1}\", \"{setup:.1}, {setup:.1}\"); }}\n\
         \x20       fall_constraint (by_slew) {{ values (\"{setup:.1}, {setup:.1}\", \"{setup:.1}, {setup:.1}\"); }}\n      }}\n"
    );
    input_pin(text, "D", 1.0, &constraint)?;
    writeln!(text, "    pin (Q) {{\n      direction : output;\n      function : \"IQ\";")?;
    writeln!(text, "      timing () {{\n        related_pin : \"CK\";")?;
    writeln!(text, "        timing_type : rising_edge;\n        timing_sense : non_unate;")?;
    tables(text, (1.0 + 3.0) + (2.0 + 2.0) + 1.0, 1.0)?;
    writeln!(text, "    }}\n  }}")
}

fn input_pin(text: &mut String, name: &str, load: f64, more: &str) -> std::fmt::Result {
    writeln!(text, "    pin ({name}) {{\n      direction : input;")?;
    writeln!(text, "      capacitance : {:.3};\n{more}    }}", load * UNIT_CAP)
}

/// Delay and transition tables of one arc, and the end of its `timing` group.
fn tables(text: &mut String, unloaded: f64, drive: f64) -> std::fmt::Result {
    let row = |unloaded: f64| {
        let at = |load: f64| TAU * (unloaded + load / (drive * UNIT_CAP));
        format!("{:.3}, {:.3}", at(LOADS[0]), at(LOADS[1]))
    };
    // The transition is that of the last stage; no delay of this model depends on it.
    for (name, row) in [
        ("cell_rise", row(unloaded)),
        ("cell_fall", row(unloaded)),
        ("rise_transition", row(1.0)),
        ("fall_transition", row(1.0)),
    ] {
        writeln!(text, "        {name} (by_load) {{ values (\"{row}\", \"{row}\"); }}")?;
    }
    writeln!(text, "      }}")
}
