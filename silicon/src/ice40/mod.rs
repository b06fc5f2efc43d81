//! How blocks fit a small FPGA: Lattice iCE40 HX8K, by `synth_ice40` and nextpnr.

mod wrapper;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::cache::Cache;
use crate::manifest::{Direction, Manifest, Module, Source};
use crate::netlist::json;
use crate::synthesis::{made, read};
use crate::tool::{run, yosys};
use crate::Error;
use lanewise_files::digest;

/// Logic cells of the HX8K, each with a look-up table and a flip-flop.
pub const LOGIC_CELLS: usize = 7680;

/// What a block takes of an FPGA.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Fit {
    /// The module.
    pub module: String,
    /// A digest of its Verilog, to know when the numbers are old.
    pub source: String,
    /// Look-up tables of four inputs, the wrapper's left out.
    pub luts: usize,
    /// Flip-flops, the wrapper's left out.
    pub flip_flops: usize,
    /// Carry cells.
    pub carries: usize,
    /// Frequency of the block between two registers; none if it is too large for the HX8K.
    pub max_mhz: Option<f64>,
}

/// A digest of a module's Verilog.
pub fn source_digest(source: &Source) -> String {
    digest(source.texts.iter().map(String::as_str))
}

/// Fits a module.
pub fn fit(manifest: &Manifest, module: &Module, cache: &Cache) -> Result<Fit, Error> {
    let source = manifest.source(&module.module)?;
    let cells = synthesise(&source, cache)?;
    let count = |prefix: &str| {
        cells.iter().filter(|(kind, _)| kind.starts_with(prefix)).map(|(_, count)| count).sum()
    };
    let (luts, flip_flops, carries): (usize, usize, usize) =
        (count("SB_LUT4"), count("SB_DFF"), count("SB_CARRY"));
    let wrapped =
        wrapper::bits(module, Direction::Input) + wrapper::bits(module, Direction::Output);
    // A cell whose table and flip-flop are unrelated is used up by one of them.
    let max_mhz = if luts + flip_flops + wrapped < LOGIC_CELLS {
        Some(place(module, &source, cache)?)
    } else {
        None
    };
    // A tenth of a MHz is more than place and route can promise.
    let max_mhz = max_mhz.map(|mhz| (mhz * 10.0).round() / 10.0);
    let source = source_digest(&source);
    Ok(Fit { module: module.module.clone(), source, luts, flip_flops, carries, max_mhz })
}

/// Cells of the block alone, by type.
fn synthesise(source: &Source, cache: &Cache) -> Result<BTreeMap<String, usize>, Error> {
    let script = format!("{}synth_ice40 -top {} -json ice40.json\n", read(source), source.top);
    let entry = made(source, &[&script], cache, |folder| yosys(&source.top, folder, &script))?;
    let mut cells = BTreeMap::new();
    for cell in json::load(&entry.join("ice40.json"), &source.top)?.cells.into_values() {
        *cells.entry(cell.kind).or_insert(0) += 1;
    }
    Ok(cells)
}

/// Frequency of the wrapped block after place and route.
fn place(module: &Module, source: &Source, cache: &Cache) -> Result<f64, Error> {
    #[derive(Deserialize)]
    struct Report {
        fmax: BTreeMap<String, Clock>,
    }
    #[derive(Deserialize)]
    struct Clock {
        achieved: f64,
    }
    let mut source = source.clone();
    source.top = wrapper::name(module);
    source.texts.push(wrapper::verilog(module));
    let script = format!("{}synth_ice40 -top {} -json wrapped.json\n", read(&source), source.top);
    let arguments = [
        "--hx8k",
        "--package",
        "ct256",
        "--seed",
        "1",
        "--json",
        "wrapped.json",
        "--report",
        "report.json",
        "--quiet",
    ];
    let key = arguments.join(" ");
    let entry = made(&source, &[&script, &key], cache, |folder| {
        yosys(&source.top, folder, &script)?;
        run("nextpnr-ice40", "nextpnr-ice40", &source.top, folder, &arguments).map(|_| ())
    })?;
    let path = entry.join("report.json");
    let text = fs::read_to_string(&path).map_err(Error::file("read", &path))?;
    let report: Report = serde_json::from_str(&text).map_err(|reason| stale(&path, reason))?;
    report.fmax.values().map(|clock| clock.achieved).reduce(f64::min).ok_or_else(|| Error::Json {
        path,
        reason: "no clock".into(),
        remedy: "nextpnr-ice40 0.4 or later writes one",
    })
}

fn stale(path: &Path, reason: serde_json::Error) -> Error {
    Error::Json {
        path: path.into(),
        reason: reason.to_string(),
        remedy: "delete target/silicon and run again",
    }
}
