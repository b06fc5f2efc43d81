//! A thread block in flight: its warps, its shared memory and its barriers.

use super::barrier::Barriers;
use super::launch::Launch;
use super::mask::LaneMask;
use super::regs::RegFile;
use super::stack::Stack;
use crate::ptx::ir::{Axis, Special};

/// Whether a warp can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WarpStatus {
    /// It can execute its next instruction.
    Ready,
    /// It waits at this barrier.
    AtBarrier(u8),
    /// All its threads have exited.
    Done,
}

/// One warp: registers, control state and local memory of its lanes.
#[derive(Debug, Clone, PartialEq)]
pub struct Warp {
    /// Its registers.
    pub regs: RegFile,
    pub(super) stack: Stack,
    /// Local memory of 32 lanes, one after the other.
    pub(super) local: Vec<u8>,
    pub(super) status: WarpStatus,
    /// Threads that have not exited.
    pub(super) live: LaneMask,
    /// Warp instructions executed.
    pub(super) executed: u64,
}

impl Warp {
    /// Whether it can run.
    pub fn status(&self) -> WarpStatus {
        self.status
    }

    /// Program counter and active lanes; `None` once it is done.
    pub fn position(&self) -> Option<(u32, LaneMask)> {
        self.stack.top()
    }

    /// Threads that have not exited.
    pub fn live(&self) -> LaneMask {
        self.live
    }

    /// Warp instructions executed so far.
    pub fn executed(&self) -> u64 {
        self.executed
    }
}

/// One thread block: everything it owns, ready to be stepped.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    index: [u32; 3],
    pub(super) warps: Vec<Warp>,
    pub(super) shared: Vec<u8>,
    pub(super) barriers: Barriers,
}

impl Block {
    /// Block `number` of the grid with every thread at the first instruction.
    pub fn new(launch: &Launch, number: u64) -> Block {
        let kernel = launch.kernel();
        let warps = (0..launch.warps())
            .map(|_| Warp {
                regs: RegFile::new(kernel.regs),
                stack: Stack::new(LaneMask::NONE),
                local: vec![0; 32 * kernel.local_bytes as usize],
                status: WarpStatus::Done,
                live: LaneMask::NONE,
                executed: 0,
            })
            .collect();
        let mut block = Block {
            index: [0; 3],
            warps,
            shared: vec![0; launch.shared_bytes() as usize],
            barriers: Barriers::default(),
        };
        block.restart(launch, number);
        block
    }

    /// Starts over as another block of the same launch, keeping its memory.
    pub fn restart(&mut self, launch: &Launch, number: u64) {
        self.index = launch.block_index(number);
        self.shared.fill(0);
        self.barriers = Barriers::default();
        let threads = launch.threads();
        for (w, warp) in self.warps.iter_mut().enumerate() {
            let first = w as u32 * 32;
            let lanes = LaneMask::first(threads - first);
            warp.regs.clear();
            warp.local.fill(0);
            warp.stack = Stack::new(lanes);
            warp.status = WarpStatus::Ready;
            warp.live = lanes;
            warp.executed = 0;
            for &(special, reg) in &launch.kernel().specials {
                let row = warp.regs.word_mut(reg);
                for (lane, value) in row.iter_mut().enumerate() {
                    *value = special_value(launch, special, self.index, first, lane as u32);
                }
            }
        }
    }

    /// Its coordinates in the grid.
    pub fn index(&self) -> [u32; 3] {
        self.index
    }

    /// Its warps, lowest threads first.
    pub fn warps(&self) -> &[Warp] {
        &self.warps
    }

    /// Its shared memory.
    pub fn shared(&self) -> &[u8] {
        &self.shared
    }

    /// Whether every thread has exited.
    pub fn is_done(&self) -> bool {
        self.warps.iter().all(|w| w.status == WarpStatus::Done)
    }
}

fn special_value(launch: &Launch, special: Special, block: [u32; 3], first: u32, lane: u32) -> u32 {
    let at = |axis: Axis| match axis {
        Axis::X => 0,
        Axis::Y => 1,
        Axis::Z => 2,
    };
    match special {
        Special::Tid(axis) => launch.thread_index(first + lane)[at(axis)],
        Special::Ntid(axis) => launch.block[at(axis)],
        Special::Ctaid(axis) => block[at(axis)],
        Special::Nctaid(axis) => launch.grid[at(axis)],
        Special::Laneid => lane,
        Special::Warpid => first / 32,
        Special::Nwarpid => launch.warps(),
        Special::Nsmid => 1,
        Special::LanemaskEq => 1 << lane,
        Special::LanemaskLe => u32::MAX >> (31 - lane),
        Special::LanemaskLt => (1 << lane) - 1,
        Special::LanemaskGe => u32::MAX << lane,
        Special::LanemaskGt => (u32::MAX << lane) & !(1 << lane),
        Special::DynamicSmemSize => launch.dynamic_shared,
        Special::TotalSmemSize => launch.shared_bytes(),
        Special::Smid | Special::Gridid | Special::Zero => 0,
    }
}
