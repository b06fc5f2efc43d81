//! A whole grid without timing: blocks one after the other, each warp as far as it can go.

use super::block::{Block, WarpStatus};
use super::fault::{Fault, FaultKind};
use super::launch::Launch;
use super::memory::{Access, GlobalMemory, GlobalView};
use super::step::step;
use std::sync::atomic::{AtomicBool, Ordering};

/// What was executed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Instructions executed by warps.
    pub warp_instructions: u64,
    /// Instructions executed by threads: the lanes where the guard held.
    pub thread_instructions: u64,
}

/// Runs every block of a launch; at most `limit` warp instructions.
pub fn run(launch: &Launch, global: &mut GlobalMemory, limit: u64) -> Result<Counts, Box<Fault>> {
    Ok(run_unless(launch, global, limit, &AtomicBool::new(false))?.counts)
}

/// How far a launch came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What was executed.
    pub counts: Counts,
    /// Whether every block has ended.
    pub complete: bool,
}

/// The same, but leaves soon after `interrupt` is set.
pub fn run_unless(
    launch: &Launch,
    global: &mut GlobalMemory,
    limit: u64,
    interrupt: &AtomicBool,
) -> Result<Progress, Box<Fault>> {
    let mut counts = Counts::default();
    let mut block = Block::new(launch, 0);
    let mut access = Access::default();
    let mut global = GlobalView::Whole(global);
    let mut brake = Brake { limit, interrupt, next: 0 };
    for number in 0..launch.blocks() {
        if number > 0 {
            block.restart(launch, number);
        }
        if !run_block(launch, &mut global, &mut block, &mut access, &mut brake, &mut counts)? {
            return Ok(Progress { counts, complete: false });
        }
    }
    Ok(Progress { counts, complete: true })
}

/// What may stop a run. One comparison an instruction sees to both: the flag is looked at only now and then.
struct Brake<'a> {
    limit: u64,
    interrupt: &'a AtomicBool,
    /// Warp instructions after which to look again; never beyond the limit.
    next: u64,
}

impl Brake<'_> {
    /// A few milliseconds of execution.
    const LOOK_EVERY: u64 = 1 << 15;

    /// Whether the user wants to stop.
    #[cold]
    fn look(&mut self, executed: u64) -> bool {
        self.next = (executed + Self::LOOK_EVERY).min(self.limit);
        self.interrupt.load(Ordering::Relaxed)
    }
}

/// Runs a block to its end; false if it was interrupted.
fn run_block(
    launch: &Launch,
    global: &mut GlobalView,
    block: &mut Block,
    access: &mut Access,
    brake: &mut Brake,
    counts: &mut Counts,
) -> Result<bool, Box<Fault>> {
    loop {
        let mut progress = false;
        for w in 0..block.warps().len() {
            while block.warps()[w].status() == WarpStatus::Ready {
                if counts.warp_instructions >= brake.next {
                    if counts.warp_instructions >= brake.limit {
                        return Err(runaway(launch, block, w, brake.limit));
                    }
                    if brake.look(counts.warp_instructions) {
                        return Ok(false);
                    }
                }
                let step = step(launch, global, block, w, access)?;
                counts.warp_instructions += 1;
                counts.thread_instructions += u64::from(step.executed.count());
                progress = true;
            }
        }
        if block.is_done() {
            return Ok(true);
        }
        if !progress {
            return Err(deadlock(launch, block));
        }
    }
}

pub(crate) fn runaway(launch: &Launch, block: &Block, w: usize, limit: u64) -> Box<Fault> {
    let warp = &block.warps()[w];
    let (pc, active) = warp.position().unwrap_or_default();
    let hint = format!(
        "{limit} warp instructions were executed; if the kernel is not stuck in a loop, raise \
         --max-instructions"
    );
    let fault = Fault::new(launch, FaultKind::Runaway, pc, block.index(), hint);
    let lane = active.lowest().unwrap_or(0) as u32;
    fault.of_thread(launch.thread_index(w as u32 * 32 + lane))
}

pub(crate) fn deadlock(launch: &Launch, block: &Block) -> Box<Fault> {
    let warps = block.warps();
    let running = warps.iter().filter(|w| w.status() != WarpStatus::Done).count() as u32;
    let mut waiting = warps.iter().enumerate().filter_map(|(w, warp)| match warp.status() {
        WarpStatus::AtBarrier(id) => Some((w, id, warp)),
        _ => None,
    });
    let Some((w, id, warp)) = waiting.next() else {
        // Warps that are neither ready, waiting nor done do not exist.
        return Fault::new(launch, FaultKind::Deadlock, 0, block.index(), "no warp can run");
    };
    let (arrived, expected) = block.barriers.progress(id.into(), running);
    let other = waiting.find(|&(_, other, _)| other != id);
    let elsewhere = match other {
        Some((w, id, _)) => format!("; warp {w} waits at barrier {id}"),
        None => String::new(),
    };
    let hint = format!(
        "warp {w} waits at barrier {id}, where {arrived} of {expected} warps have arrived and no \
         other can{elsewhere}"
    );
    // The program counter already stands behind the barrier.
    let pc = warp.position().map_or(0, |p| p.0.saturating_sub(1));
    let fault = Fault::new(launch, FaultKind::Deadlock, pc, block.index(), hint);
    fault.of_thread(launch.thread_index(w as u32 * 32))
}
