//! The Warp Latency Booster's 0.71 %.

use super::markdown::{mm2, percent, table, um2};
use super::{Report, REFERENCE_LANE};
use crate::lane_path::LANES;

/// The claimed share of a GPU.
const SHARE: f64 = 0.0071;
/// An SM of a GPU of the time in um2, as Variable Warp Sizing gives it.
const SM: f64 = 16e6;

impl Report<'_> {
    pub(super) fn booster(&self) -> String {
        let rows: Vec<Vec<String>> = ["", "__warps_48"]
            .iter()
            .filter_map(|suffix| {
                let profiler = self.cost(&format!("warp_profiler{suffix}"))?.um2();
                let controller = self.cost(&format!("boost_controller{suffix}"))?.um2();
                let both = profiler + controller;
                let scope =
                    if suffix.is_empty() { "thread block, 16 warps" } else { "SM, 48 warps" };
                let lanes = self
                    .cost(REFERENCE_LANE)
                    .map_or("-".into(), |lane| percent(both / (LANES as f64 * lane.um2())));
                Some(vec![
                    scope.to_string(),
                    um2(profiler),
                    um2(controller),
                    percent(both / SM),
                    mm2(both / SHARE),
                    lanes,
                ])
            })
            .collect();
        if rows.is_empty() {
            return String::new();
        }
        format!(
            "## Warp Latency Booster: 0.71 %\n\n{}\n\
             The claim cannot be checked: the paper names neither the area of its GPU nor that of the booster, and counts voltage rails\n\
             that no netlist has. What can be said: profiler and controller are 0.71 % of an SM of the size in the last but one column, and far less of\n\
             a 16 mm2 SM. The same holds for 2.4 % wire length and 4.1 % power.\n",
            table(
                "lrrrrr",
                &[
                    "scope",
                    "`warp_profiler` um2",
                    "`boost_controller` um2",
                    "of a 16 mm2 SM",
                    "0.71 % of, mm2",
                    "of 32 reference lanes"
                ],
                rows
            )
        )
    }
}
