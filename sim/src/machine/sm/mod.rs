//! One streaming multiprocessor: fetch, decode, issue, operands, execution, load and store.
//!
//! An instruction changes the functional state when it issues; the pipeline decides when its results may
//! be used. What can be worked out at issue is (register banks, pipelines), and the rest is events, so
//! that a cycle in which nothing happens costs nothing.

mod banks;
pub mod coalesce;
mod cycle;
pub mod decode;
mod fetch;
pub mod hooks;
mod issue;
pub mod l1;
pub mod ldst;
mod outbox;
mod residency;
pub mod scheduler;
pub mod scoreboard;
mod stalls;
mod wheel;

pub use stalls::{Stall, StallCounts};

use super::config::MachineConfig;
use super::gpu::Work;
use super::time::{Clock, Time};
use super::uncore::packet::{Request, Response};
use crate::exec::{deliver_atomic, Access, Block, GlobalMemory, LaneMask, Launch, Pending};
use crate::machine::counters::counters;
use banks::Banks;
use decode::{Program, Unit};
use fetch::Fetch;
use hooks::Hooks;
use ldst::Ldst;
use outbox::Outbox;
use scheduler::{Scheduler, WarpSet};
use scoreboard::Scoreboard;
use std::collections::VecDeque;
use std::sync::Arc;
use wheel::Wheel;

/// Something that happens in a known cycle.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// A collector is free again.
    Collected(Unit),
    /// An operation's registers are written.
    Written { warp: usize, pc: u32 },
    /// A memory instruction will soon be complete.
    Returning { warp: usize },
    /// A memory instruction is complete.
    Loaded { warp: usize, pc: u32 },
    /// Instructions have been decoded.
    Decoded { warp: usize, epoch: u32, count: u8 },
    /// A branch has been resolved.
    Resolved { warp: usize },
}

/// A warp slot.
#[derive(Clone, Debug, Default)]
struct Slot {
    /// Resident block and the warp's number in it.
    block: usize,
    index: usize,
    /// The next instruction and its active lanes; none once every thread has exited.
    next: Option<(u32, LaneMask)>,
    scoreboard: Scoreboard,
    /// Decoded instructions from the program counter on.
    buffered: u8,
    /// Counts flushes, so that late fetches are known for what they are.
    epoch: u32,
    /// Instructions that have issued and are not complete.
    in_flight: u32,
}

/// A block that runs here.
#[derive(Clone, Debug)]
struct Resident {
    state: Block,
    slots: Vec<usize>,
}

counters! {
    /// What an SM did since the start.
    pub struct SmCounts {
        /// Core cycles.
        cycles,
        /// Warp instructions issued.
        warp_instructions,
        /// Thread instructions: lanes where the guard held.
        thread_instructions,
        /// Blocks completed.
        blocks,
        /// Cycles in which nothing was simulated because nothing could happen.
        skipped_cycles,
        /// Operand reads that had to wait for their register bank.
        register_bank_conflicts,
    }
}

/// What an SM has sent out and not got back. Nothing once a kernel [is done](super::gpu::Gpu::is_done).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Owed {
    /// Answers to requests of any kind: lines, acknowledgements of stores, results of atomics.
    pub answers: i64,
    /// Buffers of partitions.
    pub credits: i64,
}

/// Sets of slots by what is true of their warp.
#[derive(Clone, Copy, Debug, Default)]
struct Sets {
    /// A warp lives there, or its block has not ended yet.
    resident: WarpSet,
    /// It has an instruction to run.
    running: WarpSet,
    /// That instruction is decoded.
    buffered: WarpSet,
    /// Its buffer has room for more.
    hungry: WarpSet,
    /// A fetch is under way.
    fetching: WarpSet,
    at_barrier: WarpSet,
    on_branch: WarpSet,
    /// It waits for the register of a load that may leave the SM.
    wait_memory: WarpSet,
    /// It waits for the register of an operation or of a load from shared memory.
    wait_arithmetic: WarpSet,
    /// It touched bytes with an unfinished atomic and tries again in the next quantum.
    wait_atomic: WarpSet,
    /// A load of the warp is about to bring its data.
    returning: WarpSet,
    /// What its next instruction needs.
    next_int: WarpSet,
    next_fp: WarpSet,
    next_sfu: WarpSet,
    /// Its next instruction has all 32 lanes.
    full: WarpSet,
}

impl Sets {
    fn next_sp(&self) -> WarpSet {
        self.next_int | self.next_fp
    }

    /// Forgets a warp.
    fn clear(&mut self, warp: usize) {
        let keep = !(1 << warp);
        for set in [
            &mut self.resident,
            &mut self.running,
            &mut self.buffered,
            &mut self.hungry,
            &mut self.fetching,
            &mut self.at_barrier,
            &mut self.on_branch,
            &mut self.wait_memory,
            &mut self.wait_arithmetic,
            &mut self.wait_atomic,
            &mut self.next_int,
            &mut self.next_fp,
            &mut self.next_sfu,
            &mut self.full,
        ] {
            *set &= keep;
        }
    }
}

/// See the module's text.
#[derive(Clone)]
pub struct Sm<H> {
    config: Arc<MachineConfig>,
    clock: Clock,
    cycle: u64,
    launch: Arc<Launch>,
    program: Arc<Program>,
    /// Distinguishes warps of all SMs in local memory.
    id: usize,
    slots: Vec<Slot>,
    ages: Vec<u64>,
    blocks: Vec<Option<Resident>>,
    spare: Vec<Block>,
    max_blocks: usize,
    schedulers: Vec<Box<dyn Scheduler>>,
    /// Which slots each scheduler has.
    shares: Vec<WarpSet>,
    sets: Sets,
    banks: Banks,
    /// SPs: the first cycle in which each port and each pipeline is free.
    sps: Vec<issue::SpState>,
    sfu_free: u64,
    sp_collectors: usize,
    sfu_collectors: usize,
    ldst_collectors: usize,
    wheel: Wheel<Event>,
    events: Vec<Event>,
    ldst: Ldst,
    fetch: Fetch,
    outbox: Outbox,
    /// Answers on their way, by arrival.
    inbox: VecDeque<Response>,
    /// When the port can take the next answer.
    inlet_free: Time,
    credits: VecDeque<(Time, usize)>,
    access: Access,
    /// Written to global memory and not yet seen by other SMs.
    pending: Pending,
    counts: SmCounts,
    stalls: StallCounts,
    /// This cycle's reason of each scheduler.
    reasons: Vec<Stall>,
    /// A warp went on elsewhere in this cycle, and what was fetched for it was thrown away.
    flushed: bool,
    finished: u64,
    /// The first cycle after the last block ended, and its moment.
    last_end: (u64, Time),
    /// The study that looks on.
    pub hooks: H,
}

impl<H: Hooks> Sm<H> {
    /// An SM ready for blocks of a kernel.
    pub fn new(
        id: usize,
        config: &Arc<MachineConfig>,
        work: &Work,
        schedulers: Vec<Box<dyn Scheduler>>,
        hooks: H,
    ) -> Self {
        let sm = &config.sm;
        let shares = (0..sm.schedulers)
            .map(|s| (s..sm.warps).step_by(sm.schedulers).fold(0, |set, w| set | 1 << w))
            .collect();
        let mut sm = Sm {
            config: config.clone(),
            clock: Clock::new(config.clocks.core_mhz, 0),
            cycle: 0,
            launch: work.launch.clone(),
            program: work.program.clone(),
            id,
            slots: vec![Slot::default(); sm.warps],
            ages: vec![0; sm.warps],
            blocks: vec![],
            spare: vec![],
            max_blocks: work.max_blocks,
            schedulers,
            shares,
            sets: Sets::default(),
            banks: Banks::new(sm.register_banks, sm.operand_cycles),
            sps: vec![issue::SpState::default(); sm.sp_units],
            sfu_free: 0,
            sp_collectors: sm.sp_collectors,
            sfu_collectors: sm.sfu_collectors,
            ldst_collectors: sm.ldst_collectors,
            wheel: Wheel::new(),
            events: vec![],
            ldst: Ldst::new(config),
            fetch: Fetch::new(config),
            outbox: Outbox::new(config, id),
            inbox: VecDeque::new(),
            inlet_free: 0,
            credits: VecDeque::new(),
            access: Access::default(),
            pending: Pending::default(),
            counts: SmCounts::default(),
            stalls: StallCounts::default(),
            reasons: vec![],
            flushed: false,
            finished: 0,
            last_end: (0, 0),
            hooks,
        };
        sm.hooks.kernel(&work.launch, &work.program);
        sm
    }

    /// Prepares for another kernel: empty first-level caches, the same clock.
    pub fn start(&mut self, work: &Work) {
        self.hooks.kernel(&work.launch, &work.program);
        self.launch = work.launch.clone();
        self.program = work.program.clone();
        self.max_blocks = work.max_blocks;
        self.spare.clear();
        self.ldst.invalidate_all();
        self.fetch.cache.invalidate_all();
    }

    /// What happened so far.
    pub fn counts(&self) -> SmCounts {
        SmCounts { register_bank_conflicts: self.banks.conflicts, ..self.counts }
    }

    /// Where the issue slots went.
    pub fn stalls(&self) -> &StallCounts {
        &self.stalls
    }

    /// The LD/ST unit, for its caches' counts.
    pub fn ldst(&self) -> &Ldst {
        &self.ldst
    }

    /// The instruction cache's counts.
    pub fn instruction_cache(&self) -> l1::CacheCounts {
        self.fetch.cache.counts
    }

    /// Each running warp: its slot, next program counter and active lanes.
    pub fn warps(&self) -> impl Iterator<Item = (usize, u32, LaneMask)> + '_ {
        self.slots.iter().enumerate().filter_map(|(w, slot)| {
            let (pc, active) = slot.next.filter(|_| self.sets.running >> w & 1 != 0)?;
            Some((w, pc, active))
        })
    }

    /// Changes the core clock from the next edge on.
    pub fn set_core_mhz(&mut self, mhz: f64) {
        self.clock.set_mhz(mhz);
    }

    /// Stops the core clock for a while.
    pub fn pause(&mut self, duration: Time) {
        self.clock.pause(duration);
    }

    /// The first core cycle after the last block ended, and its moment.
    pub fn last_end(&self) -> (u64, Time) {
        self.last_end
    }

    /// Core cycles since the start.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Blocks completed since this was last asked.
    pub fn take_finished(&mut self) -> u64 {
        std::mem::take(&mut self.finished)
    }

    /// Requests sent to a partition since they were last taken.
    pub fn requests_to(&mut self, partition: usize) -> &mut Vec<Request> {
        &mut self.outbox.requests[partition]
    }

    /// Answers on their way here, in any order.
    pub fn deliver(&mut self, responses: &mut Vec<Response>) {
        if responses.is_empty() {
            return;
        }
        self.inbox.extend(responses.drain(..));
        self.inbox.make_contiguous().sort_by_key(|r| (r.when, r.token));
    }

    /// Buffers of partitions that are free again and when, in the order of time.
    pub fn credit(&mut self, credits: &mut Vec<(Time, usize)>) {
        self.credits.extend(credits.drain(..));
    }

    /// What has been sent out and has not come back; what came twice counts against it.
    pub fn owed(&self) -> Owed {
        let config = &self.config;
        let all = config.interconnect.credits * config.gpu.partitions;
        let back = self.outbox.credits() + self.credits.len();
        Owed { answers: self.ldst.unanswered(), credits: all as i64 - back as i64 }
    }

    /// Makes what this SM wrote visible to all, and does its atomics.
    pub fn apply(&mut self, global: &mut GlobalMemory) {
        let (slots, blocks) = (&self.slots, &mut self.blocks);
        self.pending.apply(global, |result| {
            let slot = &slots[result.owner as usize];
            // A `red` wants nothing back and may outlive its block.
            if let (Some(_), Some(resident)) = (result.atomic.d, &mut blocks[slot.block]) {
                deliver_atomic(&mut resident.state, slot.index, &result);
            }
        });
        self.sets.wait_atomic = 0;
    }
}
