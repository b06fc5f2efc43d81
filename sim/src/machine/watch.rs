//! Looks on without changing anything: an activity time series and a pipeline trace.

use super::sm::decode::{SpPipe, Unit};
use super::sm::hooks::{CacheAccess, Held, Hooks, Issue, Touch};
use super::sm::l1::CacheKind;
use super::trace::Trace;

/// What happened in one interval of core cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeriesRow {
    /// Warp instructions issued.
    pub warp_instructions: u64,
    /// Lanes at work in them.
    pub thread_instructions: u64,
    /// Lane operations of INT pipelines.
    pub int_lane_operations: u64,
    /// Lane operations of FP pipelines.
    pub fp_lane_operations: u64,
    /// Warp instructions for the SFU.
    pub sfu_warp_instructions: u64,
    /// Warp instructions for the LD/ST unit.
    pub memory_warp_instructions: u64,
    /// Accesses to the L1 data cache.
    pub l1_data_accesses: u64,
    /// Misses of all L1 caches.
    pub l1_misses: u64,
}

impl SeriesRow {
    /// Names of the columns, in the order of [`SeriesRow::values`].
    pub const COLUMNS: [&'static str; 8] = [
        "warp_instructions",
        "thread_instructions",
        "int_lane_operations",
        "fp_lane_operations",
        "sfu_warp_instructions",
        "memory_warp_instructions",
        "l1_data_accesses",
        "l1_misses",
    ];

    /// The values of the columns.
    pub fn values(&self) -> [u64; 8] {
        [
            self.warp_instructions,
            self.thread_instructions,
            self.int_lane_operations,
            self.fp_lane_operations,
            self.sfu_warp_instructions,
            self.memory_warp_instructions,
            self.l1_data_accesses,
            self.l1_misses,
        ]
    }
}

/// The hooks of one SM; see the module's text.
#[derive(Clone, Debug)]
pub struct Watch {
    /// Core cycles of a row; none for no series.
    interval: Option<u64>,
    rows: Vec<SeriesRow>,
    trace: Option<Trace>,
}

impl Watch {
    /// Watches SM `sm`: a series of `interval` cycles a row, a trace, or both.
    pub fn new(sm: usize, interval: Option<u64>, trace: bool) -> Self {
        let interval = interval.map(|cycles| cycles.max(1));
        Watch { interval, rows: vec![], trace: trace.then(|| Trace::new(sm)) }
    }

    /// The series; row `n` starts at cycle `n` times the interval.
    pub fn rows(&self) -> &[SeriesRow] {
        &self.rows
    }

    /// The trace.
    pub fn trace(&self) -> Option<&Trace> {
        self.trace.as_ref()
    }

    fn count(&mut self, cycle: u64, add: impl FnOnce(&mut SeriesRow)) {
        if let Some(interval) = self.interval {
            let at = (cycle / interval) as usize;
            if self.rows.len() <= at {
                self.rows.resize(at + 1, SeriesRow::default());
            }
            add(&mut self.rows[at]);
        }
    }
}

impl Hooks for Watch {
    fn issued(&mut self, issue: &Issue) {
        let lanes = u64::from(issue.executed.count());
        self.count(issue.cycle, |row| {
            row.warp_instructions += 1;
            row.thread_instructions += lanes;
            match issue.candidate.unit {
                Unit::Sp(SpPipe::Int) => row.int_lane_operations += lanes,
                Unit::Sp(SpPipe::Fp) => row.fp_lane_operations += lanes,
                Unit::Sfu => row.sfu_warp_instructions += 1,
                Unit::Ldst => row.memory_warp_instructions += 1,
            }
        });
        if let Some(trace) = &mut self.trace {
            trace.issued(issue);
        }
    }

    fn hold(&mut self, access: &CacheAccess) -> Held {
        // What is looked up counts, as in the record: lines that come and stores that drop one are no accesses.
        if access.cache == CacheKind::Data && matches!(access.touch, Touch::Tags | Touch::Read) {
            self.count(access.cycle, |row| row.l1_data_accesses += 1);
        }
        Held::default()
    }

    fn miss(&mut self, _cache: CacheKind, _slot: usize, starts: bool, cycle: u64) {
        if starts {
            self.count(cycle, |row| row.l1_misses += 1);
        }
    }

    fn memory_completed(&mut self, warp: usize, pc: u32, cycle: u64) {
        if let Some(trace) = &mut self.trace {
            trace.completed(warp, pc, cycle);
        }
    }

    fn barrier(&mut self, warp: usize, cycle: u64) {
        if let Some(trace) = &mut self.trace {
            trace.barrier(warp, cycle);
        }
    }
}
