//! Physical registers for the virtual ones of PTX: liveness, then linear scan.
//!
//! PTX names as many registers as it likes; occupancy and register banks depend on how many a thread
//! really needs at once. Each virtual register gets the interval of instructions over which liveness
//! analysis says it may be needed, and intervals are packed first-fit in order of their start.
//! Predicates live in a file of their own and take none.

use crate::ptx::ir::{Class, Kernel, Op, Reg, Role};

/// Which physical registers a kernel's virtual ones occupy.
#[derive(Clone, Debug)]
pub struct Allocation {
    words: Vec<u16>,
    longs: Vec<u16>,
    registers: usize,
}

/// No physical register: never used.
const NONE: u16 = u16::MAX;

/// The first and last moment at which a register is needed. Instruction `n` reads at moment `2 * n` and
/// writes at `2 * n + 1`: what it reads last and what it writes first may share, two results may not.
#[derive(Clone, Copy)]
struct Interval {
    reg: Reg,
    from: usize,
    to: usize,
}

impl Allocation {
    /// Allocates the registers of a kernel.
    pub fn new(kernel: &Kernel) -> Self {
        let mut allocation = Allocation {
            words: vec![NONE; kernel.regs.words as usize],
            longs: vec![NONE; kernel.regs.longs as usize],
            registers: 0,
        };
        let mut intervals = intervals(kernel);
        intervals.sort_by_key(|i| (i.from, i.to, i.reg.index()));
        // The moment at which each physical register is free again.
        let mut free_at: Vec<usize> = vec![];
        for interval in intervals {
            let size = if interval.reg.class() == Class::Long { 2 } else { 1 };
            let is_free = |free_at: &[usize], r: usize| {
                (r..r + size).all(|r| free_at.get(r).is_none_or(|&at| at <= interval.from))
            };
            // A 64-bit value takes an aligned pair.
            let start = (0..).step_by(size).find(|&r| is_free(&free_at, r)).unwrap_or(0);
            if free_at.len() < start + size {
                free_at.resize(start + size, 0);
            }
            free_at[start..start + size].fill(interval.to + 1);
            match interval.reg.class() {
                Class::Long => allocation.longs[interval.reg.index()] = start as u16,
                _ => allocation.words[interval.reg.index()] = start as u16,
            }
        }
        allocation.registers = free_at.len().max(1);
        allocation
    }

    /// 32-bit registers a thread needs.
    pub fn registers(&self) -> usize {
        self.registers
    }

    /// The physical registers of a virtual one: none, one or a pair.
    pub fn physical(&self, reg: Reg) -> impl Iterator<Item = u16> {
        let (start, size) = match reg.class() {
            Class::Word => (self.words[reg.index()], 1),
            Class::Long => (self.longs[reg.index()], 2),
            Class::Pred => (NONE, 0),
        };
        let size = if start == NONE { 0 } else { size };
        (0..size).map(move |k| start + k)
    }
}

/// A set of registers, one bit each.
#[derive(Clone, PartialEq)]
struct Live(Vec<u64>);

impl Live {
    fn set(&mut self, bit: usize, value: bool) {
        let mask = 1 << (bit % 64);
        if value {
            self.0[bit / 64] |= mask;
        } else {
            self.0[bit / 64] &= !mask;
        }
    }

    fn merge(&mut self, other: &Live) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            changed |= *mine | theirs != *mine;
            *mine |= theirs;
        }
        changed
    }

    fn bits(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            std::iter::successors((word != 0).then_some(word), |w| {
                let rest = w & (w - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |w| at * 64 + w.trailing_zeros() as usize)
        })
    }
}

fn successors(kernel: &Kernel, at: usize) -> impl Iterator<Item = usize> {
    let inst = &kernel.insts[at];
    let (jump, falls) = match inst.op {
        Op::Bra { target, .. } => (Some(target as usize), inst.guard.is_some()),
        Op::Exit => (None, inst.guard.is_some()),
        _ => (None, true),
    };
    let next = (falls && at + 1 < kernel.insts.len()).then_some(at + 1);
    jump.into_iter().chain(next)
}

/// The interval of every register that is used at all.
fn intervals(kernel: &Kernel) -> Vec<Interval> {
    let words = kernel.regs.words as usize;
    let count = words + kernel.regs.longs as usize;
    let number = |reg: Reg| match reg.class() {
        Class::Word => Some(reg.index()),
        Class::Long => Some(words + reg.index()),
        Class::Pred => None,
    };
    let n = kernel.insts.len();
    let empty = Live(vec![0; count.div_ceil(64)]);
    let mut live_in = vec![empty.clone(); n];
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..n).rev() {
            let mut live = empty.clone();
            for next in successors(kernel, at) {
                live.merge(&live_in[next]);
            }
            let inst = &kernel.insts[at];
            // A guarded write leaves some lanes as they were.
            if inst.guard.is_none() {
                inst.visit(|role, reg| {
                    if let (Role::Write, Some(bit)) = (role, number(reg)) {
                        live.set(bit, false);
                    }
                });
            }
            inst.visit(|role, reg| {
                if let (Role::Read, Some(bit)) = (role, number(reg)) {
                    live.set(bit, true);
                }
            });
            changed |= live_in[at].merge(&live);
        }
    }
    let mut ranges: Vec<Option<(usize, usize)>> = vec![None; count];
    let mut extend = |bit: usize, moment: usize| {
        let range = ranges[bit].get_or_insert((moment, moment));
        *range = (range.0.min(moment), range.1.max(moment));
    };
    // Specials are set before the first instruction.
    for &(_, reg) in &kernel.specials {
        if let Some(bit) = number(reg) {
            extend(bit, 0);
        }
    }
    for (at, live) in live_in.iter().enumerate() {
        live.bits().for_each(|bit| extend(bit, 2 * at));
        kernel.insts[at].visit(|role, reg| {
            if let (Role::Write, Some(bit)) = (role, number(reg)) {
                extend(bit, 2 * at + 1);
            }
        });
    }
    ranges
        .into_iter()
        .enumerate()
        .filter_map(|(bit, range)| {
            let (from, to) = range?;
            let reg = if bit < words {
                Reg::register(Class::Word, bit as u32)
            } else {
                Reg::register(Class::Long, (bit - words) as u32)
            };
            Some(Interval { reg, from, to })
        })
        .collect()
}
