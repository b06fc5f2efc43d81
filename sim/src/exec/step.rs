//! One instruction of one warp.

use super::alu;
use super::barrier::{Waiting, BARRIERS};
use super::block::{Block, WarpStatus};
use super::exchange;
use super::fault::{Fault, FaultKind};
use super::launch::Launch;
use super::mask::LaneMask;
use super::memory::{
    self, Access, AccessKind, AtomicResult, Bindings, GlobalView, Memories, Refusal,
};
use super::regs::Lanes;
use crate::ptx::ir::{BarrierKind, Class, Constants, Op, Reg};
use crate::ptx::layout::space_of;
use crate::ptx::Space;

/// What an instruction was, for whoever times it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It read and wrote registers.
    Register,
    /// It accessed memory; the [`Access`] given to [`step`] says where.
    Memory,
    /// It ordered memory.
    Fence,
    /// It branched; these lanes took it.
    Branch(LaneMask),
    /// It arrived at a barrier of this number.
    Barrier(u8),
    /// These lanes exited.
    Exit(LaneMask),
    /// Nothing: its bytes wait for an atomic of this SM, and it must be tried again later.
    Busy,
}

/// An executed instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Its program counter.
    pub pc: u32,
    /// Lanes that were active.
    pub active: LaneMask,
    /// Those of them where its guard held.
    pub executed: LaneMask,
    /// What it did.
    pub effect: Effect,
}

/// Executes the next instruction of a ready warp.
///
/// # Panics
/// When the warp does not exist or is done; ask [`Warp::status`](super::Warp::status) first.
#[inline]
pub fn step(
    launch: &Launch,
    global: &mut GlobalView,
    block: &mut Block,
    w: usize,
    access: &mut Access,
) -> Result<Step, Box<Fault>> {
    let kernel = launch.kernel();
    let index = block.index();
    let warp = &mut block.warps[w];
    let Some((pc, active)) = warp.stack.top() else {
        panic!("warp {w} is done and cannot be stepped");
    };
    let inst = &kernel.insts[pc as usize];
    warp.executed += 1;
    let mut l = Lanes { regs: &mut warp.regs, constants: &kernel.constants, mask: active };
    if let Some(guard) = inst.guard {
        l.mask = LaneMask(active.0 & l.pred(guard));
    }
    let executed = l.mask;
    let done = |effect| Ok(Step { pc, active, executed, effect });
    let clock = global.cycle().unwrap_or(warp.executed);
    if executed.is_empty() && !matches!(inst.op, Op::Bra { .. }) {
        warp.stack.advance();
        return done(Effect::Register);
    }
    let mut memories = Memories {
        global,
        shared: &mut block.shared,
        local: &mut warp.local,
        constant: &launch.module().image.constant,
        params: &launch.params,
    };
    let effect = match &inst.op {
        Op::Bra { target, reconverge } => {
            warp.stack.branch(executed, *target, *reconverge);
            return done(Effect::Branch(executed));
        }
        Op::Ld(_) | Op::St(_) | Op::Atom(_) | Op::Tex(_) => {
            match reach(&inst.op, &mut l, &mut memories, launch, access) {
                Ok(()) => Effect::Memory,
                Err(Refusal::Busy) => {
                    warp.executed -= 1;
                    return done(Effect::Busy);
                }
                Err(Refusal::Bad(bad)) => {
                    let place = (pc, index, w);
                    return Err(Fault::of_address(launch, memories.global.memory(), bad, place));
                }
            }
        }
        Op::Fence => Effect::Fence,
        Op::Exit => {
            warp.live = LaneMask(warp.live.0 & !executed.0);
            warp.stack.exit(executed);
            if warp.live.is_empty() {
                warp.status = WarpStatus::Done;
                release_barriers(block);
            }
            return done(Effect::Exit(executed));
        }
        Op::Trap => {
            let lane = executed.lowest().unwrap_or(0) as u32;
            let hint = "the kernel asked to stop: an assertion, or code marked unreachable";
            let fault = Fault::new(launch, FaultKind::Trap, pc, index, hint);
            return Err(fault.of_thread(launch.thread_index(w as u32 * 32 + lane)));
        }
        &Op::Bar { kind, id, threads } => {
            let bar = arrive(block, w, executed, kind, id, threads, &kernel.constants)
                .map_err(|hint| Fault::new(launch, FaultKind::BadBarrier, pc, index, hint))?;
            return done(Effect::Barrier(bar));
        }
        &Op::Shfl { mode, d, p, a, b, c } => {
            exchange::shfl(&mut l, mode, d, p, [a, b, c]);
            Effect::Register
        }
        &Op::Vote { mode, d, p } => {
            exchange::vote(&mut l, mode, d, p);
            Effect::Register
        }
        &Op::ActiveMask { d } => {
            l.write(d, &[active.0; 32]);
            Effect::Register
        }
        &Op::Clock { d } => {
            match d.class() {
                Class::Long => l.write(d, &[clock; 32]),
                _ => l.write(d, &[clock as u32; 32]),
            }
            Effect::Register
        }
        op => {
            alu::execute(op, &mut l);
            Effect::Register
        }
    };
    warp.stack.advance();
    done(effect)
}

/// Executes an instruction that reaches memory and notes where.
#[inline(always)]
fn reach(
    op: &Op,
    l: &mut Lanes,
    memories: &mut Memories,
    launch: &Launch,
    access: &mut Access,
) -> Result<(), Refusal> {
    let executed = l.mask;
    match op {
        Op::Ld(load) => {
            memory::addresses(l, &load.address, &mut access.addresses);
            note(access, AccessKind::Load, load.address.space, executed);
            access.bytes = load.ty.bytes() * u32::from(load.count);
            memory::load(l, load, memories, &access.addresses)
        }
        Op::St(store) => {
            memory::addresses(l, &store.address, &mut access.addresses);
            note(access, AccessKind::Store, store.address.space, executed);
            access.bytes = store.ty.bytes() * u32::from(store.count);
            memory::store(l, store, memories, &access.addresses)
        }
        Op::Atom(atomic) => {
            memory::addresses(l, &atomic.address, &mut access.addresses);
            note(access, AccessKind::Atomic, atomic.address.space, executed);
            access.bytes = atomic.ty.bytes();
            memory::atomic(l, atomic, memories, &access.addresses)
        }
        Op::Tex(tex) => {
            let bindings = Bindings { textures: &launch.textures, references: &launch.references };
            note(access, AccessKind::Texture, Space::Global, executed);
            let (global, addresses) = (memories.global.memory(), &mut access.addresses);
            access.bytes = memory::fetch(l, tex, bindings, global, addresses)?;
            Ok(())
        }
        _ => unreachable!("only memory instructions are given here"),
    }
}

/// Puts what a deferred atomic found into the registers of the warp that asked for it.
pub fn deliver_atomic(block: &mut Block, w: usize, result: &AtomicResult) {
    let constants = Constants::default();
    let regs = &mut block.warps[w].regs;
    let mut l = Lanes { regs, constants: &constants, mask: result.lanes };
    memory::deliver(&mut l, &result.atomic, &result.old);
}

#[inline(always)]
fn note(access: &mut Access, kind: AccessKind, space: Space, lanes: LaneMask) {
    access.kind = kind;
    access.lanes = lanes;
    access.space = match (space, lanes.lowest()) {
        (Space::Generic, Some(lane)) => space_of(access.addresses[lane]),
        _ => space,
    };
}

/// A warp arrives at a barrier; the error is a hint.
fn arrive(
    block: &mut Block,
    w: usize,
    executed: LaneMask,
    kind: BarrierKind,
    id: Reg,
    threads: Option<Reg>,
    constants: &Constants,
) -> Result<u8, String> {
    let warp = &mut block.warps[w];
    let lane = executed.lowest().unwrap_or(0);
    let l = Lanes { regs: &mut warp.regs, constants, mask: executed };
    let number = l.get::<u32>(id, lane);
    if number as usize >= BARRIERS {
        return Err(format!("barrier {number} does not exist; a block has {BARRIERS}"));
    }
    let expected = match threads.map(|t| l.get::<u32>(t, lane)) {
        Some(threads) if threads == 0 || threads % 32 != 0 => {
            return Err(format!("{threads} threads; the count must be a multiple of 32"));
        }
        Some(threads) => Some(threads / 32),
        None => None,
    };
    let mut result = None;
    if let BarrierKind::Reduce { op, d, p } = kind {
        let ones = (l.pred(p) & executed.0).count_ones();
        block.barriers.contribute(number as usize, executed.count(), ones);
        result = Some((op, d));
    }
    let waits =
        (kind != BarrierKind::Arrive).then_some(Waiting { warp: w, lanes: executed, result });
    if waits.is_some() {
        warp.status = WarpStatus::AtBarrier(number as u8);
    }
    warp.stack.advance();
    block.barriers.arrive(number as usize, expected, waits);
    release_barriers(block);
    Ok(number as u8)
}

/// Wakes the warps of every barrier that is complete.
fn release_barriers(block: &mut Block) {
    let running = block.warps.iter().filter(|warp| warp.status != WarpStatus::Done).count() as u32;
    while let Some(release) = block.barriers.complete(running) {
        for waiting in &release.waiting {
            let warp = &mut block.warps[waiting.warp];
            warp.status = WarpStatus::Ready;
            let Some((reduce, d)) = waiting.result else {
                continue;
            };
            let value = release.value(reduce);
            let lanes = warp.stack.top().map_or(LaneMask::NONE, |top| top.1);
            let constants = Constants::default();
            let mut l = Lanes { regs: &mut warp.regs, constants: &constants, mask: lanes };
            match d.class() {
                Class::Pred => l.write_pred(d, if value != 0 { u32::MAX } else { 0 }),
                _ => l.write(d, &[value; 32]),
            }
        }
    }
}
