//! How many blocks of a kernel one SM can hold, and what limits it.

use super::config::SmConfig;
use crate::exec::Launch;

/// What keeps a further block out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Block slots.
    Blocks,
    /// Threads or warp slots.
    Threads,
    /// Registers.
    Registers,
    /// Shared memory.
    Shared,
}

impl Limit {
    /// Its name in records.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Blocks => "blocks",
            Limit::Threads => "threads",
            Limit::Registers => "registers",
            Limit::Shared => "shared memory",
        }
    }
}

/// How many blocks fit, and why not more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Blocks that fit; zero if not even one does.
    pub blocks: usize,
    /// What is used up first.
    pub limit: Limit,
}

/// The occupancy of a launch whose threads take `registers` each.
pub fn occupancy(config: &SmConfig, launch: &Launch, registers: usize) -> Occupancy {
    let warps = launch.warps() as usize;
    let warp_registers = (registers.max(1) * 32).next_multiple_of(config.register_unit.max(1));
    let by_shared =
        config.shared_bytes.checked_div(launch.shared_bytes() as usize).unwrap_or(usize::MAX);
    let limits = [
        (config.blocks, Limit::Blocks),
        ((config.threads / 32).min(config.warps) / warps, Limit::Threads),
        (config.registers / (warp_registers * warps), Limit::Registers),
        (by_shared, Limit::Shared),
    ];
    let (blocks, limit) =
        limits.into_iter().min_by_key(|(blocks, _)| *blocks).expect("there are four limits");
    Occupancy { blocks, limit }
}
