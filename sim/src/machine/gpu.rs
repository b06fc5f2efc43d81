//! The whole machine: SMs, interconnect, L2 and DRAM, advanced a quantum at a time.
//!
//! Nothing crosses the interconnect faster than its latency. In a quantum of that length no SM can feel
//! what another part does in the same quantum, so all parts may run at once, in any order or on any
//! number of threads, with the same result. Between quanta, in a fixed order, messages are exchanged, what
//! the SMs wrote becomes visible to all, and the block distributor, which sits behind the interconnect too,
//! hands out further blocks.

use super::config::MachineConfig;
use super::crew;
use super::sm::decode::Program;
use super::sm::hooks::Hooks;
use super::sm::scheduler::{self, UnknownScheduler};
use super::sm::Sm;
use super::time::{period_of, Time};
use super::uncore::hooks::SliceHooks;
use super::uncore::packet::Response;
use super::uncore::partition::Partition;
use crate::exec::{Fault, GlobalMemory, Launch};
use std::sync::Arc;

/// A kernel on its way to the machine.
#[derive(Clone)]
pub struct Work {
    /// What to run.
    pub launch: Arc<Launch>,
    /// Its instructions as the pipeline sees them.
    pub program: Arc<Program>,
    /// Blocks that fit on one SM.
    pub max_blocks: usize,
}

/// The machine while it runs one kernel after another; `H` looks on at every SM and `S` at every L2 slice.
#[derive(Clone)]
pub struct Gpu<H, S> {
    config: Arc<MachineConfig>,
    /// The SMs.
    pub sms: Vec<Sm<H>>,
    /// The memory partitions.
    pub partitions: Vec<Partition<S>>,
    /// Global memory, as all SMs see it.
    pub global: GlobalMemory,
    core_mhz: f64,
    now: Time,
    quantum: Time,
    launch: Arc<Launch>,
    blocks: u64,
    next_block: u64,
    done_blocks: u64,
    /// Where the search for an SM with room begins.
    next_sm: usize,
    /// Answers and credits on their way to each SM; scratch.
    responses: Vec<Vec<Response>>,
    credits: Vec<Vec<(Time, usize)>>,
}

/// What a thread takes on at a time, in a quantum.
enum Part<'a, H, S> {
    Sm(&'a mut Sm<H>, &'a mut Result<(), Box<Fault>>),
    Partition(&'a mut Partition<S>),
}

impl<H: Hooks, S: SliceHooks> Gpu<H, S> {
    /// A machine at rest that has been given its first kernel.
    pub fn new(
        config: &Arc<MachineConfig>,
        work: &Work,
        global: GlobalMemory,
        mut hooks: impl FnMut(usize) -> H,
        mut slices: impl FnMut(usize) -> S,
    ) -> Result<Self, UnknownScheduler> {
        let sms = (0..config.gpu.sms)
            .map(|id| {
                let schedulers = (0..config.sm.schedulers)
                    .map(|_| scheduler::by_name(&config.sm))
                    .collect::<Result<_, _>>()?;
                Ok(Sm::new(id, config, work, schedulers, hooks(id)))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let partitions = 0..config.gpu.partitions;
        Ok(Gpu {
            config: config.clone(),
            partitions: partitions.map(|at| Partition::new(config, slices(at))).collect(),
            global,
            core_mhz: config.clocks.core_mhz,
            now: 0,
            quantum: config.interconnect.latency_cycles * period_of(config.clocks.interconnect_mhz),
            launch: work.launch.clone(),
            blocks: work.launch.blocks(),
            next_block: 0,
            done_blocks: 0,
            next_sm: 0,
            responses: vec![vec![]; sms.len()],
            credits: vec![vec![]; sms.len()],
            sms,
        })
    }

    /// Time since the start.
    pub fn now(&self) -> Time {
        self.now
    }

    /// The machine's description.
    pub fn config(&self) -> &MachineConfig {
        &self.config
    }

    /// What it runs, or ran last.
    pub fn launch(&self) -> &Arc<Launch> {
        &self.launch
    }

    /// The frequency of the SMs.
    pub fn core_mhz(&self) -> f64 {
        self.core_mhz
    }

    /// Changes the frequency of all SMs from their next edge on; the other domains keep theirs.
    pub fn set_core_mhz(&mut self, mhz: f64) {
        self.core_mhz = mhz;
        self.sms.iter_mut().for_each(|sm| sm.set_core_mhz(mhz));
    }

    /// Stops the clock of all SMs for a while; the other domains go on.
    pub fn pause_core(&mut self, duration: Time) {
        self.sms.iter_mut().for_each(|sm| sm.pause(duration));
    }

    /// Blocks of the kernel that have ended, and all.
    pub fn progress(&self) -> (u64, u64) {
        (self.done_blocks, self.blocks)
    }

    /// Whether every block has ended and the memory side has come to rest.
    pub fn is_done(&self) -> bool {
        self.done_blocks == self.blocks
            && self.sms.iter().all(|sm| sm.is_quiet())
            && self.partitions.iter().all(Partition::is_idle)
    }

    /// Starts another kernel; the last one [is done](Gpu::is_done).
    pub fn start(&mut self, work: &Work) {
        self.launch = work.launch.clone();
        self.blocks = work.launch.blocks();
        self.next_block = 0;
        self.done_blocks = 0;
        self.sms.iter_mut().for_each(|sm| sm.start(work));
    }

    /// Runs one quantum.
    pub fn advance(&mut self) -> Result<(), Box<Fault>> {
        let until = self.begin();
        self.sms.iter_mut().try_for_each(|sm| sm.run(until, &self.global))?;
        self.partitions.iter_mut().for_each(|partition| partition.run(until));
        self.end(until);
        Ok(())
    }

    /// Runs one quantum on the threads of the pool that this is called in.
    pub fn advance_in_parallel(&mut self) -> Result<(), Box<Fault>> {
        let until = self.begin();
        let mut outcomes = vec![Ok(()); self.sms.len()];
        let sms = self.sms.iter_mut().zip(&mut outcomes).map(|(sm, outcome)| Part::Sm(sm, outcome));
        let partitions = self.partitions.iter_mut().map(Part::Partition);
        let global = &self.global;
        crew::share(sms.chain(partitions), |part| match part {
            Part::Sm(sm, outcome) => *outcome = sm.run(until, global),
            Part::Partition(partition) => partition.run(until),
        });
        // The fault of the lowest SM, whoever met one first.
        outcomes.into_iter().collect::<Result<(), _>>()?;
        crew::alone(|| self.end(until));
        Ok(())
    }

    /// Begins a quantum and says when it ends.
    fn begin(&mut self) -> Time {
        self.dispatch();
        self.now + self.quantum
    }

    fn end(&mut self, until: Time) {
        self.exchange();
        self.now = until;
    }

    /// Gives blocks to SMs with room, one each in turn.
    fn dispatch(&mut self) {
        let count = self.sms.len();
        let mut refused = 0;
        while self.next_block < self.blocks && refused < count {
            let sm = &mut self.sms[self.next_sm];
            self.next_sm = (self.next_sm + 1) % count;
            if sm.has_room() {
                sm.launch_block(self.next_block);
                self.next_block += 1;
                refused = 0;
            } else {
                refused += 1;
            }
        }
    }

    /// Hands over what was sent in the quantum and makes what was written visible.
    fn exchange(&mut self) {
        for (at, partition) in self.partitions.iter_mut().enumerate() {
            for response in partition.responses.drain(..) {
                self.responses[response.sm].push(response);
            }
            for credit in partition.credits.drain(..) {
                self.credits[credit.sm].push((credit.when, at));
            }
            partition.accept(self.sms.iter_mut().map(|sm| sm.requests_to(at)));
        }
        for (at, sm) in self.sms.iter_mut().enumerate() {
            sm.deliver(&mut self.responses[at]);
            self.credits[at].sort_unstable();
            sm.credit(&mut self.credits[at]);
            sm.apply(&mut self.global);
            self.done_blocks += sm.take_finished();
        }
    }
}
