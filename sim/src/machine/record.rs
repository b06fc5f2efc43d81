//! What a timed run measured: by kernel and, within it, by SM.

use super::gpu::Gpu;
use super::occupancy::Occupancy;
use super::sm::hooks::Hooks;
use super::sm::l1::CacheCounts;
use super::sm::{SmCounts, Stall, StallCounts};
use super::time::Time;
use super::uncore::dram::DramCounts;
use super::uncore::hooks::SliceHooks;
use super::uncore::partition::L2Counts;
use serde::Serialize;

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

/// What a kernel did on the whole machine, over all its launches.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    pub sms: Vec<SmTiming>,
}

impl KernelTiming {
    /// What happened on a machine since a reading, during one launch.
    pub(super) fn since<H: Hooks, S: SliceHooks>(
        before: &Reading,
        gpu: &Gpu<H, S>,
        kernel: &str,
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
            kernel: kernel.into(),
            launches: 1,
            cycles: end_cycle - before.cycle,
            time_ns: (end_time - before.time) as f64 * 1e-6,
            warp_instructions: all_sms.counts.warp_instructions,
            thread_instructions: all_sms.counts.thread_instructions,
            warp_instructions_per_cycle: 0.0,
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

    /// Adds another launch of the same kernel.
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
    /// SMs.
    pub sms: usize,
    /// Scheduler.
    pub scheduler: String,
    /// Core frequency at the start.
    pub core_mhz: f64,
    /// Sum over kernels.
    pub cycles: u64,
    /// Sum over kernels.
    pub time_ns: f64,
    /// By kernel, in order of first launch.
    pub kernels: Vec<KernelTiming>,
}

impl TimingRecord {
    /// Adds a launch.
    pub(super) fn add(&mut self, launch: KernelTiming) {
        self.cycles += launch.cycles;
        self.time_ns += launch.time_ns;
        match self.kernels.iter_mut().find(|k| k.kernel == launch.kernel) {
            Some(kernel) => kernel.add(&launch),
            None => self.kernels.push(launch),
        }
    }

    /// A table with a row for each kernel and SM, and one for the whole of each kernel.
    pub fn csv(&self) -> String {
        let mut out = String::from("kernel,sm,cycles,warp_instructions,thread_instructions,blocks");
        out.push_str(",skipped_cycles,register_bank_conflicts");
        for reason in Stall::ALL {
            out.push_str(&format!(",{}_scheduler_cycles", reason.name()));
        }
        for cache in ["l1_data", "l1_constant", "l1_texture", "l1_instruction"] {
            out.push_str(&format!(
                ",{cache}_accesses,{cache}_hits,{cache}_merged,{cache}_misses,{cache}_blocked_cycles"
            ));
        }
        out.push_str(",l2_accesses,l2_hits,l2_merged,l2_misses,l2_write_backs,l2_blocked_cycles");
        out.push_str(",dram_reads,dram_writes,dram_activates,dram_data_cycles\n");
        for kernel in &self.kernels {
            for (n, sm) in kernel.sms.iter().enumerate() {
                out.push_str(&format!("{},{n}", kernel.kernel));
                sm_columns(&mut out, sm);
                out.push_str(",,,,,,,,,,\n");
            }
            out.push_str(&format!("{},all", kernel.kernel));
            let cycles = SmCounts { cycles: kernel.cycles, ..kernel.all_sms.counts };
            sm_columns(&mut out, &SmTiming { counts: cycles, ..kernel.all_sms });
            let (l2, dram) = (&kernel.l2, &kernel.dram);
            for value in [
                l2.accesses,
                l2.hits,
                l2.merged,
                l2.misses,
                l2.write_backs,
                l2.blocked_cycles,
                dram.reads,
                dram.writes,
                dram.activates,
                dram.data_cycles,
            ] {
                out.push_str(&format!(",{value}"));
            }
            out.push('\n');
        }
        out
    }
}

fn sm_columns(out: &mut String, sm: &SmTiming) {
    let c = &sm.counts;
    let mut values = vec![
        c.cycles,
        c.warp_instructions,
        c.thread_instructions,
        c.blocks,
        c.skipped_cycles,
        c.bank_conflicts,
    ];
    values.extend(Stall::ALL.map(|reason| sm.scheduler_cycles.of(reason)));
    for cache in [&sm.l1_data, &sm.l1_constant, &sm.l1_texture, &sm.l1_instruction] {
        values.extend([
            cache.accesses,
            cache.hits,
            cache.merged,
            cache.misses,
            cache.blocked_cycles,
        ]);
    }
    values.iter().for_each(|value| out.push_str(&format!(",{value}")));
}
