//! What studies see of an SM and what they may decide: one trait, free when nobody listens.

use super::decode::{Program, SpPipe, Unit};
use super::l1::CacheKind;
use super::scheduler::WarpSet;
use crate::exec::{LaneMask, Launch, Rows};
use crate::machine::config::Pipe;
use std::sync::Arc;

/// An instruction about to issue.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Warp slot.
    pub warp: usize,
    /// Program counter.
    pub pc: u32,
    /// Where it will execute.
    pub unit: Unit,
    /// Which SP takes it, if an SP does.
    pub sp: usize,
    /// Its active lanes.
    pub active: LaneMask,
}

/// An instruction that issued.
#[derive(Clone, Copy, Debug)]
pub struct Issue {
    /// What it was before it issued.
    pub candidate: Candidate,
    /// Its line in the PTX file.
    pub line: u32,
    /// Lanes where its guard held.
    pub executed: LaneMask,
    /// Core cycle.
    pub cycle: u64,
    /// When its unit takes it.
    pub start: u64,
    /// When its result is there; for the LD/ST unit, when it enters the queue.
    pub end: u64,
}

/// A lane-local instruction for the study's own lanes.
#[derive(Clone, Debug)]
pub struct LaneWork {
    /// What issued.
    pub candidate: Candidate,
    /// Lanes where its guard held: only these get results.
    pub executed: LaneMask,
    /// Core cycle of issue.
    pub cycle: u64,
    /// The first cycle in which its operands are there.
    pub ready: u64,
    /// Latency and initiation interval of its pipeline.
    pub timing: Pipe,
    /// Its operands.
    pub operands: Rows,
}

/// Results that have come back from the study's own lanes.
#[derive(Clone, Debug)]
pub struct LaneResult {
    /// Warp slot.
    pub warp: usize,
    /// Program counter.
    pub pc: u32,
    /// Lanes to write.
    pub executed: LaneMask,
    /// What to write.
    pub results: Rows,
}

/// What the next decoded instructions of an SM's warps are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WarpKinds {
    /// Warps that have one.
    pub buffered: WarpSet,
    /// It goes to an INT pipeline.
    pub int: WarpSet,
    /// It goes to an FP pipeline.
    pub fp: WarpSet,
    /// It goes to the SFU; what is left goes to the LD/ST unit.
    pub sfu: WarpSet,
    /// It has all 32 lanes.
    pub full: WarpSet,
}

/// How an SP instruction goes through its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes {
    /// 1, or 2 for a folded warp.
    pub count: u64,
    /// Cycles that extra pipeline stages add.
    pub extra_latency: u64,
}

impl Default for Passes {
    fn default() -> Self {
        Passes { count: 1, extra_latency: 0 }
    }
}

/// An instruction that entered an SP.
#[derive(Clone, Copy, Debug)]
pub struct Execution {
    /// Which SP.
    pub sp: usize,
    /// Which of its pipelines.
    pub pipe: SpPipe,
    /// Lanes at work.
    pub lanes: LaneMask,
    /// Core cycle in which it enters.
    pub start: u64,
    /// Core cycle in which its last pass leaves.
    pub end: u64,
    /// Passes it takes.
    pub passes: u64,
}

/// An access to a cache or to shared memory.
#[derive(Clone, Copy, Debug)]
pub struct CacheAccess {
    /// Which cache; none for shared memory.
    pub cache: Option<CacheKind>,
    /// Core cycle.
    pub cycle: u64,
    /// `set * ways + way`, or the row of shared memory.
    pub block: usize,
    /// Lanes that take part.
    pub lanes: LaneMask,
    /// 4-byte words of the line that are touched.
    pub words: u32,
    /// Whether it writes.
    pub write: bool,
    /// Whether it is the arrival of a missed line.
    pub refill: bool,
}

/// The signals of one core cycle, as the CRISP classifier and the power gates want them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CycleSignals {
    /// Core cycle.
    pub cycle: u64,
    /// No warp lives here.
    pub empty: bool,
    /// Instructions issued.
    pub issued: u32,
    /// A warp waits for a branch.
    pub control_hazard: bool,
    /// Shared memory repeats an access because of bank conflicts.
    pub bank_conflict: bool,
    /// An L1 miss of any kind is outstanding.
    pub load_outstanding: bool,
    /// A store has not been acknowledged.
    pub store_outstanding: bool,
    /// A warp without instructions waits, and an instruction miss is outstanding.
    pub fetch_stall: bool,
    /// The LD/ST unit waits for a miss register.
    pub mshr_full: bool,
    /// The LD/ST queue or the store queue is full.
    pub lsq_full: bool,
    /// A warp waits for a load's register.
    pub raw_memory: bool,
    /// A warp waits for an operation's register.
    pub raw_arithmetic: bool,
    /// A warp waits for a collector or unit.
    pub structural_arithmetic: bool,
    /// What the next instructions of the warps are.
    pub kinds: WarpKinds,
}

/// What a study sees and decides. Every method has a default that does nothing.
pub trait Hooks: Send {
    /// Whether [`Hooks::cycles`] wants to be called.
    const WATCHES_CYCLES: bool = false;

    /// `count` cycles with these signals have passed; more than one if nothing changed.
    fn cycles(&mut self, _signals: &CycleSignals, _count: u64) {}

    /// Whether [`Hooks::prefer`] wants to be asked.
    const PREFERS: bool = false;

    /// Whether [`Hooks::early`] wants to be called.
    const LOOKS_AHEAD: bool = false;

    /// Which of a scheduler's ready warps should go first; the others still go if none of these can.
    fn prefer(&mut self, _scheduler: usize, ready: WarpSet, _kinds: &WarpKinds) -> WarpSet {
        ready
    }

    /// Whether an instruction may issue in this cycle; asked of one warp at a time, in order of choice.
    fn may_issue(&mut self, _candidate: &Candidate, _cycle: u64) -> bool {
        true
    }

    /// A kernel starts; every instruction of the last one is complete.
    fn kernel(&mut self, _launch: &Arc<Launch>, _program: &Arc<Program>) {}

    /// Whether the study has lanes of its own, through which SP instructions must go.
    fn has_lanes(&self) -> bool {
        false
    }

    /// Takes an instruction to the study's lanes; returns the cycle in which its first operands enter and
    /// the one in which [`Hooks::lane_result`] gives its last results.
    fn enter_lanes(&mut self, work: LaneWork) -> (u64, u64) {
        (work.ready, work.ready + work.timing.latency)
    }

    /// Results of the study's lanes in this cycle, one instruction at a time; called before anything issues.
    fn lane_result(&mut self, _cycle: u64) -> Option<LaneResult> {
        None
    }

    /// How an SP instruction goes through its unit.
    fn passes(&mut self, _candidate: &Candidate, _cycle: u64) -> Passes {
        Passes::default()
    }

    /// An instruction issued.
    fn issued(&mut self, _issue: &Issue) {}

    /// An instruction entered an SP.
    fn executes(&mut self, _execution: &Execution) {}

    /// Cycles to hold a cache access before its array is read.
    fn hold(&mut self, _access: &CacheAccess) -> u64 {
        0
    }

    /// The tags were probed when a memory instruction entered the queue: this block will be accessed.
    fn early(&mut self, _access: &CacheAccess) {}

    /// A warp's memory instruction has completed.
    fn load_completed(&mut self, _warp: usize, _pc: u32, _cycle: u64) {}

    /// A warp has arrived at a barrier.
    fn barrier(&mut self, _warp: usize, _cycle: u64) {}

    /// A miss register was taken (`true`) or freed in this cycle.
    fn miss(&mut self, _cache: CacheKind, _slot: usize, _starts: bool, _cycle: u64) {}

    /// Scales the latency of a warp's SP operations.
    fn scaled_latency(&mut self, _warp: usize, latency: u64) -> u64 {
        latency
    }
}

/// Nobody listens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Hooks for Silent {}
