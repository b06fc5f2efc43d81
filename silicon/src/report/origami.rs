//! Origami's overhead: area by both readings, share of the execution units.

use super::markdown::{mm2, percent, table, um2, verdict};
use super::{Report, REFERENCE_LANE};
use crate::lane_path::LANES;

/// The paper's figures: added logic and execution units in um2, and their ratio as it is printed.
const ADDED: f64 = 55_000.0;
const EXECUTION_UNITS: f64 = 32.7e6;
const ADDED_SHARE: f64 = 0.0015;
/// The paper's machine.
const SMS: f64 = 15.0;
const SPS: f64 = 2.0;
const PHYSICAL_LANES: f64 = 16.0;

/// What stands in an SM, with the number of each: what the paper counts, and what it leaves out.
const COUNTED: [(&str, f64, &str); 5] = [
    ("shift_stage", 2.0, "one an SP"),
    ("reshift_stage", 2.0, "one an SP"),
    ("result_collector", 2.0, "one an SP"),
    ("all_ones_detector", 1.0, "two masks a cycle"),
    ("group_counters", 2.0, "one a scheduler"),
];
const BEYOND: [(&str, f64, &str); 2] =
    [("fold_controller", 1.0, ""), ("lane_power_gate", 4.0, "INT and FP of each SP")];

impl Report<'_> {
    pub(super) fn origami(&self) -> String {
        let (Some(fold), Some(compact)) =
            (self.lane_paths.get("fold"), self.lane_paths.get("compact"))
        else {
            return String::new();
        };
        let lanes = LANES as f64;
        let multiplexers = self.multiplexers();
        let rows = [
            ("multiplexers of `fold` alone", multiplexers),
            ("`fold`: shift, re-shift, mask logic", fold.combinational_um2),
            ("`compact`: the same", compact.combinational_um2),
            ("`fold`: both stages with their registers", self.stages("__variant_fold")),
            ("`compact`: both stages with their registers", self.stages("")),
            ("`fold`: stages and result collector", self.with_collector("__variant_fold")),
        ];
        let gpu_lane = ADDED / (SMS * SPS * PHYSICAL_LANES);
        let sm_lane = ADDED / (SPS * PHYSICAL_LANES);
        let per_lane = table(
            "lrrll",
            &[
                "what",
                "um2 a lane, 32 an SP",
                "um2 a lane, 16 double-pumped",
                "0.055 mm2 for the GPU",
                "0.055 mm2 for each SM",
            ],
            rows.iter().map(|(what, area)| {
                vec![
                    what.to_string(),
                    um2(area / lanes),
                    um2(area / PHYSICAL_LANES),
                    verdict(area / lanes, gpu_lane),
                    verdict(area / lanes, sm_lane),
                ]
            }),
        );
        format!(
            "## Origami: 0.055 mm2, 0.15 %, 0.64 mW\n\n\
             The paper adds 0.055 mm2 to 15 SMs of two SPs with 16 double-frequency lanes. Read for the whole GPU that is {gpu} um2\n\
             a lane; read for each SM it is {sm} um2. Our units are as wide as a warp, 32 logical lanes an SP; where 16 physical lanes run\n\
             twice as fast, either the unit does too and costs the same a lane, or it stays 32 wide and each physical lane\n\
             carries two. The verdicts are for the first, the kinder one.\n\n{per_lane}\n\
             The 64 multiplexers of the cheapest shifter, which only folds, take {mux} um2 a lane before any control: {fits}\n\
             The reading by SM is generous for the logic. {collector}\n\n\
             ### An SM in full\n\n{inventory}\n{share}\n{power}",
            gpu = um2(gpu_lane),
            sm = um2(sm_lane),
            mux = um2(multiplexers / lanes),
            fits = if multiplexers / lanes > gpu_lane {
                "the GPU-wide\nreading fits no shifter made of these cells, with or without registers."
            } else {
                "the GPU-wide\nreading leaves room for them."
            },
            collector = self.collector_sentence(sm_lane),
            inventory = self.inventory(),
            share = self.share(),
            power = self.power(),
        )
    }

    /// Half the lanes choose between two operands on the way in, the other half on the way out:
    /// one multiplexer for each bit of three operands and one result in two of four lanes.
    fn multiplexers(&self) -> f64 {
        let cell = self.technology.library.cells.get("MUX2_X1").map_or(0.0, |cell| cell.area);
        (4 * 32 * LANES / 2) as f64 * cell
    }

    fn stages(&self, suffix: &str) -> f64 {
        ["shift_stage", "reshift_stage"]
            .iter()
            .filter_map(|stage| self.cost(&format!("{stage}{suffix}")))
            .map(|cost| cost.um2())
            .sum()
    }

    fn with_collector(&self, suffix: &str) -> f64 {
        self.stages(suffix) + self.cost("result_collector").map_or(0.0, |cost| cost.um2())
    }

    fn collector_sentence(&self, sm_lane: f64) -> String {
        let all = self.with_collector("__variant_fold") / LANES as f64;
        let held = if all <= sm_lane { "also holds" } else { "does not hold" };
        format!(
            "With registers and a result collector of four entries it {held} ({} against {} um2).",
            um2(all),
            um2(sm_lane)
        )
    }

    fn inventory(&self) -> String {
        let mut rows = Vec::new();
        let mut total = |title: &str, parts: &[(&str, f64, &str)], variant: &str| {
            let (mut logic, mut state) = (0.0, 0.0);
            for (module, count, note) in parts {
                let folded = format!("{module}{variant}");
                let Some(cost) = self.cost(&folded).or_else(|| self.cost(module)) else {
                    continue;
                };
                logic += count * cost.combinational_um2;
                state += count * cost.sequential_um2;
                let note = if note.is_empty() { String::new() } else { format!(" ({note})") };
                rows.push(vec![
                    format!("{count} x `{}`{note}", cost.module),
                    um2(count * cost.combinational_um2),
                    um2(count * cost.sequential_um2),
                    mm2(SMS * count * cost.um2()),
                ]);
            }
            rows.push(vec![
                format!("**{title}**"),
                um2(logic),
                um2(state),
                mm2(SMS * (logic + state)),
            ]);
        };
        total("what the paper counts", &COUNTED, "__variant_fold");
        total("beyond it", &BEYOND, "");
        table("lrrr", &["in an SM", "logic um2", "state um2", "15 SMs, mm2"], rows)
    }

    fn share(&self) -> String {
        let claim = format!(
            "The paper's 0.15 % is 0.055 mm2 of 32.7 mm2, which is {} by division, and {} um2 of execution units a lane.",
            percent(ADDED / EXECUTION_UNITS),
            um2(EXECUTION_UNITS / (SMS * SPS * PHYSICAL_LANES))
        );
        let Some(lane) = self.cost(REFERENCE_LANE) else {
            return format!("{claim} Ours follows with the reference lane.\n");
        };
        let shares: Vec<String> = self
            .lane_paths
            .iter()
            .map(|(variant, path)| {
                let share = path.combinational_um2 / LANES as f64 / lane.um2();
                format!("`{variant}` {} ({})", percent(share), verdict(share, ADDED_SHARE))
            })
            .collect();
        format!(
            "{claim} Over our reference lane of {} um2: {}.\n",
            um2(lane.um2()),
            shares.join("; ")
        )
    }
}
