//! A netlist joined with its library: drivers, loads and an order in which values flow.

use crate::liberty::{Kind, Library};
use crate::manifest::Direction;
use crate::netlist::{Bit, Netlist};
use crate::Error;

/// Cells of a netlist, resolved and sorted.
#[derive(Debug)]
pub struct Graph<'a> {
    /// The netlist.
    pub netlist: &'a Netlist,
    /// The library cell of each cell.
    pub kinds: Vec<&'a crate::liberty::Cell>,
    /// Combinational cells, each after those that drive it.
    pub order: Vec<usize>,
    /// Cells with a state.
    pub registers: Vec<usize>,
    /// Capacitance at each net in fF, `output_load` for each output port included.
    pub loads: Vec<f64>,
}

impl<'a> Graph<'a> {
    /// Joins a netlist with the library it was made for.
    pub fn new(
        netlist: &'a Netlist,
        library: &'a Library,
        output_load: f64,
    ) -> Result<Graph<'a>, Error> {
        let unknown = |reason| Error::Netlist { module: netlist.module.clone(), reason };
        let mut kinds = Vec::with_capacity(netlist.cells.len());
        for cell in &netlist.cells {
            let kind = library.cells.get(&cell.kind).ok_or_else(|| {
                unknown(format!("the library has no cell for {} ({})", cell.kind, cell.name))
            })?;
            kinds.push(kind);
        }
        let mut loads = vec![0.0; netlist.nets()];
        for (cell, kind) in netlist.cells.iter().zip(&kinds) {
            for (pin, bit) in &cell.pins {
                if let (Bit::Net(net), Some(pin)) = (bit, kind.pin(pin)) {
                    loads[*net] += if pin.output { 0.0 } else { pin.capacitance };
                }
            }
        }
        for bit in netlist.port_bits(Direction::Output) {
            if let Bit::Net(net) = bit {
                loads[net] += output_load;
            }
        }
        let order = sort(netlist, &kinds).ok_or_else(|| unknown("a combinational loop".into()))?;
        let registers =
            (0..kinds.len()).filter(|cell| kinds[*cell].kind != Kind::Combinational).collect();
        Ok(Graph { netlist, kinds, order, registers, loads })
    }

    /// The nets of a cell's pins of one direction, with the pins.
    pub fn nets(
        &self,
        cell: usize,
        output: bool,
    ) -> impl Iterator<Item = (&'a crate::liberty::Pin, usize)> + '_ {
        let kind = self.kinds[cell];
        self.netlist.cells[cell].pins.iter().filter_map(move |(name, bit)| {
            let pin = kind.pin(name)?;
            match bit {
                Bit::Net(net) if pin.output == output => Some((pin, *net)),
                _ => None,
            }
        })
    }
}

/// Combinational cells in topological order; `None` if there is a loop.
fn sort(netlist: &Netlist, kinds: &[&crate::liberty::Cell]) -> Option<Vec<usize>> {
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); netlist.nets()];
    let mut driven = vec![false; netlist.nets()];
    let combinational: Vec<usize> =
        (0..kinds.len()).filter(|cell| kinds[*cell].kind == Kind::Combinational).collect();
    let nets = |cell: usize, output: bool| {
        netlist.cells[cell].pins.iter().filter_map(move |(name, bit)| match bit {
            Bit::Net(net) if kinds[cell].pin(name).is_some_and(|pin| pin.output == output) => {
                Some(*net)
            }
            _ => None,
        })
    };
    for &cell in &combinational {
        nets(cell, false).for_each(|net| readers[net].push(cell));
        nets(cell, true).for_each(|net| driven[net] = true);
    }
    let mut waits: Vec<usize> = vec![0; kinds.len()];
    for &cell in &combinational {
        waits[cell] = nets(cell, false).filter(|net| driven[*net]).count();
    }
    let mut order: Vec<usize> =
        combinational.iter().copied().filter(|cell| waits[*cell] == 0).collect();
    let mut next = 0;
    while let Some(&cell) = order.get(next) {
        next += 1;
        for net in nets(cell, true) {
            for &reader in &readers[net] {
                waits[reader] -= 1;
                if waits[reader] == 0 {
                    order.push(reader);
                }
            }
        }
    }
    (order.len() == combinational.len()).then_some(order)
}
