//! Pictures of the blocks, drawn from the exported Verilog: each from outside and from inside.

mod diagram;
mod inside;
mod layout;
mod svg;
mod symbol;

use crate::cache::Cache;
use crate::manifest::{Manifest, Module};
use crate::netlist::json;
use crate::synthesis::{made, read};
use crate::tool::yosys;
use crate::Error;

/// The file names and texts of a block's pictures.
pub fn draw(
    manifest: &Manifest,
    module: &Module,
    cache: &Cache,
) -> Result<[(String, String); 2], Error> {
    let source = manifest.source(&module.module)?;
    let script =
        format!("{}prep -top {}\nwrite_json prepared.json\n", read(&source), module.module);
    let entry = made(&source, &[&script], cache, |folder| yosys(&module.module, folder, &script))?;
    let prepared = json::load(&entry.join("prepared.json"), &module.module)?;
    let diagram = diagram::diagram(module, &prepared);
    Ok([
        (format!("{}.symbol.svg", module.module), symbol::draw(module)),
        (format!("{}.inside.svg", module.module), inside::draw(&module.module, &diagram)),
    ])
}
