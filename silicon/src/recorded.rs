//! What a kernel's own data cost a block: a recording of co-simulation, run through the block's netlist.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::cache::Cache;
use crate::energy::{spend, Energy};
use crate::graph::Graph;
use crate::manifest::Manifest;
use crate::stimulus::Stimulus;
use crate::synthesis::Technology;
use crate::Error;

/// The energy of one recording in one module.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Recorded {
    /// The module.
    pub module: String,
    /// What the numbers depend on beside the recording, to know when they are old.
    pub netlist: String,
    /// The recording's file name without its ending: it should name the kernel.
    pub recording: String,
    /// Cycles in which a warp, or one half or beat of it, comes in.
    pub warps: usize,
    /// What all cycles cost.
    #[serde(flatten)]
    pub energy: Energy,
}

impl Recorded {
    /// Runs the recording in `path` through the netlist of `module`.
    pub fn measure(
        module: &str,
        path: &Path,
        manifest: &Manifest,
        technology: &Technology,
        cache: &Cache,
    ) -> Result<Recorded, Error> {
        let source = manifest.source(module)?;
        let volts = technology.library.voltage.ok_or(Error::NoVoltage)?;
        let text = fs::read_to_string(path).map_err(Error::file("read", path))?;
        let described = manifest.find(module)?;
        let stimulus = Stimulus::recorded(&text, described, path)?;
        let netlist = technology.synthesise(&source, cache)?;
        let graph = Graph::new(&netlist, &technology.library, technology.load)?;
        Ok(Recorded {
            module: module.into(),
            netlist: technology.key(&source)?,
            recording: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            warps: stimulus.warps(described),
            energy: spend(&graph, &stimulus, volts),
        })
    }

    /// Energy of a warp's passage in pJ, clock pins included; none if the module has no warps.
    pub fn pj_per_warp(&self) -> Option<f64> {
        let pj = (self.energy.switching_fj + self.energy.clock_fj) / 1000.0;
        (self.warps > 0).then(|| pj / self.warps as f64)
    }
}
