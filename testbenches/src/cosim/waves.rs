//! Waveforms of chosen blocks over chosen cycles, in one VCD file.

use crate::image::Layout;
use crate::lockstep::{write_vcd, Row, VcdScope};
use lanewise_sim::units::Io;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Which blocks to watch, and when.
#[derive(Clone, Debug)]
pub struct WaveRequest {
    /// Blocks by name, without parameters.
    pub blocks: Vec<String>,
    /// Core cycles.
    pub cycles: Range<u64>,
}

/// One instance's rows.
struct Trace {
    entry: String,
    instance: String,
    inputs: Layout,
    outputs: Layout,
    rows: Mutex<Vec<Row>>,
}

/// The waveforms of a run.
#[derive(Clone)]
pub struct Waves {
    request: Arc<WaveRequest>,
    traces: Arc<Mutex<Vec<Arc<Trace>>>>,
}

/// Where one instance's cycles go.
pub struct Track {
    trace: Arc<Trace>,
    cycles: Range<u64>,
}

impl Track {
    pub(super) fn row(&self, cycle: u64, reset: bool, inputs: &[u32], outputs: &[u32]) {
        if self.cycles.contains(&cycle) {
            let (inputs, outputs) = (inputs.to_vec(), vec![outputs.to_vec()]);
            let row = Row { cycle, reset, inputs, outputs };
            self.trace.rows.lock().unwrap_or_else(PoisonError::into_inner).push(row);
        }
    }
}

impl Waves {
    /// Nothing seen yet.
    pub fn new(request: WaveRequest) -> Self {
        Waves { request: Arc::new(request), traces: Arc::default() }
    }

    pub(super) fn blocks(&self) -> &[String] {
        &self.request.blocks
    }

    pub(super) fn wants(&self, block: &str) -> bool {
        self.request.blocks.iter().any(|wanted| wanted == block)
    }

    pub(super) fn track<I: Io, O: Io>(&self, entry: &str, instance: &str) -> Track {
        let trace = Arc::new(Trace {
            entry: entry.into(),
            instance: instance.into(),
            inputs: Layout::of::<I>(),
            outputs: Layout::of::<O>(),
            rows: Mutex::default(),
        });
        self.traces.lock().unwrap_or_else(PoisonError::into_inner).push(trace.clone());
        Track { trace, cycles: self.request.cycles.clone() }
    }

    /// Writes every instance that was clocked in the chosen cycles, each as a scope of its own.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let traces = self.traces.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scopes: Vec<(String, Vec<Row>, &Trace)> = traces
            .iter()
            .map(|trace| {
                let rows = &mut *trace.rows.lock().unwrap_or_else(PoisonError::into_inner);
                let name = trace.instance.replace('/', ".");
                (name, std::mem::take(rows), &**trace)
            })
            .filter(|(_, rows, _)| !rows.is_empty())
            .collect();
        scopes.sort_by(|a, b| a.0.cmp(&b.0));
        let scopes: Vec<VcdScope> = scopes
            .iter()
            .map(|(name, rows, trace)| VcdScope {
                name,
                members: vec![trace.entry.as_str()],
                layouts: (&trace.inputs, &trace.outputs),
                rows,
            })
            .collect();
        write_vcd(path, &scopes)
    }
}
