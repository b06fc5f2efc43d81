//! From Verilog to a netlist of library cells, by Yosys and ABC.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cache::Cache;
use crate::liberty::{Cell, Library, LANEWISE45};
use crate::manifest::Source;
use crate::netlist::Netlist;
use crate::tool::{yosys, yosys_version};
use crate::Error;
use lanewise_files::digest;

/// The clock period that ABC sizes gates for, in ps: 1 GHz, above the 700 MHz of the papers' GPUs.
const TARGET_PS: usize = 1000;
/// The most pins that one cell may drive before ABC puts in buffers. ABC's own limit is 10; it takes 2 %
/// more area in the lane shifters, whose selects drive hundreds of multiplexers.
const FAN_OUT: usize = 16;
/// Levels of logic in which ABC looks for signals that are equal. Only `gang_issue` is deeper: all of it would
/// take many minutes (four picks), and 7 % off its area (one pick).
const SWEPT: usize = 80;

/// A library and what synthesis needs to know of it.
#[derive(Clone, Debug)]
pub struct Technology {
    /// The cells.
    pub library: Library,
    /// The cell that drives each input.
    pub driver: Option<Cell>,
    /// The load of each output in fF: four of the smallest inverters.
    pub load: f64,
    text: String,
}

impl Technology {
    /// The project's own library.
    pub fn lanewise45() -> Result<Technology, Error> {
        Technology::parse(LANEWISE45.into(), Path::new("silicon/liberty/lanewise45.lib"))
    }

    /// The library in a Liberty file.
    pub fn load(path: &Path) -> Result<Technology, Error> {
        let bytes = fs::read(path).map_err(Error::file("read", path))?;
        let text = String::from_utf8(bytes).map_err(|_| Error::Liberty {
            path: path.into(),
            line: 1,
            reason: "this is not a text file".into(),
        })?;
        Technology::parse(text, path)
    }

    fn parse(text: String, path: &Path) -> Result<Technology, Error> {
        let library = Library::parse(&text, path)?;
        let driver = if library.has_timing() { driver(&library) } else { None };
        let load = library
            .inverter()
            .and_then(|inverter| inverter.inputs().next())
            .map_or(0.0, |pin| 4.0 * pin.capacitance);
        Ok(Technology { library, driver, load, text })
    }

    /// The netlist of a module, from the cache or from Yosys.
    pub fn synthesise(&self, source: &Source, cache: &Cache) -> Result<Netlist, Error> {
        let script = self.script(source);
        let entry = made(source, &[&script, &self.text], cache, |folder| {
            self.write_library(folder)?;
            yosys(&source.top, folder, &script)
        })?;
        Netlist::load(&entry.join("netlist.json"), &source.top)
    }

    /// What the netlist of a module depends on: its Verilog, the library, the recipe and Yosys.
    pub fn key(&self, source: &Source) -> Result<String, Error> {
        key(source, &[&self.script(source), &self.text])
    }

    fn write_library(&self, folder: &Path) -> Result<(), Error> {
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::write(&path, text).map_err(Error::file("write", &path))
        };
        write("cells.lib", &self.text)?;
        if let Some(driver) = &self.driver {
            write(
                "edge.constr",
                &format!("set_driving_cell {}\nset_load {}\n", driver.name, self.load),
            )?;
        }
        Ok(())
    }

    fn script(&self, source: &Source) -> String {
        // ABC's usual script for libraries with delays, without its steps for registers and
        // `dc2`, which makes the reference lane slower, and with our limits.
        let sizing = if self.driver.is_some() {
            format!(
                " -D {TARGET_PS} -constr edge.constr -script +strash;&get,-n;\
                 &fraig,-L,{SWEPT};&put;strash;&get,-n;&nf,{{D}};&put;buffer,-N,{FAN_OUT};upsize,{{D}};dnsize,{{D}};stime,-p"
            )
        } else {
            String::new()
        };
        // The steps of Yosys' `synth`, each once and without its own ABC and its search for shared arithmetic:
        // the same area in half the time. Registers keep their names and codes (no `fsm`), so that the netlist
        // can be proved against the RTL.
        format!(
            "{}hierarchy -check -top {}\nproc\nflatten\nopt_expr\nopt_merge\nopt_muxtree\nopt_reduce\n\
             opt_dff -nodffe -nosdff\nopt_clean\nwreduce\npeepopt\nalumacc\nopt_clean\nmemory -nomap\nmemory_map\n\
             opt_expr -mux_undef -undriven -fine\ntechmap\nopt_expr\nopt_merge\nopt_dff\nopt_clean\n\
             dfflibmap -liberty cells.lib\nabc -liberty cells.lib{sizing}\nsetundef -zero\nclean\n\
             setattr -unset src */w:* */c:*\nwrite_json netlist.json\n",
            read(source),
            source.top
        )
    }
}

/// A module as registers and simple gates, without ABC: what the RTL means.
///
/// Sums and products become the same adder trees as in synthesis; else no solver could compare them.
pub fn elaborate(source: &Source, cache: &Cache) -> Result<Netlist, Error> {
    let script = format!(
        "{}prep -flatten -top {}\nwreduce\nalumacc\nopt\nmemory_map\ntechmap\ndffunmap\nsimplemap\nopt_clean\n\
         setattr -unset src */w:* */c:*\nwrite_json netlist.json\n",
        read(source),
        source.top
    );
    let entry = made(source, &[&script], cache, |folder| yosys(&source.top, folder, &script))?;
    Netlist::load(&entry.join("netlist.json"), &source.top)
}

/// The cache entry of a module under a script; `make` runs where its Verilog has been written.
pub(crate) fn made(
    source: &Source,
    key: &[&str],
    cache: &Cache,
    make: impl FnOnce(&Path) -> Result<(), Error>,
) -> Result<PathBuf, Error> {
    let key = self::key(source, key)?;
    cache.entry(&format!("{}-{key}", source.top), |folder| {
        for (index, text) in source.texts.iter().enumerate() {
            let path = folder.join(format!("{index}.v"));
            fs::write(&path, text).map_err(Error::file("write", &path))?;
        }
        make(folder)
    })
}

fn key(source: &Source, parts: &[&str]) -> Result<String, Error> {
    let version = yosys_version()?;
    let parts = source.texts.iter().map(String::as_str).chain(parts.iter().copied());
    Ok(digest(parts.chain([version.as_str()])))
}

/// The commands that read a module's Verilog.
pub(crate) fn read(source: &Source) -> String {
    (0..source.texts.len()).map(|index| format!("read_verilog {index}.v\n")).collect()
}

/// The cell that stands for the neighbour: the largest buffer of at most two and a half times the
/// area of the smallest, neither the weakest nor one made for clock trees.
fn driver(library: &Library) -> Option<Cell> {
    let buffers = library.buffers();
    let limit = 2.5 * buffers.first()?.area;
    buffers.into_iter().rfind(|buffer| buffer.area <= limit).cloned()
}
