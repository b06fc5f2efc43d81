//! `docs/silicon.md`: what every block costs, beside what the papers claim.

mod blocks;
mod booster;
mod caches;
mod crisp;
mod fpga;
mod gangs;
mod markdown;
mod origami;
mod power;
mod reference;

pub use blocks::line;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::cache::Cache;
use crate::cost::Cost;
use crate::energy::{spend, Energy};
use crate::graph::Graph;
use crate::ice40::Fit;
use crate::lane_path;
use crate::manifest::{Manifest, Source};
use crate::recorded::Recorded;
use crate::stimulus::Stimulus;
use crate::synthesis::Technology;
use crate::tool::yosys_version;
use crate::Error;
use lanewise_files::digest;
use serde::de::DeserializeOwned;

/// Clock of the papers' GPUs in MHz, for powers.
pub const CLOCK_MHZ: f64 = 700.0;
/// Cycles of random stimulus for an energy.
const ENERGY_CYCLES: usize = 400;
/// The reference lane's module: percentages appear when it has been exported.
const REFERENCE_LANE: &str = "simt_lane";

/// Everything the page is made of.
#[derive(Debug)]
pub struct Report<'a> {
    manifest: &'a Manifest,
    technology: &'a Technology,
    version: String,
    fingerprint: String,
    costs: BTreeMap<String, Cost>,
    lane_paths: BTreeMap<&'static str, Cost>,
    energies: BTreeMap<String, Energy>,
    recorded: Vec<Recorded>,
    fits: Vec<Fit>,
}

/// What all numbers depend on: the Verilog, the library, the recipe and Yosys.
///
/// The page carries it, so that a page that is out of date is seen without synthesis.
pub fn fingerprint(manifest: &Manifest, technology: &Technology) -> Result<String, Error> {
    let mut parts = vec![];
    for module in manifest.modules() {
        parts.push(technology.key(&manifest.source(&module.module)?)?);
    }
    Ok(digest(parts.iter().map(String::as_str)))
}

impl<'a> Report<'a> {
    /// Adds to the costs of all modules what the claims need beyond them.
    pub fn new(
        manifest: &'a Manifest,
        technology: &'a Technology,
        cache: &Cache,
        costs: Vec<Cost>,
    ) -> Result<Report<'a>, Error> {
        let mut report = Report {
            manifest,
            technology,
            version: yosys_version()?,
            fingerprint: fingerprint(manifest, technology)?,
            costs: costs.into_iter().map(|cost| (cost.module.clone(), cost)).collect(),
            lane_paths: BTreeMap::new(),
            energies: BTreeMap::new(),
            recorded: measured("energy.json", "see `docs/silicon.md`, Power")?,
            fits: measured("ice40.json", "write it again with `scripts/area --ice40`")?,
        };
        for variant in ["fold", "compact"] {
            if let Some(source) = lane_path::source(manifest, variant)? {
                report.lane_paths.insert(variant, Cost::of(&source, technology, cache)?);
                report.energy(&source, cache)?;
            }
        }
        for module in ["shift_stage", "reshift_stage", "idle_counters"] {
            for found in manifest.modules().iter().filter(|found| found.block == module) {
                report.energy(&manifest.source(&found.module)?, cache)?;
            }
        }
        Ok(report)
    }

    /// Runs a module on random inputs.
    fn energy(&mut self, source: &Source, cache: &Cache) -> Result<(), Error> {
        let Some(volts) = self.technology.library.voltage else {
            return Ok(());
        };
        let netlist = self.technology.synthesise(source, cache)?;
        let graph = Graph::new(&netlist, &self.technology.library, self.technology.load)?;
        let stimulus = Stimulus::random(&netlist, ENERGY_CYCLES);
        self.energies.insert(source.top.clone(), spend(&graph, &stimulus, volts));
        Ok(())
    }

    fn cost(&self, module: &str) -> Option<&Cost> {
        self.costs.get(module)
    }

    /// The page.
    pub fn markdown(&self) -> String {
        let sections = [
            self.head(),
            self.bars(),
            self.origami(),
            self.caches(),
            self.crisp(),
            self.gangs(),
            self.booster(),
            self.blocks(),
            self.fpga(),
        ];
        sections.into_iter().filter(|section| !section.is_empty()).collect::<Vec<_>>().join("\n")
    }

    fn head(&self) -> String {
        let driver = self.technology.driver.as_ref().map_or("none", |cell| cell.name.as_str());
        format!(
            "# Silicon\n\n\
             What every exported block costs, and what the papers say it should. This page is written by\n\
             `scripts/area --report`; do not edit it. `scripts/area --block NAME` shows one block with its cells.\n\n\
             - **Synthesis**: {version} and ABC, flattened, for a clock of 1 GHz and at most 16 pins a driver; inputs come\n  \
             from {driver}, outputs drive four small inverters. Nothing is placed: wires have neither length nor load.\n\
             - **Library**: `{library}`. The project's own (`silicon/liberty/lanewise45.lib`) has NanGate's 45 nm areas and\n  \
             delays by logical effort at a slow corner; its head says where each number comes from. Any other is\n  \
             a path: `scripts/area --liberty FILE`.\n\
             - **Area** in um2, combinational cells and flip-flops apart. A NAND2 equivalent is the area of a NAND gate with two inputs.\n\
             - **Path**: static timing by the library's tables, clock-to-output and set-up times included. An inverter with a fan-out of four\n  \
             takes 22.5 ps here, so 1 ns is 44 of them.\n\
             - **Proved**: each netlist does what its RTL says (`scripts/area --prove`, `silicon/tests/equivalence.rs`). Wide products no solver\n  \
             can compare: `warp_profiler` is proved in its small variant, the reference lane is not.\n\n\
             Fingerprint of Verilog, library and tool: `{fingerprint}`\n",
            version = self.version,
            library = self.technology.library.name,
            fingerprint = self.fingerprint,
        )
    }
}

/// What was measured last by another run of the tool, if it is there.
fn measured<T: DeserializeOwned>(file: &str, remedy: &'static str) -> Result<Vec<T>, Error> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/measured")).join(file);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&path).map_err(Error::file("read", &path))?;
    serde_json::from_str(&text).map_err(|reason| Error::Json {
        path,
        reason: reason.to_string(),
        remedy,
    })
}
