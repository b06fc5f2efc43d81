//! Runs the launches of a job on the machine, one after the other.

use super::config::MachineConfig;
use super::gpu::{Gpu, Work};
use super::occupancy::{occupancy, Occupancy};
use super::record::{KernelTiming, Reading, TimingRecord};
use super::registers::Allocation;
use super::sm::decode::Program;
use super::sm::hooks::Hooks;
use super::sm::scheduler::{self, UnknownScheduler};
use super::uncore::hooks::SliceHooks;
use crate::exec::{self, Counts, Fault, GlobalMemory, Launch};
use crate::job::{Engine, Order, Stop};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// When to give up.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Core cycles of the whole job.
    pub max_cycles: Option<u64>,
    /// Set from elsewhere to stop at the next quantum.
    pub interrupt: Arc<AtomicBool>,
}

/// Asked between quanta: a study may change the machine, and a terminal may show its progress.
pub type Between<H, S> = dyn FnMut(&mut Gpu<H, S>) + Send;

/// A kernel's program and how many registers a thread takes.
type Decoded = (Arc<Program>, usize);

/// A machine and what it has measured so far.
pub struct Machine<H, S> {
    config: Arc<MachineConfig>,
    limits: Limits,
    pool: Option<rayon::ThreadPool>,
    hooks: Box<dyn FnMut(usize) -> H + Send>,
    slices: Box<dyn FnMut(usize) -> S + Send>,
    between: Option<Box<Between<H, S>>>,
    gpu: Option<Gpu<H, S>>,
    programs: HashMap<(String, Option<u32>), Decoded>,
    record: TimingRecord,
}

impl<H: Hooks, S: SliceHooks> Machine<H, S> {
    /// A machine at rest. `hooks` and `slices` make what looks on at each SM and each L2 slice; they are
    /// asked once for each, in order, when the first kernel starts.
    pub fn new(
        config: &Arc<MachineConfig>,
        limits: Limits,
        threads: usize,
        hooks: impl FnMut(usize) -> H + Send + 'static,
        slices: impl FnMut(usize) -> S + Send + 'static,
    ) -> Result<Self, UnknownScheduler> {
        scheduler::by_name(&config.sm)?;
        // A pool that cannot be made only costs time. Threads without an SM would only wait.
        let threads = threads.min(config.gpu.sms);
        let pool = (threads > 1)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok())
            .flatten();
        Ok(Machine {
            config: config.clone(),
            limits,
            pool,
            hooks: Box::new(hooks),
            slices: Box::new(slices),
            between: None,
            gpu: None,
            programs: HashMap::new(),
            record: TimingRecord {
                machine: config.name.clone(),
                config: (**config).clone(),
                cycles: 0,
                time_ns: 0.0,
                kernels: vec![],
            },
        })
    }

    /// Has `between` called after every quantum.
    pub fn between(mut self, between: Box<Between<H, S>>) -> Self {
        self.between = Some(between);
        self
    }

    /// What was measured so far.
    pub fn record(&self) -> &TimingRecord {
        &self.record
    }

    /// The machine itself, once it has run a kernel.
    pub fn gpu(&self) -> Option<&Gpu<H, S>> {
        self.gpu.as_ref()
    }

    /// The same, for those who read units: a unit's outputs are there once it has been evaluated.
    pub fn gpu_mut(&mut self) -> Option<&mut Gpu<H, S>> {
        self.gpu.as_mut()
    }

    /// Decodes a kernel, or finds it again.
    fn program(&mut self, launch: &Launch, registers: Option<u32>) -> Decoded {
        let kernel = launch.kernel();
        let latency = &self.config.latency;
        let index = self.programs.len();
        let decode = || {
            let allocation = Allocation::new(kernel);
            let program = Program::new(index, kernel, &allocation, latency);
            let count = registers.map_or(program.registers, |r| r as usize);
            (Arc::new(program), count)
        };
        self.programs.entry((kernel.name.clone(), registers)).or_insert_with(decode).clone()
    }

    /// Runs the kernel to its end, all of it on the threads of the pool: coming and going would cost them a sleep a
    /// quantum.
    fn run(&mut self, limit: u64) -> Result<End, Box<Fault>> {
        let Some(gpu) = &mut self.gpu else { return Ok(End::Complete) };
        let (limits, between) = (&self.limits, &mut self.between);
        let earlier = self.record.cycles;
        match &self.pool {
            None => run(gpu, Gpu::advance, limits, between, earlier, limit),
            Some(pool) => {
                pool.install(|| run(gpu, Gpu::advance_in_parallel, limits, between, earlier, limit))
            }
        }
    }
}

/// How a launch ended, if not by a fault.
enum End {
    Complete,
    MaxCycles,
    Interrupted,
}

/// Runs a kernel, quantum by quantum, after so many cycles of others.
fn run<H: Hooks, S: SliceHooks>(
    gpu: &mut Gpu<H, S>,
    advance: impl Fn(&mut Gpu<H, S>) -> Result<(), Box<Fault>>,
    limits: &Limits,
    between: &mut Option<Box<Between<H, S>>>,
    earlier: u64,
    limit: u64,
) -> Result<End, Box<Fault>> {
    let start = (instructions(gpu), gpu.sms[0].cycle());
    while !gpu.is_done() {
        if limits.interrupt.load(Ordering::Relaxed) {
            return Ok(End::Interrupted);
        }
        let cycles = earlier + gpu.sms[0].cycle() - start.1;
        if limits.max_cycles.is_some_and(|most| cycles >= most) {
            return Ok(End::MaxCycles);
        }
        advance(gpu)?;
        if instructions(gpu) - start.0 > limit {
            return Err(gpu.sms[0].runaway(limit));
        }
        if let Some(between) = between {
            between(gpu);
        }
    }
    Ok(End::Complete)
}

fn instructions<H: Hooks, S: SliceHooks>(gpu: &Gpu<H, S>) -> u64 {
    gpu.sms.iter().map(|sm| sm.counts().warp_instructions).sum()
}

/// Why not even one block fits.
fn too_big(launch: &Launch, registers: usize, occupancy: &Occupancy) -> Stop {
    Stop::Unfit(format!(
        "`{}`: a block of {} threads with {registers} registers a thread and {} bytes of shared memory \
         does not fit on an SM: not enough {}",
        launch.kernel().name,
        launch.threads(),
        launch.shared_bytes(),
        occupancy.limit.name()
    ))
}

impl<H: Hooks, S: SliceHooks> Engine for Machine<H, S> {
    fn launch(
        &mut self,
        launch: Launch,
        memory: &mut GlobalMemory,
        order: &Order,
    ) -> Result<Counts, Stop> {
        if !order.timed {
            let (limit, interrupt) = (order.max_instructions, &*self.limits.interrupt);
            let run = exec::run_unless(&launch, memory, limit, interrupt)?;
            return match run.complete {
                true => Ok(run.counts),
                false => Err(Stop::Interrupted(run.counts)),
            };
        }
        let (program, registers) = self.program(&launch, order.registers);
        let fits = occupancy(&self.config.sm, &launch, registers);
        if fits.blocks == 0 {
            return Err(too_big(&launch, registers, &fits));
        }
        let work = Work { launch: Arc::new(launch), program, max_blocks: fits.blocks };
        let global = std::mem::take(memory);
        match &mut self.gpu {
            Some(gpu) => {
                gpu.global = global;
                gpu.start(&work);
            }
            none => {
                *none =
                    Some(Gpu::new(&self.config, &work, global, &mut self.hooks, &mut self.slices)?);
            }
        }
        let before = self.gpu.as_ref().map(Reading::of);
        let outcome = self.run(order.max_instructions);
        let (Some(gpu), Some(before)) = (&mut self.gpu, before) else {
            return Ok(Counts::default());
        };
        *memory = std::mem::take(&mut gpu.global);
        let timing = KernelTiming::since(&before, gpu, &work.launch, registers, fits);
        let counts = Counts {
            warp_instructions: timing.warp_instructions,
            thread_instructions: timing.thread_instructions,
        };
        self.record.add(timing);
        match outcome? {
            End::Complete => Ok(counts),
            End::MaxCycles => Err(Stop::MaxCycles(counts)),
            End::Interrupted => Err(Stop::Interrupted(counts)),
        }
    }

    fn timing(&self) -> Option<TimingRecord> {
        Some(self.record.clone())
    }
}
