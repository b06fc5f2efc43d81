//! Variable Warp Sizing's table, by its own arithmetic and by ours.

use super::markdown::{mm2, percent, table, um2, verdict};
use super::Report;

/// The paper's cells at 40 nm in um2, and its factors for what goes around them.
const LATCH: f64 = 2.1;
const FLIP_FLOP: f64 = 3.6;
const AROUND_LATCH: f64 = 1.5;
const AROUND_FLIP_FLOP: f64 = 3.0;
/// Slices of an SM, SMs of a GPU, and their areas in um2.
const SLICES: f64 = 8.0;
const SMS: f64 = 15.0;
const SM: f64 = 16e6;
const GPU: f64 = 529e6;
/// From 45 nm to 40 nm, as the paper scales: by area.
const SCALE: f64 = (40.0 * 40.0) / (45.0 * 45.0);

/// Component, the paper's figure for an SM in um2, and ours by its rule.
fn components() -> [(&'static str, f64, Option<f64>); 6] {
    let latches = |bits: f64| bits * LATCH * AROUND_LATCH;
    [
        ("dual-ported L1 instruction cache", 108_000.0, None),
        ("L0 instruction caches, 256 B", 52_000.0, Some(SLICES * latches(2048.0))),
        ("decoded instruction buffers, 4 Kbit", 103_000.0, Some(SLICES * latches(4096.0))),
        ("gang table, 128 entries of 64 bit", 26_000.0, Some(latches(128.0 * 64.0))),
        ("scoreboards, 1800 bit", 154_000.0, Some(SLICES * 1800.0 * FLIP_FLOP * AROUND_FLIP_FLOP)),
        ("control, 1 % of the SM a slice", 1_280_000.0, Some(SLICES * 0.01 * SM)),
    ]
}

impl Report<'_> {
    pub(super) fn gangs(&self) -> String {
        let components = components();
        let sum: f64 = components.iter().map(|(_, paper, _)| paper).sum();
        let mut rows: Vec<Vec<String>> = components
            .iter()
            .map(|(what, paper, rule)| {
                vec![what.to_string(), mm2(*paper), rule.map_or("needs a memory model".into(), mm2)]
            })
            .collect();
        rows.push(vec!["**an SM**".into(), mm2(sum), String::new()]);
        format!(
            "## Variable Warp Sizing: 0.026 mm2 of gang table, 1.7 mm2 an SM\n\n\
             The paper's table at 40 nm beside its own rule (bits x cell x factor for what goes around them):\n\n{}\n\
             The rows follow from the rule, and the sum is {} of an SM and {} of the GPU: 11 % and 5 % hold as arithmetic. Three quarters of it is the\n\
             1 % for control, which is an assumption that no block can confirm.\n\n{}",
            table("lrr", &["component", "paper, mm2", "by its rule, mm2"], rows),
            percent(sum / SM),
            percent(SMS * sum / GPU),
            self.gang_blocks()
        )
    }

    fn gang_blocks(&self) -> String {
        let [.., (_, table_claim, _), _, _] = components();
        let rows: Vec<Vec<String>> = self
            .manifest
            .modules()
            .iter()
            .filter(|module| module.block.starts_with("gang_"))
            .filter_map(|module| {
                let cost = self.cost(&module.module)?;
                let is_table = module.is_default() && module.block.starts_with("gang_table");
                Some(vec![
                    format!("`{}`", module.module),
                    um2(SCALE * cost.combinational_um2),
                    um2(SCALE * cost.sequential_um2),
                    mm2(SCALE * cost.um2()),
                    if is_table { verdict(SCALE * cost.um2(), table_claim) } else { String::new() },
                ])
            })
            .collect();
        if rows.is_empty() {
            return "No `gang_*` block has been exported yet; their rows appear here.\n".into();
        }
        format!(
            "Our blocks, scaled by area from 45 to 40 nm, in flip-flops where the paper counts latches:\n\n{}",
            table("lrrrl", &["module", "logic um2", "state um2", "mm2", "0.026 mm2 of gang table"], rows)
        )
    }
}
