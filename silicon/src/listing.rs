//! Costs and energies as text for a terminal and as JSON for programs.

use std::fmt::Write;

use serde::Serialize;

use crate::cost::Cost;
use crate::recorded::Recorded;

/// One line a module; with a single module also its cells and its longest path.
pub fn text(costs: &[Cost]) -> String {
    let mut rows = vec![[
        "module",
        "gates",
        "flip-flops",
        "comb um2",
        "state um2",
        "NAND2",
        "depth",
        "path ps",
        "MHz",
    ]
    .map(String::from)];
    rows.extend(costs.iter().map(|cost| {
        let timing = |value: fn(&crate::timing::Timing) -> f64| {
            cost.timing.as_ref().map_or("-".into(), |timing| format!("{:.0}", value(timing)))
        };
        [
            cost.module.clone(),
            cost.gates.to_string(),
            cost.flip_flops.to_string(),
            format!("{:.1}", cost.combinational_um2),
            format!("{:.1}", cost.sequential_um2),
            format!("{:.0}", cost.nand2),
            cost.depth.to_string(),
            timing(|timing| timing.path_ps),
            timing(|timing| timing.max_mhz),
        ]
    }));
    let mut text = aligned(&rows);
    if let [cost] = costs {
        for (cell, count) in &cost.cells {
            line(&mut text, format_args!("  {count:6} {cell}"));
        }
        if let Some(timing) = &cost.timing {
            let (from, to, cells) = (&timing.from, &timing.to, timing.cells);
            line(&mut text, format_args!("  longest path: {from} to {to}, {cells} cells"));
        }
    }
    text
}

/// One line a recording: energy of a warp's passage, power while the module is clocked.
pub fn energies(recorded: &[Recorded], mhz: f64) -> String {
    let mut rows = vec![["module", "recording", "cycles", "warps", "toggles", "pJ a warp"]
        .map(String::from)
        .into_iter()
        .chain(["uW", "clock uW"].map(|power| format!("{power} at {mhz} MHz")))
        .collect::<Vec<_>>()];
    rows.extend(recorded.iter().map(|recorded| {
        let energy = &recorded.energy;
        vec![
            recorded.module.clone(),
            recorded.recording.clone(),
            energy.cycles.to_string(),
            recorded.warps.to_string(),
            energy.toggles.to_string(),
            recorded.pj_per_warp().map_or("-".into(), |pj| format!("{pj:.2}")),
            format!("{:.1}", energy.uw(mhz)),
            format!("{:.1}", energy.clock_uw(mhz)),
        ]
    }));
    aligned(&rows)
}

/// The same as JSON.
pub fn json<T: Serialize>(costs: &[T]) -> String {
    let mut text = serde_json::to_string_pretty(costs).expect("costs have only names and numbers");
    text.push('\n');
    text
}

fn line(text: &mut String, line: std::fmt::Arguments) {
    writeln!(text, "{line}").expect("a String takes all that is written to it");
}

/// The first column to the left, all others to the right.
fn aligned(rows: &[impl AsRef<[String]>]) -> String {
    let mut widths = vec![0; rows.first().map_or(0, |row| row.as_ref().len())];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row.as_ref()) {
            *width = cell.len().max(*width);
        }
    }
    let mut text = String::new();
    for row in rows.iter().map(AsRef::as_ref) {
        let mut cells = vec![format!("{:<1$}", row[0], widths[0])];
        cells
            .extend(row.iter().zip(&widths).skip(1).map(|(cell, width)| format!("{cell:>width$}")));
        line(&mut text, format_args!("{}", cells.join("  ").trim_end()));
    }
    text
}
