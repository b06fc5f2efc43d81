//! One row for every exported module.

use super::markdown::{percent, table, thousands, um2};
use super::{Report, CLOCK_MHZ, REFERENCE_LANE};
use crate::cost::Cost;
use crate::manifest::Module;
use crate::timing::Timing;

impl Report<'_> {
    pub(super) fn blocks(&self) -> String {
        let mut families: Vec<&str> = Vec::new();
        for module in self.manifest.modules() {
            if !families.contains(&module.family.as_str()) {
                families.push(&module.family);
            }
        }
        let mut text = String::from(
            "## Every block\n\nVariants are named by the parameters that differ from the default. Children are included.\n",
        );
        let reference = self.cost(REFERENCE_LANE).map(|cost| cost.um2());
        for family in families {
            let mut header = vec![
                "module",
                "gates",
                "flip-flops",
                "logic um2",
                "state um2",
                "NAND2",
                "depth",
                "path ps",
                "MHz",
            ];
            let mut columns = String::from("lrrrrrrrr");
            if reference.is_some() {
                header.push("of a lane");
                columns.push('r');
            }
            let rows = self.manifest.modules().iter().filter(|module| module.family == family);
            let rows = rows.filter_map(|module| self.row(module, reference));
            text.push_str(&format!("\n### {family}\n\n{}", table(&columns, &header, rows)));
        }
        text.push_str(&self.slow());
        text
    }

    /// Modules that would hold up the papers' clock.
    fn slow(&self) -> String {
        let is_slow =
            |cost: &&Cost| cost.timing.as_ref().is_some_and(|timing| timing.max_mhz < CLOCK_MHZ);
        let slow: Vec<String> =
            self.costs.values().filter(is_slow).map(|cost| format!("`{}`", cost.module)).collect();
        if slow.is_empty() {
            return format!("\nEvery module reaches the {CLOCK_MHZ} MHz of the papers' GPUs.\n");
        }
        format!(
            "\nBelow the {CLOCK_MHZ} MHz of the papers' GPUs, at this slow corner and without a flip-flop moved: {}.\n",
            slow.join(", ")
        )
    }

    fn row(&self, module: &Module, reference: Option<f64>) -> Option<Vec<String>> {
        let cost = self.cost(&module.module)?;
        let mut row = row(cost);
        row.extend(reference.map(|lane| percent(cost.um2() / lane)));
        Some(row)
    }
}

/// The cells of a module's row.
fn row(cost: &Cost) -> Vec<String> {
    let timing = |value: fn(&Timing) -> f64| {
        cost.timing.as_ref().map_or("-".into(), |timing| format!("{:.0}", value(timing)))
    };
    vec![
        format!("`{}`", cost.module),
        thousands(cost.gates as u64),
        thousands(cost.flip_flops as u64),
        um2(cost.combinational_um2),
        um2(cost.sequential_um2),
        thousands(cost.nand2.round() as u64),
        cost.depth.to_string(),
        timing(|timing| timing.path_ps),
        timing(|timing| timing.max_mhz),
    ]
}

/// A module's row as it stands on the page, without a share of the reference lane.
pub fn line(cost: &Cost) -> String {
    format!("| {} |", row(cost).join(" | "))
}
