//! How much of a kernel is run: to its end, or until so much time has passed or so much work is done.

use crate::{Lab, Units};
use lanewise_sim::machine::gpu::Gpu;
use lanewise_sim::machine::sm::hooks::Hooks;
use lanewise_sim::machine::uncore::hooks::SliceHooks;
use lanewise_sim::machine::Limits;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// When a run stops that has not come to its end.
#[derive(Clone, Copy, Debug, Serialize)]
pub enum Stop {
    /// After so many microseconds of the machine's time, but not before and not long after so many warp instructions.
    Around {
        /// Microseconds.
        us: f64,
        /// Warp instructions of all SMs, at least.
        least: u64,
        /// Warp instructions of all SMs, at most.
        most: u64,
    },
    /// After so many warp instructions of all SMs.
    Work(u64),
}

/// See the module's text.
#[derive(Clone)]
pub struct Window {
    stop: Stop,
    /// The user's Ctrl-C.
    interrupt: Arc<AtomicBool>,
    /// What the machine listens to.
    over: Arc<AtomicBool>,
}

impl Window {
    /// A window of one run.
    pub fn new<U: Units>(lab: &Lab<U>, stop: Stop) -> Window {
        Window { stop, interrupt: lab.options.interrupt.clone(), over: Arc::default() }
    }

    /// The machine's limits.
    pub fn limits(&self) -> Limits {
        Limits { max_cycles: None, interrupt: self.over.clone() }
    }

    /// Asked after every quantum; once it is over, the machine stops.
    pub fn is_over<H: Hooks, S: SliceHooks>(&self, gpu: &Gpu<H, S>) -> bool {
        let done: u64 = gpu.sms.iter().map(|sm| sm.counts().warp_instructions).sum();
        let over = match self.stop {
            Stop::Around { us, least, most } => {
                done >= most || (gpu.now() as f64 * 1e-9 >= us && done >= least)
            }
            Stop::Work(work) => done >= work,
        };
        if (over && !gpu.is_done()) || self.interrupt.load(Ordering::Relaxed) {
            self.over.store(true, Ordering::Relaxed);
        }
        over
    }

    /// Whether the run was stopped before its end.
    pub fn was_cut(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }
}
