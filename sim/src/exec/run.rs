//! A whole grid without timing: blocks one after the other, each warp as far as it can go.

use super::block::{Block, WarpStatus};
use super::fault::{Fault, FaultKind};
use super::launch::Launch;
use super::memory::{Access, GlobalMemory, GlobalView};
use super::step::step;

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
    let mut counts = Counts::default();
    let mut block = Block::new(launch, 0);
    let mut access = Access::default();
    let mut global = GlobalView::Whole(global);
    for number in 0..launch.blocks() {
        if number > 0 {
            block.restart(launch, number);
        }
        run_block(launch, &mut global, &mut block, &mut access, limit, &mut counts)?;
    }
    Ok(counts)
}

fn run_block(
    launch: &Launch,
    global: &mut GlobalView,
    block: &mut Block,
    access: &mut Access,
    limit: u64,
    counts: &mut Counts,
) -> Result<(), Box<Fault>> {
    loop {
        let mut progress = false;
        for w in 0..block.warps().len() {
            while block.warps()[w].status() == WarpStatus::Ready {
                if counts.warp_instructions >= limit {
                    return Err(runaway(launch, block, w, limit));
                }
                let step = step(launch, global, block, w, access)?;
                counts.warp_instructions += 1;
                counts.thread_instructions += u64::from(step.executed.count());
                progress = true;
            }
        }
        if block.is_done() {
            return Ok(());
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
