//! The project's own targets, and the reference lane.

use super::markdown::{percent, table, um2};
use super::{Report, REFERENCE_LANE};
use crate::lane_path::LANES;

/// The most that shifter, re-shifter and mask logic of variant `fold` may take, um2 a lane.
const FOLD_BAR: f64 = 130.0;
/// Bytes of state that CRISP's paper counts.
pub(super) const CRISP_BYTES: f64 = 668.0;

impl Report<'_> {
    pub(super) fn bars(&self) -> String {
        let word = |held: bool| if held { "met" } else { "**missed**" }.to_string();
        let mut rows = Vec::new();
        if let Some(path) = self.lane_paths.get("fold") {
            let lane = path.combinational_um2 / LANES as f64;
            rows.push(vec![
                "`fold`: shifters of three operands, re-shifter of one result, mask logic".into(),
                format!("{FOLD_BAR} um2 a lane"),
                um2(lane),
                word(lane <= FOLD_BAR),
            ]);
        }
        if let Some(path) = self.lane_paths.get("compact") {
            rows.push(vec![
                "`compact`: the same".into(),
                "-".into(),
                um2(path.combinational_um2 / LANES as f64),
                String::new(),
            ]);
        }
        if let Some(counters) = self.cost("crisp_counters") {
            let bytes = counters.flip_flops as f64 / 8.0;
            rows.push(vec![
                "`crisp_counters`: state".into(),
                format!("{CRISP_BYTES} bytes within 10 %"),
                format!("{bytes:.1} bytes ({:+.1} %)", (bytes / CRISP_BYTES - 1.0) * 100.0),
                word((bytes / CRISP_BYTES - 1.0).abs() <= 0.1),
            ]);
        }
        let latches: usize = self.costs.values().map(|cost| cost.latches).sum();
        rows.push(vec![
            "latches in all modules".into(),
            "0".into(),
            latches.to_string(),
            word(latches == 0),
        ]);
        rows.extend(self.stage_against_lane(word));
        let lane = match self.cost(REFERENCE_LANE) {
            Some(cost) => format!(
                "\nThe reference lane (`{REFERENCE_LANE}`) takes {} um2, {} of it flip-flops.\n",
                um2(cost.um2()),
                percent(cost.sequential_um2 / cost.um2())
            ),
            None => format!(
                "\nNo reference lane (`{REFERENCE_LANE}`) has been exported yet; shares of a lane appear with it.\n"
            ),
        };
        format!("## Targets\n\n{}\n\
             The first target depends on a choice of ours, the limit of 16 pins a driver, made after trying several: with the recipe\n\
             of that time ABC's own limit of 10 gave 130.8 um2 a lane, 16 gave 128.6, 24 and 32 gave 128.2.\n{lane}", table("lrrl", &["what", "target", "measured", ""], rows))
    }

    /// The shift stage must not be slower than the lane it feeds.
    fn stage_against_lane(&self, word: impl Fn(bool) -> String) -> Option<Vec<String>> {
        let lane = self.cost(REFERENCE_LANE)?.timing.as_ref()?;
        let stage = self.cost("shift_stage")?.timing.as_ref()?;
        Some(vec![
            "`shift_stage`: longest path, against the reference lane's".into(),
            format!("{:.0} ps", lane.path_ps),
            format!("{:.0} ps", stage.path_ps),
            word(stage.path_ps < lane.path_ps),
        ])
    }
}
