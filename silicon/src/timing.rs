//! Static timing: the longest path of a netlist by its library's delay tables.
//!
//! The clock is an ideal step and wires have no capacitance. Inputs arrive at time zero from the driving
//! cell, which is charged for its load; outputs carry the load of four small inverters.

use serde::Serialize;

use crate::graph::Graph;
use crate::liberty::{Arc, Edge, Sense};
use crate::manifest::Direction;
use crate::netlist::Bit;
use crate::synthesis::Technology;

/// The longest path of a module.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timing {
    /// Its delay in ps, clock-to-output and set-up times included.
    pub path_ps: f64,
    /// One over the delay.
    pub max_mhz: f64,
    /// Cells on it.
    pub cells: usize,
    /// The signal it starts at.
    pub from: String,
    /// The signal or register it ends at.
    pub to: String,
}

/// When a net falls (0) and rises (1) at the latest, and how slowly.
#[derive(Clone, Copy)]
struct Arrival {
    time: [f64; 2],
    slew: [f64; 2],
    /// The net and edge that caused each.
    cause: [Option<(usize, usize)>; 2],
}

const NEVER: Arrival = Arrival { time: [f64::NEG_INFINITY; 2], slew: [0.0; 2], cause: [None; 2] };

/// The longest path; `None` if there is no path at all or the library has no delays.
pub fn longest(graph: &Graph, technology: &Technology) -> Option<Timing> {
    let driver = technology.driver.as_ref()?.outputs().next()?.arcs.first()?;
    let mut arrivals = vec![NEVER; graph.netlist.nets()];
    for bit in graph.netlist.port_bits(Direction::Input) {
        if let Bit::Net(net) = bit {
            arrivals[net] = driven(driver, graph.loads[net]);
        }
    }
    for &cell in &graph.registers {
        for (pin, net) in graph.nets(cell, true) {
            for arc in pin.arcs.iter().filter(|arc| arc.edge == Edge::Clock) {
                for edge in 0..2 {
                    let time = arc.delay[edge].at(0.0, graph.loads[net]);
                    let slew = arc.slew.as_ref()?[edge].at(0.0, graph.loads[net]);
                    later(&mut arrivals[net], edge, time, slew, None);
                }
            }
        }
    }
    for &cell in &graph.order {
        for (pin, net) in graph.nets(cell, true) {
            for arc in pin.arcs.iter().filter(|arc| arc.edge == Edge::Any) {
                let Some(Bit::Net(from)) = graph.netlist.cells[cell].bit(&arc.from) else {
                    continue;
                };
                propagate(&mut arrivals, arc, from, net, graph.loads[net]);
            }
        }
    }
    let (net, edge, extra, to) = last(graph, &arrivals)?;
    let path_ps = arrivals[net].time[edge] + extra;
    let mut start = (net, edge);
    let mut cells = 0;
    while let Some(cause) = arrivals[start.0].cause[start.1] {
        start = cause;
        cells += 1;
    }
    Some(Timing {
        path_ps,
        max_mhz: 1e6 / path_ps,
        cells,
        from: graph.netlist.name(start.0).into(),
        to,
    })
}

/// An input net: the driver's delay beyond its own without load, from a step at its input.
fn driven(arc: &Arc, load: f64) -> Arrival {
    let mut arrival = NEVER;
    for edge in 0..2 {
        let delay = &arc.delay[edge];
        arrival.time[edge] = delay.at(0.0, load) - delay.at(0.0, 0.0);
        arrival.slew[edge] = arc.slew.as_ref().map_or(0.0, |slew| slew[edge].at(0.0, load));
    }
    arrival
}

fn propagate(arrivals: &mut [Arrival], arc: &Arc, from: usize, to: usize, load: f64) {
    let Some(slews) = &arc.slew else {
        return;
    };
    let source = arrivals[from];
    for edge in 0..2 {
        let causes: &[usize] = match arc.sense {
            Sense::Positive => &[edge],
            Sense::Negative => &[1 - edge],
            Sense::Both => &[0, 1],
        };
        for &cause in causes {
            let time = source.time[cause] + arc.delay[edge].at(source.slew[cause], load);
            let slew = slews[edge].at(source.slew[cause], load);
            later(&mut arrivals[to], edge, time, slew, Some((from, cause)));
        }
    }
}

/// Keeps the latest arrival and, on its own, the slowest slope.
fn later(arrival: &mut Arrival, edge: usize, time: f64, slew: f64, cause: Option<(usize, usize)>) {
    if time > arrival.time[edge] {
        arrival.time[edge] = time;
        arrival.cause[edge] = cause;
    }
    arrival.slew[edge] = arrival.slew[edge].max(slew);
}

/// The latest end: net, edge, set-up time and name.
fn last(graph: &Graph, arrivals: &[Arrival]) -> Option<(usize, usize, f64, String)> {
    let mut ends = Vec::new();
    for port in graph.netlist.ports.iter().filter(|port| port.direction == Direction::Output) {
        for bit in &port.bits {
            if let Bit::Net(net) = bit {
                ends.extend((0..2).map(|edge| (*net, edge, 0.0, graph.netlist.name(*net))));
            }
        }
    }
    for &cell in &graph.registers {
        let state = graph.nets(cell, true).next().map_or("", |(_, net)| graph.netlist.name(net));
        for (pin, net) in graph.nets(cell, false) {
            for arc in pin.arcs.iter().filter(|arc| arc.edge == Edge::Setup) {
                for edge in 0..2 {
                    let setup = arc.delay[edge].at(0.0, arrivals[net].slew[edge]);
                    ends.push((net, edge, setup, state));
                }
            }
        }
    }
    let at = |end: &(usize, usize, f64, &str)| arrivals[end.0].time[end.1] + end.2;
    ends.into_iter()
        .filter(|end| at(end).is_finite())
        .max_by(|a, b| at(a).total_cmp(&at(b)).then_with(|| b.3.cmp(a.3)))
        .map(|(net, edge, setup, name)| (net, edge, setup, name.to_string()))
}
