//! What a timed run measured: by kernel and, within it, by SM.

use super::config::MachineConfig;
use super::gpu::Gpu;
use super::occupancy::Occupancy;
use super::sm::hooks::Hooks;
use super::sm::l1::CacheCounts;
use super::sm::{SmCounts, Stall, StallCounts};
use super::time::Time;
use super::uncore::dram::DramCounts;
use super::uncore::hooks::SliceHooks;
use super::uncore::partition::L2Counts;
use crate::exec::Launch;
use serde::{Serialize, Serializer};

/// What one SM did during a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SmTiming {
    /// Cycles and instructions.
    #[serde(flatten)]
    pub counts: SmCounts,
    /// Scheduler cycles by what the scheduler did; they sum to schedulers times cycles.
    pub scheduler_cycles: StallCounts,
    /// First-level data cache.
    pub l1_data: CacheCounts,
    /// Constant cache.
    pub l1_constant: CacheCounts,
    /// Texture cache.
    pub l1_texture: CacheCounts,
    /// Instruction cache.
    pub l1_instruction: CacheCounts,
}

impl SmTiming {
    /// Warp instructions a core cycle.
    pub fn warp_instructions_per_cycle(&self) -> f64 {
        self.counts.warp_instructions as f64 / self.counts.cycles.max(1) as f64
    }
}

/// Writes each SM with its rate, which follows from its counts.
fn with_rates<S: Serializer>(sms: &[SmTiming], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Rated<'a> {
        warp_instructions_per_cycle: f64,
        #[serde(flatten)]
        sm: &'a SmTiming,
    }
    serializer.collect_seq(
        sms.iter()
            .map(|sm| Rated { warp_instructions_per_cycle: sm.warp_instructions_per_cycle(), sm }),
    )
}

impl std::ops::Sub for SmTiming {
    type Output = Self;
    fn sub(self, before: Self) -> Self {
        SmTiming {
            counts: self.counts - before.counts,
            scheduler_cycles: self.scheduler_cycles - before.scheduler_cycles,
            l1_data: self.l1_data - before.l1_data,
            l1_constant: self.l1_constant - before.l1_constant,
            l1_texture: self.l1_texture - before.l1_texture,
            l1_instruction: self.l1_instruction - before.l1_instruction,
        }
    }
}

impl std::ops::AddAssign for SmTiming {
    fn add_assign(&mut self, more: Self) {
        self.counts += more.counts;
        self.scheduler_cycles += more.scheduler_cycles;
        self.l1_data += more.l1_data;
        self.l1_constant += more.l1_constant;
        self.l1_texture += more.l1_texture;
        self.l1_instruction += more.l1_instruction;
    }
}

/// A reading of every counter of the machine.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    time: Time,
    cycle: u64,
    sms: Vec<SmTiming>,
    l2: L2Counts,
    dram: DramCounts,
}

impl Reading {
    pub fn of<H: Hooks, S: SliceHooks>(gpu: &Gpu<H, S>) -> Self {
        let (mut l2, mut dram) = (L2Counts::default(), DramCounts::default());
        for partition in &gpu.partitions {
            let counts = partition.counts();
            l2 += counts.0;
            dram += counts.1;
        }
        let sms = gpu.sms.iter().map(|sm| SmTiming {
            counts: sm.counts(),
            scheduler_cycles: *sm.stalls(),
            l1_data: sm.ldst().data.counts,
            l1_constant: sm.ldst().constant.counts,
            l1_texture: sm.ldst().texture.counts,
            l1_instruction: sm.instruction_cache(),
        });
        let cycle = gpu.sms.first().map_or(0, |sm| sm.cycle());
        Reading { time: gpu.now(), cycle, sms: sms.collect(), l2, dram }
    }
}

/// What a kernel did on the whole machine, over all its launches with blocks of one shape.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct KernelTiming {
    /// Its name.
    pub kernel: String,
    /// How often it was launched.
    pub launches: u64,
    /// Core cycles from the start to the end of the last block.
    pub cycles: u64,
    /// The same in nanoseconds.
    pub time_ns: f64,
    /// Warp instructions of all SMs.
    pub warp_instructions: u64,
    /// Thread instructions of all SMs.
    pub thread_instructions: u64,
    /// Warp instructions a core cycle, all SMs together.
    pub warp_instructions_per_cycle: f64,
    /// Threads a block.
    pub threads_per_block: u32,
    /// Shared memory a block, in bytes.
    pub shared_bytes_per_block: u32,
    /// 32-bit registers a thread.
    pub registers_per_thread: usize,
    /// Blocks that fit on an SM.
    pub blocks_per_sm: usize,
    /// What keeps a further block out.
    pub occupancy_limit: &'static str,
    /// Sum over SMs.
    pub all_sms: SmTiming,
    /// L2, all slices.
    pub l2: L2Counts,
    /// DRAM, all channels.
    pub dram: DramCounts,
    /// Each SM.
    #[serde(serialize_with = "with_rates")]
    pub sms: Vec<SmTiming>,
}

impl KernelTiming {
    /// What happened on a machine since a reading, during one launch.
    pub(super) fn since<H: Hooks, S: SliceHooks>(
        before: &Reading,
        gpu: &Gpu<H, S>,
        launch: &Launch,
        registers: usize,
        occupancy: Occupancy,
    ) -> Self {
        let after = Reading::of(gpu);
        let ends = gpu.sms.iter().map(|sm| sm.last_end());
        let (end_cycle, end_time) = ends.max().unwrap_or_default();
        // A run that was stopped has not come to an end.
        let running = gpu.progress().0 < gpu.progress().1;
        let end_cycle = if running { after.cycle } else { end_cycle.max(before.cycle) };
        let end_time = if running { after.time } else { end_time.max(before.time) };
        // Every SM sat empty from there to the end of the last quantum, which is no part of the kernel.
        let tail = after.cycle - end_cycle;
        let schedulers = gpu.config().sm.schedulers as u64;
        let sms: Vec<SmTiming> = std::iter::zip(&after.sms, &before.sms)
            .map(|(after, before)| {
                let mut sm = *after - *before;
                sm.counts.cycles -= tail;
                sm.counts.skipped_cycles -= tail;
                sm.scheduler_cycles.remove(Stall::Empty, tail * schedulers);
                sm
            })
            .collect();
        let mut all_sms = SmTiming::default();
        sms.iter().for_each(|sm| all_sms += *sm);
        let mut timing = KernelTiming {
            kernel: launch.kernel().name.clone(),
            launches: 1,
            cycles: end_cycle - before.cycle,
            time_ns: (end_time - before.time) as f64 * 1e-6,
            warp_instructions: all_sms.counts.warp_instructions,
            thread_instructions: all_sms.counts.thread_instructions,
            warp_instructions_per_cycle: 0.0,
            threads_per_block: launch.threads(),
            shared_bytes_per_block: launch.shared_bytes(),
            registers_per_thread: registers,
            blocks_per_sm: occupancy.blocks,
            occupancy_limit: occupancy.limit.name(),
            all_sms,
            l2: after.l2 - before.l2,
            dram: after.dram - before.dram,
            sms,
        };
        timing.rate();
        timing
    }

    fn rate(&mut self) {
        self.warp_instructions_per_cycle =
            self.warp_instructions as f64 / self.cycles.max(1) as f64;
    }

    /// Whether another launch is of the same kernel with blocks of the same shape, and so of the same occupancy.
    fn is_like(&self, other: &KernelTiming) -> bool {
        let shape = |k: &KernelTiming| {
            (k.threads_per_block, k.shared_bytes_per_block, k.registers_per_thread)
        };
        self.kernel == other.kernel && shape(self) == shape(other)
    }

    /// Adds another launch that [is like](KernelTiming::is_like) this one.
    fn add(&mut self, more: &KernelTiming) {
        self.launches += more.launches;
        self.cycles += more.cycles;
        self.time_ns += more.time_ns;
        self.warp_instructions += more.warp_instructions;
        self.thread_instructions += more.thread_instructions;
        self.all_sms += more.all_sms;
        self.l2 += more.l2;
        self.dram += more.dram;
        std::iter::zip(&mut self.sms, &more.sms).for_each(|(sm, more)| *sm += *more);
        self.rate();
    }
}

/// What a whole job did; the same job, size, seed and machine give the same bytes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimingRecord {
    /// The machine's name.
    pub machine: String,
    /// The whole machine, with every value that was overridden.
    pub config: MachineConfig,
    /// Sum over kernels.
    pub cycles: u64,
    /// Sum over kernels.
    pub time_ns: f64,
    /// By kernel and shape of its blocks, in order of first launch.
    pub kernels: Vec<KernelTiming>,
}

impl TimingRecord {
    /// Adds a launch.
    pub(super) fn add(&mut self, launch: KernelTiming) {
        self.cycles += launch.cycles;
        self.time_ns += launch.time_ns;
        match self.kernels.iter_mut().find(|k| k.is_like(&launch)) {
            Some(kernel) => kernel.add(&launch),
            None => self.kernels.push(launch),
        }
    }
}
