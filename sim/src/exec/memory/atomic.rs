//! Atomics: lanes take their turns, lowest first.

use super::access::offsets;
use super::{BadAddress, BadReason, Memories, Refusal};
use crate::exec::alu::float::{canonical, canonical32, flush};
use crate::exec::regs::Lanes;
use crate::ptx::ir::{Atomic, AtomicOp, Class, Reg};
use crate::ptx::{Space, Type};

/// Executes an `atom` or `red` in the lanes of `l`.
pub fn atomic(
    l: &mut Lanes,
    atomic: &Atomic,
    memories: &mut Memories,
    addresses: &[u64; 32],
) -> Result<(), Refusal> {
    let size = atomic.ty.bytes() as usize;
    let mut old = [0u64; 32];
    let (space, bytes) = (atomic.address.space, atomic.ty.bytes());
    let mut left = l.mask;
    while let Some((region, inside)) = memories.next_region(space, addresses, bytes, &mut left)? {
        let offsets = offsets(region, addresses);
        let b = std::array::from_fn(|lane| operand(l, atomic.b, lane));
        let c = atomic.c.map_or([0; 32], |c| std::array::from_fn(|lane| operand(l, c, lane)));
        if let Some(pending) = memories.pending_mut(region) {
            pending.defer(atomic, inside, offsets, b, c);
            continue;
        }
        let shared = region.space == Space::Shared;
        let Some(memory) = memories.bytes_mut(region) else {
            let lane = inside.lowest().unwrap_or(0);
            return Err(BadAddress::new(space, addresses, lane, bytes, BadReason::ReadOnly).into());
        };
        for lane in inside.lanes() {
            let cell = &mut memory[offsets[lane]..offsets[lane] + size];
            old[lane] = exchange(atomic, shared, cell, b[lane], c[lane]);
        }
    }
    deliver(l, atomic, &old);
    Ok(())
}

/// Puts what an atomic found into its destination.
pub fn deliver(l: &mut Lanes, atomic: &Atomic, old: &[u64; 32]) {
    let Some(d) = atomic.d else { return };
    match d.class() {
        Class::Long => l.write(d, old),
        _ => l.write(d, &old.map(|old| old as u32)),
    }
}

/// Does one lane's operation on its cell and returns what was there.
pub(super) fn exchange(atomic: &Atomic, shared: bool, cell: &mut [u8], b: u64, c: u64) -> u64 {
    let mut raw = [0; 8];
    raw[..cell.len()].copy_from_slice(cell);
    let old = u64::from_le_bytes(raw);
    let new = update(atomic.op, atomic.ty, shared, old, b, c);
    cell.copy_from_slice(&new.to_le_bytes()[..cell.len()]);
    old
}

fn operand(l: &Lanes, reg: Reg, lane: usize) -> u64 {
    match reg.class() {
        Class::Long => l.get::<u64>(reg, lane),
        _ => u64::from(l.get::<u32>(reg, lane)),
    }
}

fn update(op: AtomicOp, ty: Type, shared: bool, old: u64, b: u64, c: u64) -> u64 {
    let signed = |x: u64| match ty {
        Type::S32 => i64::from(x as i32),
        _ => x as i64,
    };
    match op {
        AtomicOp::And => old & b,
        AtomicOp::Or => old | b,
        AtomicOp::Xor => old ^ b,
        AtomicOp::Exch => b,
        AtomicOp::Cas if old == b => c,
        AtomicOp::Cas => old,
        AtomicOp::Add => match ty {
            Type::F32 => u64::from(add_single(old as u32, b as u32, shared)),
            Type::F64 => canonical(f64::from_bits(old) + f64::from_bits(b)).to_bits(),
            _ => old.wrapping_add(b),
        },
        AtomicOp::Inc if old >= b => 0,
        AtomicOp::Inc => old + 1,
        AtomicOp::Dec if old == 0 || old > b => b,
        AtomicOp::Dec => old - 1,
        AtomicOp::Min if ty.is_signed() => signed(old).min(signed(b)) as u64,
        AtomicOp::Min => old.min(b),
        AtomicOp::Max if ty.is_signed() => signed(old).max(signed(b)) as u64,
        AtomicOp::Max => old.max(b),
    }
}

/// Subnormals are flushed in global memory and kept in shared memory, as the ISA says.
fn add_single(old: u32, b: u32, shared: bool) -> u32 {
    let (old, b) = (f32::from_bits(old), f32::from_bits(b));
    let sum = if shared { old + b } else { flush(flush(old) + flush(b)) };
    canonical32(sum).to_bits()
}
