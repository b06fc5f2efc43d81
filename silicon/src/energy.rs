//! Switching energy: a netlist is run on a stimulus and every change of a net is paid for.
//!
//! A change of a net costs half of C V squared, C being the pins it drives; wires are not known before
//! layout. Within a cycle a net changes at most once: glitches are not counted. Each clock pin
//! charges and discharges once a cycle unless the clock is gated.

use crate::graph::Graph;
use crate::liberty::{Function, Kind};
use crate::manifest::Direction;
use crate::netlist::Bit;
use crate::stimulus::Stimulus;
use serde::{Deserialize, Serialize};

/// What a stimulus costs.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Energy {
    /// Cycles of the stimulus.
    pub cycles: usize,
    /// Changes of nets.
    pub toggles: u64,
    /// Energy of all changes in fJ.
    pub switching_fj: f64,
    /// Energy of the clock pins in fJ, never gated.
    pub clock_fj: f64,
}

impl Energy {
    /// Mean energy of a cycle in fJ, without the clock pins.
    pub fn per_cycle_fj(&self) -> f64 {
        self.switching_fj / self.cycles.max(1) as f64
    }

    /// Mean power in uW at a clock, without the clock pins.
    pub fn uw(&self, mhz: f64) -> f64 {
        // fJ x MHz = nW.
        self.per_cycle_fj() * mhz / 1000.0
    }

    /// Mean power of the clock pins in uW at a clock.
    pub fn clock_uw(&self, mhz: f64) -> f64 {
        self.clock_fj / self.cycles.max(1) as f64 * mhz / 1000.0
    }
}

/// One gate as a table over nets, or a register as a gate of its next value.
struct Step {
    inputs: Vec<Bit>,
    output: usize,
    table: Vec<bool>,
}

impl Step {
    fn new(graph: &Graph, cell: usize, output: usize, function: &Function) -> Step {
        let pins = function.pins();
        let bit = |pin: &&str| graph.netlist.cells[cell].bit(pin).unwrap_or(Bit::Constant(false));
        Step { inputs: pins.iter().map(bit).collect(), output, table: function.table(&pins) }
    }

    fn eval(&self, values: &[bool]) -> bool {
        let row = self.inputs.iter().enumerate().fold(0, |row, (index, bit)| {
            let value = match bit {
                Bit::Net(net) => values[*net],
                Bit::Constant(constant) => *constant,
            };
            row | usize::from(value) << index
        });
        self.table[row]
    }
}

/// Runs a netlist on a stimulus at a supply of `volts`; all nets start at zero.
pub fn spend(graph: &Graph, stimulus: &Stimulus, volts: f64) -> Energy {
    let gates: Vec<Step> = graph
        .order
        .iter()
        .flat_map(|&cell| {
            graph.nets(cell, true).filter_map(move |(pin, net)| {
                pin.function.as_ref().map(|function| Step::new(graph, cell, net, function))
            })
        })
        .collect();
    let (registers, clock_load) = registers(graph);
    let mut values = vec![false; graph.netlist.nets()];
    let mut energy =
        Energy { cycles: stimulus.cycles.len(), toggles: 0, switching_fj: 0.0, clock_fj: 0.0 };
    let mut toggles = vec![0_u64; values.len()];
    for inputs in &stimulus.cycles {
        let mut change = |values: &mut [bool], net: usize, value: bool| {
            toggles[net] += u64::from(values[net] != value);
            values[net] = value;
        };
        for port in graph.netlist.ports.iter().filter(|port| port.direction == Direction::Input) {
            let given = inputs.get(&port.name).map_or(&[][..], Vec::as_slice);
            for (index, bit) in port.bits.iter().enumerate() {
                if let Bit::Net(net) = bit {
                    change(&mut values, *net, given.get(index).copied().unwrap_or(false));
                }
            }
        }
        for gate in &gates {
            let value = gate.eval(&values);
            change(&mut values, gate.output, value);
        }
        let next: Vec<bool> = registers.iter().map(|register| register.eval(&values)).collect();
        for (register, value) in registers.iter().zip(next) {
            change(&mut values, register.output, value);
        }
    }
    // Summed by net at the end: the same digits whatever the stimulus was cut into.
    for (count, load) in toggles.iter().zip(&graph.loads) {
        energy.toggles += count;
        energy.switching_fj += *count as f64 * 0.5 * load * volts * volts;
    }
    energy.clock_fj = energy.cycles as f64 * clock_load * volts * volts;
    energy
}

/// Registers as gates of their next value, and the capacitance of their clock pins in fF.
fn registers(graph: &Graph) -> (Vec<Step>, f64) {
    let mut steps = Vec::new();
    let mut clock_load = 0.0;
    for &cell in &graph.registers {
        let Kind::FlipFlop { next, clock, .. } = &graph.kinds[cell].kind else {
            continue;
        };
        for pin in clock.pins() {
            clock_load += graph.kinds[cell].pin(pin).map_or(0.0, |pin| pin.capacitance);
        }
        for (_, net) in graph.nets(cell, true) {
            steps.push(Step::new(graph, cell, net, next));
        }
    }
    (steps, clock_load)
}
