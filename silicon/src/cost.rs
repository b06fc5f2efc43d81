//! What one module costs.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::cache::Cache;
use crate::graph::Graph;
use crate::liberty::Kind;
use crate::manifest::Source;
use crate::netlist::Netlist;
use crate::synthesis::Technology;
use crate::timing::{longest, Timing};
use crate::Error;

/// Cells, area and time of one module, everything it contains included.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// The module.
    pub module: String,
    /// How many of each library cell.
    pub cells: BTreeMap<String, usize>,
    /// Combinational cells.
    pub gates: usize,
    /// Flip-flops.
    pub flip_flops: usize,
    /// Latches; there should be none.
    pub latches: usize,
    /// Area of the combinational cells in um2.
    pub combinational_um2: f64,
    /// Area of the cells with a state in um2.
    pub sequential_um2: f64,
    /// The whole area in NAND gates with two inputs.
    pub nand2: f64,
    /// Combinational cells on the deepest path.
    pub depth: usize,
    /// The longest path, if the library has delays.
    pub timing: Option<Timing>,
}

impl Cost {
    /// Synthesises a module and measures it.
    pub fn of(source: &Source, technology: &Technology, cache: &Cache) -> Result<Cost, Error> {
        Cost::measure(&technology.synthesise(source, cache)?, technology)
    }

    /// Measures a netlist.
    pub fn measure(netlist: &Netlist, technology: &Technology) -> Result<Cost, Error> {
        let graph = Graph::new(netlist, &technology.library, technology.load)?;
        let mut cells = BTreeMap::new();
        let (mut gates, mut flip_flops, mut latches) = (0, 0, 0);
        for kind in &graph.kinds {
            *cells.entry(kind.name.clone()).or_insert(0) += 1;
            match kind.kind {
                Kind::Combinational => gates += 1,
                Kind::FlipFlop { .. } => flip_flops += 1,
                Kind::Latch | Kind::Other => latches += 1,
            }
        }
        // Summed by type, so that the order of the cells cannot change the last digit.
        let area = |state: bool| -> f64 {
            cells
                .iter()
                .map(|(name, count)| (&technology.library.cells[name], *count as f64))
                .filter(|(cell, _)| (cell.kind != Kind::Combinational) == state)
                .map(|(cell, count)| cell.area * count)
                .fold(0.0, |sum, area| sum + area)
        };
        let (combinational_um2, sequential_um2) = (area(false), area(true));
        let unit = technology.library.nand2().map_or(1.0, |cell| cell.area);
        Ok(Cost {
            module: netlist.module.clone(),
            gates,
            flip_flops,
            latches,
            combinational_um2,
            sequential_um2,
            nand2: (combinational_um2 + sequential_um2) / unit,
            depth: depth(&graph),
            timing: longest(&graph, technology),
            cells,
        })
    }

    /// The whole area in um2.
    pub fn um2(&self) -> f64 {
        self.combinational_um2 + self.sequential_um2
    }
}

/// Combinational cells on the deepest path.
fn depth(graph: &Graph) -> usize {
    let mut depths = vec![0; graph.netlist.nets()];
    for &cell in &graph.order {
        let before = graph.nets(cell, false).map(|(_, net)| depths[net]).max().unwrap_or(0);
        for (_, net) in graph.nets(cell, true) {
            depths[net] = before + 1;
        }
    }
    depths.into_iter().max().unwrap_or(0)
}
