//! What studies see of an SM and what they may decide: one trait, free when nobody listens.

use super::coalesce::Transaction;
use super::decode::{Program, Unit};
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
    /// Cycles from `start` on in which its pipeline takes no other.
    pub occupies: u64,
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

/// When the study's own lanes do a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneSlot {
    /// The cycle in which its first operands enter.
    pub start: u64,
    /// The cycle in which [`Hooks::lane_result`] gives its last results.
    pub end: u64,
    /// Passes it takes.
    pub passes: u64,
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

/// What an access does to the array of its cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// Nothing: a miss, or one that joins a miss. Tags alone decide these.
    Tags,
    /// Nothing: a store or atomic drops the line from the tags on its way past.
    Evict,
    /// Reads it: a hit.
    Read,
    /// Writes a line that has come.
    Refill,
}

impl Touch {
    /// Whether the array is read or written.
    pub fn reaches_array(self) -> bool {
        matches!(self, Touch::Read | Touch::Refill)
    }
}

/// An access to a cache.
#[derive(Clone, Copy, Debug)]
pub struct CacheAccess {
    /// Which cache.
    pub cache: CacheKind,
    /// Core cycle in which the tags are read, and the array if nobody holds it.
    pub cycle: u64,
    /// The first core cycle in which the block could be known: that of the instruction's issue.
    pub known: u64,
    /// `set * ways + way`.
    pub block: usize,
    /// Lanes of this line.
    pub lanes: LaneMask,
    /// Lanes of the whole instruction.
    pub active: LaneMask,
    /// 4-byte words of the line that are touched.
    pub words: u32,
    /// What it does to the array.
    pub touch: Touch,
}

impl CacheAccess {
    /// The arrival of a missed line.
    pub fn refill(cache: CacheKind, cycle: u64, block: usize) -> CacheAccess {
        CacheAccess {
            cache,
            cycle,
            known: cycle,
            block,
            lanes: LaneMask::NONE,
            active: LaneMask::NONE,
            words: u32::MAX,
            touch: Touch::Refill,
        }
    }
}

/// An access to shared memory.
#[derive(Clone, Copy, Debug)]
pub struct SharedAccess<'a> {
    /// Core cycle.
    pub cycle: u64,
    /// The first core cycle in which the rows could be known: that of the instruction's issue.
    pub known: u64,
    /// Its rows (`line`), with the lanes and words of each.
    pub rows: &'a [Transaction],
    /// Lanes of the whole instruction.
    pub active: LaneMask,
    /// Whether it writes.
    pub write: bool,
    /// Cycles it takes by its worst bank.
    pub cycles: u64,
}

/// How a study holds an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Cycles by which its data comes later.
    pub delay: u64,
    /// Cycles for which nothing else can enter.
    pub stall: u64,
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
    /// A warp went on elsewhere than behind its instruction, and what was fetched there was thrown away.
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
    /// A warp waits for the register of a load that may leave the SM.
    pub raw_memory: bool,
    /// A warp waits for a branch, or for the register of an operation or of a load from shared memory.
    pub raw_arithmetic: bool,
    /// A warp waits for a collector or unit.
    pub structural_arithmetic: bool,
    /// The head of the LD/ST queue waits for the memory side: for a miss register, the store queue or the way out.
    pub memory_blocked: bool,
    /// Which warps run, and which of them wait for the pipeline.
    pub census: Census,
    /// What the next instructions of the warps are.
    pub kinds: WarpKinds,
    /// INT and FP instructions that wait for nothing, for arithmetic, or for a load that has hit.
    pub soon: [Soon; 2],
}

/// Warps that have something to run and are not at a barrier, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// All of them.
    pub live: WarpSet,
    /// Those whose next instruction waits for the pipeline: for the result of an operation, for shared memory, a branch,
    /// or fetch while no instruction miss is outstanding. The others wait for memory, for a unit or for their turn.
    pub computing: WarpSet,
}

/// Instructions of one kind that will issue within a few cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Soon {
    /// How many.
    pub warps: u32,
    /// Lanes that are active in any of them.
    pub lanes: u32,
}

/// What a study sees and decides. Every method has a default that does nothing.
pub trait Hooks: Send {
    /// Whether [`Hooks::cycles`] wants to be called.
    const WATCHES_CYCLES: bool = false;

    /// `count` cycles with these signals have passed; more than one if nothing changed.
    fn cycles(&mut self, _signals: &CycleSignals, _count: u64) {}

    /// Whether [`Hooks::prefer`] wants to be asked.
    const PREFERS: bool = false;

    /// Whether somebody reads [`CycleSignals::soon`], which is made only then.
    fn looks_ahead(&self) -> bool {
        false
    }

    /// The active lanes of a warp's next decoded instruction, told whenever it is looked at again: at the latest
    /// before it appears in [`WarpKinds::buffered`].
    fn next_lanes(&mut self, _warp: usize, _active: LaneMask) {}

    /// Which of a scheduler's ready warps should go first; the others still go if none of these can.
    fn prefer(&mut self, _scheduler: usize, ready: WarpSet, _kinds: &WarpKinds) -> WarpSet {
        ready
    }

    /// Cycles for which the lanes of the candidate's SP would keep it waiting: it goes where it starts first.
    fn wake_delay(&mut self, _candidate: &Candidate) -> u64 {
        0
    }

    /// Whether an instruction may issue in this cycle; asked of one warp at a time, in order of choice.
    fn may_issue(&mut self, _candidate: &Candidate, _cycle: u64) -> bool {
        true
    }

    /// A kernel starts; every instruction of the last one is complete.
    fn kernel(&mut self, _launch: &Arc<Launch>, _program: &Arc<Program>) {}

    /// Whether the study has lanes of its own, through which this SP instruction must go.
    fn has_lanes(&self, _candidate: &Candidate) -> bool {
        false
    }

    /// Takes an instruction to the study's lanes.
    fn enter_lanes(&mut self, work: LaneWork) -> LaneSlot {
        LaneSlot { start: work.ready, end: work.ready + work.timing.latency, passes: 1 }
    }

    /// Results of the study's lanes in this cycle, one instruction at a time; called before anything issues.
    fn lane_result(&mut self, _cycle: u64) -> Option<LaneResult> {
        None
    }

    /// How an SP instruction goes through its unit.
    fn passes(&mut self, _candidate: &Candidate, _cycle: u64) -> Passes {
        Passes::default()
    }

    /// An instruction issued: also which lanes of which pipeline are at work, and when.
    fn issued(&mut self, _issue: &Issue) {}

    /// How to hold a cache access before its array is read.
    fn hold(&mut self, _access: &CacheAccess) -> Held {
        Held::default()
    }

    /// How to hold an access to shared memory.
    fn hold_shared(&mut self, _access: &SharedAccess) -> Held {
        Held::default()
    }

    /// A warp's memory instruction has completed; one whose guard held nowhere never began.
    fn memory_completed(&mut self, _warp: usize, _pc: u32, _cycle: u64) {}

    /// One that brought a warp something has: a load, or an atomic whose result is wanted.
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
