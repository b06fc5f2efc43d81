//! A complete machine description: every parameter named, none hidden, unknown keys rejected.
//!
//! `configs/gtx480.toml` is the machine of the papers that used GPGPU-Sim; `configs/thesis.toml` that of
//! the cache thesis. A study overrides single values with `--set section.key=value`.

pub use super::mechanisms::{
    CrispConfig, FoldElision, FoldingConfig, GatingConfig, Granularity, LaneVariant, LanesConfig,
    Mechanism, MechanismsConfig,
};
pub use super::power_caches::{
    ArrayConfig, ArrayEnergyConfig, ArrayKind, Enable, PowerCachesConfig, SharedWake, StaticPower,
};
pub use crate::dvfs::{DvfsConfig, EnergyForm, PowerConfig};
use serde::{Deserialize, Serialize};

/// The whole machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineConfig {
    /// Name for records.
    pub name: String,
    /// Frequencies of the four domains.
    pub clocks: ClockConfig,
    /// How many of everything.
    pub gpu: GpuConfig,
    /// One streaming multiprocessor.
    pub sm: SmConfig,
    /// Latency and initiation interval of each class of operation.
    pub latency: LatencyConfig,
    /// First-level data cache.
    pub l1_data: CacheConfig,
    /// Constant cache.
    pub l1_constant: CacheConfig,
    /// Texture cache.
    pub l1_texture: CacheConfig,
    /// Instruction cache.
    pub l1_instruction: CacheConfig,
    /// Second-level cache, one slice.
    pub l2: L2Config,
    /// Network between SMs and slices.
    pub interconnect: InterconnectConfig,
    /// One memory channel.
    pub dram: DramConfig,
    /// What is attached, and how it is set.
    pub mechanisms: MechanismsConfig,
    /// How the core clock is controlled.
    pub dvfs: DvfsConfig,
    /// What everything consumes.
    pub power: PowerConfig,
}

/// Frequencies in MHz.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockConfig {
    /// SMs; may change during a run.
    pub core_mhz: f64,
    /// Interconnect.
    pub interconnect_mhz: f64,
    /// L2 slices.
    pub l2_mhz: f64,
    /// DRAM command clock.
    pub dram_mhz: f64,
}

/// Counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuConfig {
    /// Streaming multiprocessors.
    pub sms: usize,
    /// Memory partitions: an L2 slice and a DRAM channel each.
    pub partitions: usize,
    /// Addresses go to partitions in pieces of this many bytes.
    pub partition_bytes: usize,
}

/// One streaming multiprocessor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmConfig {
    /// Warp slots.
    pub warps: usize,
    /// Resident threads.
    pub threads: usize,
    /// Resident thread blocks.
    pub blocks: usize,
    /// 32-bit registers.
    pub registers: usize,
    /// Registers are allocated to a warp in units of this many.
    pub register_unit: usize,
    /// Shared memory in bytes.
    pub shared_bytes: usize,
    /// Warp schedulers; each issues at most one instruction a cycle.
    pub schedulers: usize,
    /// `lrr`, `gto`, `two-level` or `oldest`.
    pub scheduler: String,
    /// Active-set size of the two-level scheduler, for each scheduler.
    pub two_level_active: usize,
    /// Warps fetched for in a cycle.
    pub fetch_width: usize,
    /// Decoded instructions buffered for a warp.
    pub instruction_buffer: usize,
    /// Cycles from an instruction-cache hit to a valid buffer entry.
    pub decode_cycles: u64,
    /// Bytes of one encoded instruction, for the instruction cache.
    pub instruction_bytes: u64,
    /// Cycles after a branch issues before its warp fetches again.
    pub branch_cycles: u64,
    /// Register banks; each reads one warp-wide operand a cycle.
    pub register_banks: usize,
    /// Cycles from issue to the operands, the read of the banks among them, if no bank is wanted twice.
    pub operand_cycles: u64,
    /// Operand collectors for the SPs, the SFU and the LD/ST unit.
    pub sp_collectors: usize,
    /// See `sp_collectors`.
    pub sfu_collectors: usize,
    /// See `sp_collectors`.
    pub ldst_collectors: usize,
    /// SP units.
    pub sp_units: usize,
    /// Memory instructions waiting in the LD/ST unit.
    pub ldst_queue: usize,
    /// Stores on their way before the LD/ST unit waits for acknowledgements.
    pub store_queue: usize,
    /// Cycles before its data in which the LD/ST unit knows of a hit and announces it to who looks ahead.
    pub announce_cycles: u64,
    /// Shared-memory banks, 4 bytes wide.
    pub shared_banks: usize,
    /// Cycles of a conflict-free shared-memory access.
    pub shared_cycles: u64,
}

/// Latency and initiation interval in core cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pipe {
    /// Issue of the operation to its result.
    pub latency: u64,
    /// Start of one operation to the start of the next on the same unit.
    pub interval: u64,
}

/// The classes of one number format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PipeClasses {
    /// Add, subtract, logic, shift, move, compare.
    pub add: Pipe,
    /// Minimum and maximum.
    pub max: Pipe,
    /// Multiply.
    pub mul: Pipe,
    /// Multiply-add.
    pub mad: Pipe,
    /// Divide and remainder.
    pub div: Pipe,
}

/// All classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LatencyConfig {
    /// Integers.
    pub int: PipeClasses,
    /// Single precision.
    pub f32: PipeClasses,
    /// Double precision.
    pub f64: PipeClasses,
    /// Special functions.
    pub sfu: Pipe,
}

/// A first-level cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CacheConfig {
    /// Sets.
    pub sets: usize,
    /// Ways.
    pub ways: usize,
    /// Bytes a line.
    pub line_bytes: usize,
    /// Misses that may be outstanding.
    pub mshrs: usize,
    /// Requests that one miss may carry.
    pub merges: usize,
    /// Cycles from the access to the data of a hit.
    pub hit_cycles: u64,
}

/// An L2 slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct L2Config {
    /// Sets of a slice.
    pub sets: usize,
    /// Ways.
    pub ways: usize,
    /// Bytes a line.
    pub line_bytes: usize,
    /// Misses that may be outstanding.
    pub mshrs: usize,
    /// Requests that one miss may carry.
    pub merges: usize,
    /// L2 cycles from the head of the queue to a hit's response.
    pub hit_cycles: u64,
    /// L2 cycles from the DRAM's data to the response.
    pub fill_cycles: u64,
}

/// The interconnect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InterconnectConfig {
    /// Interconnect cycles one way, unloaded.
    pub latency_cycles: u64,
    /// Bytes an SM's port moves in a cycle, each way.
    pub sm_port_bytes: usize,
    /// Bytes a partition's port moves in a cycle, each way.
    pub partition_port_bytes: usize,
    /// Bytes of a request's or acknowledgement's head.
    pub header_bytes: usize,
    /// Requests of one SM that one partition can hold.
    pub credits: usize,
}

/// A DRAM channel; times in command clocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DramConfig {
    /// Banks.
    pub banks: usize,
    /// Bytes of a row.
    pub row_bytes: usize,
    /// Bytes of a request.
    pub line_bytes: usize,
    /// Bytes moved in a command clock.
    pub bytes_per_clock: usize,
    /// Requests that the scheduler sees.
    pub queue: usize,
    /// Waiting writes beyond which writes go before reads.
    pub write_high: usize,
    /// Waiting writes down to which they then do.
    pub write_low: usize,
    /// Activate to column access.
    pub t_rcd: u64,
    /// Activate to precharge.
    pub t_ras: u64,
    /// Precharge to activate.
    pub t_rp: u64,
    /// Activate to activate of the same bank.
    pub t_rc: u64,
    /// Activate to activate of another bank.
    pub t_rrd: u64,
    /// Column access to column access.
    pub t_ccd: u64,
    /// Read command to data.
    pub t_cl: u64,
    /// Write command to data.
    pub t_wl: u64,
    /// Last write data to read command.
    pub t_cdlr: u64,
    /// Last write data to precharge.
    pub t_wr: u64,
    /// Read command to precharge.
    pub t_rtp: u64,
}

impl DramConfig {
    /// Command clocks that a line takes on the data bus.
    pub fn burst_cycles(&self) -> u64 {
        self.line_bytes.div_ceil(self.bytes_per_clock) as u64
    }
}
