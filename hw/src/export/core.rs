//! `lanewise.core`: the export as a FuseSoC core, to lint, simulate or depend on.

use super::file_of;
use crate::catalogue::Entry;
use crate::emit::Module;
use std::fmt::Write;

/// The test bench of the `sim` target: file name and text.
pub const TESTBENCH: (&str, &str) = ("lane_roundtrip_tb.v", include_str!("lane_roundtrip_tb.v"));

/// Whether the modules are there that the test bench instantiates.
pub fn has_testbench(modules: &[(Entry, Module)]) -> bool {
    ["lane_shift", "lane_reshift"].iter().all(|n| modules.iter().any(|(e, _)| e.name == *n))
}

/// The text of the core file.
pub fn text(modules: &[(Entry, Module)]) -> String {
    let mut text = format!(
        "CAPI=2:\n\nname: lanewise:gpu:lanewise:{}\ndescription: GPU power and performance mechanisms \
         of five papers as plain Verilog-2005\n\nfilesets:\n  rtl:\n    file_type: \
         verilogSource-2005\n    files:\n",
        env!("CARGO_PKG_VERSION")
    );
    for (entry, _) in modules {
        let _ = writeln!(text, "      - {}", file_of(&entry.name));
    }
    if has_testbench(modules) {
        let _ = write!(
            text,
            "  tb:\n    file_type: verilogSource-2005\n    files:\n      - {}\n",
            TESTBENCH.0
        );
    }
    text += "\ntargets:\n  default:\n    filesets: [rtl]\n";
    if has_testbench(modules) {
        text +=
            "  sim:\n    description: Shifts lanes and shifts them back, prints PASS or FAIL\n    \
                 default_tool: icarus\n    filesets: [rtl, tb]\n    toplevel: lane_roundtrip_tb\n";
    }
    // One lint target a module, and `lint` for the first that contains the most.
    let widest = modules.iter().max_by_key(|(_, module)| module.children.len());
    for (target, top) in widest
        .map(|(entry, _)| ("lint".to_string(), &entry.name))
        .into_iter()
        .chain(modules.iter().map(|(entry, _)| (format!("lint_{}", entry.name), &entry.name)))
    {
        let _ = write!(
            text,
            "  {target}:\n    default_tool: verilator\n    filesets: [rtl]\n    toplevel: {top}\n    \
             tools:\n      verilator:\n        mode: lint-only\n        verilator_options: [-Wall]\n"
        );
    }
    text
}
