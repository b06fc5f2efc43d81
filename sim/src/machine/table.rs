//! The record of a timed run as a table: `record.csv`.
//!
//! Columns have the names of the JSON record, with its sections as prefixes.

use super::record::{KernelTiming, SmTiming, TimingRecord};
use super::sm::{SmCounts, Stall};
use super::uncore::dram::DramCounts;
use super::uncore::partition::L2Counts;

impl TimingRecord {
    /// A table with a row for each kernel and SM, and one for the whole of each kernel.
    pub fn csv(&self) -> String {
        let names = Row::new(&KernelTiming::default(), None).0;
        let mut out = names.into_iter().map(|(name, _)| name).collect::<Vec<_>>().join(",");
        out.push('\n');
        for kernel in &self.kernels {
            for sm in (0..kernel.sms.len()).map(Some).chain([None]) {
                let row = Row::new(kernel, sm).0;
                let values: Vec<String> = row.into_iter().map(|(_, value)| value).collect();
                out.push_str(&values.join(","));
                out.push('\n');
            }
        }
        out
    }
}

/// Names and values of the columns.
struct Row(Vec<(String, String)>);

impl Row {
    /// A kernel on one SM, or on all.
    fn new(kernel: &KernelTiming, sm: Option<usize>) -> Row {
        let timing = match sm {
            Some(n) => kernel.sms[n],
            // Of all SMs together the cycles are those of the kernel.
            None => SmTiming {
                counts: SmCounts { cycles: kernel.cycles, ..kernel.all_sms.counts },
                ..kernel.all_sms
            },
        };
        let mut row = Row(vec![]);
        row.push("kernel", &kernel.kernel);
        row.push("sm", sm.map_or("all".into(), |n| n.to_string()));
        row.push("launches", kernel.launches);
        row.push("threads_per_block", kernel.threads_per_block);
        row.push("shared_bytes_per_block", kernel.shared_bytes_per_block);
        row.push("registers_per_thread", kernel.registers_per_thread);
        row.push("blocks_per_sm", kernel.blocks_per_sm);
        row.push("occupancy_limit", kernel.occupancy_limit);
        row.push("time_ns", kernel.time_ns);
        row.push("warp_instructions_per_cycle", timing.warp_instructions_per_cycle());
        row.counters("", SmCounts::NAMES, &timing.counts.values());
        for reason in Stall::ALL {
            let name = format!("scheduler_cycles_{}", reason.name());
            row.push(&name, timing.scheduler_cycles.of(reason));
        }
        for (cache, counts) in [
            ("l1_data_", &timing.l1_data),
            ("l1_constant_", &timing.l1_constant),
            ("l1_texture_", &timing.l1_texture),
            ("l1_instruction_", &timing.l1_instruction),
        ] {
            row.counters(cache, super::sm::l1::CacheCounts::NAMES, &counts.values());
        }
        // The memory side belongs to no SM.
        let whole = sm.is_none();
        let (l2, dram) = (kernel.l2.values(), kernel.dram.values());
        row.counters("l2_", L2Counts::NAMES, if whole { &l2 } else { &[] });
        row.counters("dram_", DramCounts::NAMES, if whole { &dram } else { &[] });
        row
    }

    fn push(&mut self, name: &str, value: impl ToString) {
        self.0.push((name.into(), value.to_string()));
    }

    /// Counters with a prefix; those without a value stay empty.
    fn counters(&mut self, prefix: &str, names: &[&str], values: &[u64]) {
        for (n, name) in names.iter().enumerate() {
            let value = values.get(n).map(u64::to_string);
            self.push(&format!("{prefix}{name}"), value.unwrap_or_default());
        }
    }
}
