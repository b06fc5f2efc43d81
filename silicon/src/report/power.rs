//! Origami's power: on random warps, on what a kernel really sent, and of an idle counter.

use super::markdown::{table, thousands, um2, verdict};
use super::{Report, CLOCK_MHZ};
use crate::energy::Energy;
use crate::lane_path::LANES;
use crate::recorded::Recorded;

/// The paper's figures in uW a lane: added logic, an idle counter.
const ADDED_UW: f64 = 640.0;
const COUNTER_UW: f64 = 0.1;

/// How `silicon/measured/energy.json` is made.
const COMMANDS: &str = "\
for variant in compact fold; do
  cosim run kernels/matmul/matmul.toml --size odd --attach lanes,gating,folding --set mechanisms.lanes.variant=$variant \\
    --record shift_stage=target/matmul_shift_$variant.hex --record reshift_stage=target/matmul_reshift_$variant.hex
done
scripts/area --json --out silicon/measured/energy.json \\
  --energy shift_stage=target/matmul_shift_compact.hex --energy reshift_stage=target/matmul_reshift_compact.hex \\
  --energy shift_stage__variant_fold=target/matmul_shift_fold.hex \\
  --energy reshift_stage__variant_fold=target/matmul_reshift_fold.hex
";

impl Report<'_> {
    pub(super) fn power(&self) -> String {
        let Some(volts) = self.technology.library.voltage else {
            return String::new();
        };
        let lanes = LANES as f64;
        let row = |what: &str, energies: Vec<&Energy>, claim: f64| {
            let switching: f64 = energies.iter().map(|energy| energy.uw(CLOCK_MHZ)).sum();
            let clock: f64 = energies.iter().map(|energy| energy.clock_uw(CLOCK_MHZ)).sum();
            vec![
                what.to_string(),
                format!("{:.2}", switching / lanes),
                format!("{:.2}", clock / lanes),
                format!("{claim}"),
                verdict((switching + clock) / lanes, claim),
            ]
        };
        let of = |modules: &[&str]| -> Vec<&Energy> {
            modules.iter().filter_map(|module| self.energies.get(*module)).collect()
        };
        let rows = [
            row("`fold`, logic", of(&["lane_path_fold"]), ADDED_UW),
            row("`compact`, logic", of(&["lane_path_compact"]), ADDED_UW),
            row(
                "`fold`, both stages",
                of(&["shift_stage__variant_fold", "reshift_stage__variant_fold"]),
                ADDED_UW,
            ),
            row("`compact`, both stages", of(&["shift_stage", "reshift_stage"]), ADDED_UW),
            row("idle counter of one pipeline", of(&["idle_counters"]), COUNTER_UW),
        ];
        format!(
            "### Power\n\n\
             A new random warp with a random mask in every cycle at {CLOCK_MHZ} MHz and {volts} V; pins only, no wires, no glitches, clock never\n\
             gated. uW a lane, 32 an SP:\n\n{}\n{}\
             0.64 mW is said to be 1.6 % of a lane, which makes a lane 40 mW; 0.1 uW is said to be 0.2 %, which makes it 50 uW. Both cannot be true\n\
             of one lane. 0.1 uW at {CLOCK_MHZ} MHz is {:.2} fJ a cycle, less than the clock pins of three flip-flops take here, so\n\
             it needs a gated clock. {}\n",
            table("lrrrl", &["what", "switching", "clock pins", "paper", ""], rows),
            self.of_a_kernel(),
            COUNTER_UW * 1000.0 / CLOCK_MHZ,
            self.counter_area()
        )
    }

    /// Both ways to count: one counter a lane, as in the paper, and one for each of its pipelines.
    fn counter_area(&self) -> String {
        let Some(counters) = self.cost("idle_counters") else {
            return String::new();
        };
        let one = counters.um2() / LANES as f64;
        format!(
            "One counter a lane, as in the paper, is {} um2; one for its INT and one for its FP pipeline, as here,\n\
             is {} um2 and twice the power.",
            um2(one),
            um2(2.0 * one)
        )
    }

    /// The same for what a kernel really sent through the stages.
    fn of_a_kernel(&self) -> String {
        if self.recorded.is_empty() {
            return String::new();
        }
        let lanes = LANES as f64;
        let mut rows = Vec::new();
        for variant in ["__variant_fold", ""] {
            let stages: Vec<&Recorded> = ["shift_stage", "reshift_stage"]
                .iter()
                .filter_map(|stage| {
                    let module = format!("{stage}{variant}");
                    self.recorded.iter().find(|recorded| recorded.module == module)
                })
                .collect();
            let (mut picojoules, mut power) = (0.0, 0.0);
            for stage in &stages {
                let uw = stage.energy.uw(CLOCK_MHZ) / lanes;
                let clock = stage.energy.clock_uw(CLOCK_MHZ) / lanes;
                picojoules += stage.pj_per_warp().unwrap_or_default();
                power += uw + clock;
                rows.push(vec![
                    format!("`{}`", stage.module),
                    thousands(stage.energy.cycles as u64),
                    thousands(stage.warps as u64),
                    stage.pj_per_warp().map_or("-".into(), |pj| format!("{pj:.2}")),
                    format!("{uw:.2}"),
                    format!("{clock:.2}"),
                    self.age(stage),
                ]);
            }
            if stages.len() == 2 {
                let mut sum = vec!["**both**".into(), String::new(), String::new()];
                sum.extend([format!("{picojoules:.2}"), format!("{power:.2}"), String::new()]);
                sum.push(verdict(power, ADDED_UW));
                rows.push(sum);
            }
        }
        format!(
            "A kernel is kinder than chance: neighbouring lanes and successive warps are alike. Here are the operands and results that tiled\n\
             matrix multiplication (45 x 37 times 37 x 67) sent through the first SP, cycle by cycle; cycles in which a stage holds nothing and is given\n\
             nothing are not clocked and not counted. A passage is a warp or, of a folded one, each half:\n\n{}\n\
             Made by\n\n```\n{COMMANDS}```\n\n",
            table(
                "lrrrrrl",
                &["stage", "cycles", "passages", "pJ a passage", "switching, uW a lane", "clock pins", "0.64 mW"],
                rows
            )
        )
    }

    /// A remark if the numbers are of another netlist than this page's.
    fn age(&self, recorded: &Recorded) -> String {
        let now = self.manifest.source(&recorded.module).and_then(|s| self.technology.key(&s));
        match now {
            Ok(now) if now == recorded.netlist => String::new(),
            _ => "of an older netlist".into(),
        }
    }
}
