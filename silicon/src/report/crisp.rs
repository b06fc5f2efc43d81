//! CRISP's table of storage, and its twelve gates.

use super::markdown::{table, thousands, verdict};
use super::reference::CRISP_BYTES;
use super::Report;

/// The paper's storage of each model in bytes.
const STORAGE: [(&str, &str, f64); 4] = [
    ("CRISP", "crisp_counters", CRISP_BYTES),
    ("CRIT", "crit_model", 660.0),
    ("LEAD", "lead_model", 18.0),
    ("STALL", "stall_model", 4.0),
];
/// Logic gates of the classifier.
const GATES: usize = 12;
/// Storage that CRISP-L is said to remove.
const LIGHT_REMOVES: f64 = 0.98;

impl Report<'_> {
    pub(super) fn crisp(&self) -> String {
        let rows: Vec<Vec<String>> = STORAGE
            .iter()
            .filter_map(|(model, module, claim)| {
                let cost = self.cost(module)?;
                let bytes = cost.flip_flops as f64 / 8.0;
                Some(vec![
                    model.to_string(),
                    format!("`{module}`"),
                    format!("{claim}"),
                    thousands(cost.flip_flops as u64),
                    format!("{bytes:.1}"),
                    verdict(bytes, *claim),
                ])
            })
            .collect();
        let (Some(counters), Some(classifier), false) =
            (self.cost("crisp_counters"), self.cost("crisp_classifier"), rows.is_empty())
        else {
            return String::new();
        };
        let light = self.cost("crisp_light").map_or(String::new(), |light| {
            let removed = 1.0 - light.flip_flops as f64 / counters.flip_flops as f64;
            format!(
                "CRISP-L is said to remove {:.0} % of the storage; ours removes {:.1} % (`crisp_light`, {} flip-flops).\n",
                LIGHT_REMOVES * 100.0,
                removed * 100.0,
                light.flip_flops
            )
        });
        let plus = self.cost("crisp_plus").map_or(String::new(), |plus| {
            let share = |ours: f64, whole: f64| 100.0 * ours / whole;
            format!(
                "\nOurs, `crisp_plus`, predicts from {} flip-flops ({:.1} % of CRISP's) and {:.1} % of its area. \
                 Both need the classifier; `load_outstanding` comes from the miss registers.\n",
                plus.flip_flops,
                share(plus.flip_flops as f64, counters.flip_flops as f64),
                share(plus.nand2, counters.nand2),
            )
        });
        let gates = if classifier.gates <= GATES { "holds" } else { "does not hold" };
        format!(
            "## CRISP: 668 bytes and 12 gates\n\n{}\n\
             {}LEAD needs no timestamps, only which miss leads.\n\n\
             Bytes are not area: selecting, adding and comparing {} um2 of logic stand beside {} um2 of flip-flops.\n\n\
             The classifier takes {} gates here, counted as cells of at most four inputs: the claim of {GATES} {gates}.\n\n{light}{plus}",
            table(
                "llrrrl",
                &["model", "module", "paper, bytes", "flip-flops", "bytes", ""],
                rows
            ),
            self.crisp_state(counters.flip_flops),
            thousands(counters.combinational_um2.round() as u64),
            thousands(counters.sequential_um2.round() as u64),
            classifier.gates,
        )
    }

    /// Where the flip-flops of `crisp_counters` are.
    fn crisp_state(&self, flip_flops: usize) -> String {
        let parameter = |name: &str| -> Option<usize> {
            self.manifest.get("crisp_counters")?.parameters.get(name)?.parse().ok()
        };
        let (Some(slots), Some(width)) = (parameter("slots"), parameter("width")) else {
            return String::new();
        };
        let (stamps, counters) = (slots * width, 3 * width);
        format!(
            "What is above the paper's count is what it takes for granted: of {} flip-flops, {} are the {slots} timestamps ({} bytes)\n\
             and {counters} its three counters; the other {} are the cycle counter, a busy bit for each miss and an overflow flag.\n",
            thousands(flip_flops as u64),
            thousands(stamps as u64),
            stamps / 8,
            flip_flops.saturating_sub(stamps + counters)
        )
    }
}
