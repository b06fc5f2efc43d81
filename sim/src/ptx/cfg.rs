//! Basic blocks, their successors, and immediate post-dominators as reconvergence points.
//!
//! Lanes that part at a branch meet again at the first instruction every path to the end passes through.
//! A guarded `exit` does not end its block's path: the lanes that leave are gone and cannot meet anyone, so
//! the others keep their reconvergence point. Post-dominators are found with the iterative algorithm of Cooper,
//! Harvey and Kennedy on the reversed graph.

use super::ir::{Inst, Op};

/// The graph of a kernel: blocks in program order and one virtual end.
#[derive(Debug)]
pub struct Cfg {
    /// First instruction of each block.
    pub starts: Vec<u32>,
    /// Successors of each block; the virtual end is number `starts.len()`.
    pub successors: Vec<Vec<u32>>,
}

impl Cfg {
    /// Cuts the code into blocks.
    pub fn new(insts: &[Inst]) -> Cfg {
        let mut leader = vec![false; insts.len() + 1];
        leader[0] = true;
        for (pc, inst) in insts.iter().enumerate() {
            match inst.op {
                Op::Bra { target, .. } => {
                    leader[target as usize] = true;
                    leader[pc + 1] = true;
                }
                Op::Exit | Op::Trap => leader[pc + 1] = true,
                _ => {}
            }
        }
        let starts: Vec<u32> = (0..insts.len() as u32).filter(|&pc| leader[pc as usize]).collect();
        let mut block_of = vec![0u32; insts.len()];
        for (block, window) in bounds(&starts, insts.len()).enumerate() {
            block_of[window].fill(block as u32);
        }
        let end = starts.len() as u32;
        let block_at = |pc: usize| block_of.get(pc).copied().unwrap_or(end);
        let successors = bounds(&starts, insts.len())
            .map(|range| {
                let next = block_at(range.end);
                let last = &insts[range.end - 1];
                match (&last.op, last.guard) {
                    (Op::Bra { target, .. }, None) => vec![block_at(*target as usize)],
                    (Op::Bra { target, .. }, Some(_)) => vec![block_at(*target as usize), next],
                    (Op::Exit | Op::Trap, None) => vec![end],
                    _ => vec![next],
                }
            })
            .collect();
        Cfg { starts, successors }
    }

    /// The immediate post-dominator of each block; `None` when only the end post-dominates it, or when
    /// it never reaches the end.
    pub fn post_dominators(&self) -> Vec<Option<u32>> {
        let end = self.starts.len();
        let mut predecessors = vec![Vec::new(); end + 1];
        for (block, successors) in self.successors.iter().enumerate() {
            for &successor in successors {
                predecessors[successor as usize].push(block as u32);
            }
        }
        let order = reverse_post_order(&predecessors, end);
        let mut rank = vec![usize::MAX; end + 1];
        for (position, &block) in order.iter().enumerate() {
            rank[block as usize] = position;
        }
        let mut idom: Vec<Option<u32>> = vec![None; end + 1];
        idom[end] = Some(end as u32);
        let mut changed = true;
        while changed {
            changed = false;
            for &block in order.iter().skip(1) {
                let mut new = None;
                for &successor in &self.successors[block as usize] {
                    if idom[successor as usize].is_none() {
                        continue;
                    }
                    new = Some(match new {
                        None => successor,
                        Some(other) => intersect(&idom, &rank, other, successor),
                    });
                }
                if idom[block as usize] != new {
                    idom[block as usize] = new;
                    changed = true;
                }
            }
        }
        idom.truncate(end);
        idom.into_iter().map(|block| block.filter(|&b| b != end as u32)).collect()
    }
}

fn bounds(starts: &[u32], len: usize) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
    let ends = starts.iter().skip(1).map(|&s| s as usize).chain(std::iter::once(len));
    starts.iter().map(|&s| s as usize).zip(ends).map(|(start, end)| start..end)
}

/// Reverse post-order of the reversed graph, the end first; blocks that never reach the end are left out.
fn reverse_post_order(predecessors: &[Vec<u32>], end: usize) -> Vec<u32> {
    let mut seen = vec![false; end + 1];
    let mut order = Vec::new();
    let mut stack = vec![(end as u32, 0usize)];
    seen[end] = true;
    while let Some((block, next)) = stack.pop() {
        match predecessors[block as usize].get(next) {
            Some(&predecessor) => {
                stack.push((block, next + 1));
                if !std::mem::replace(&mut seen[predecessor as usize], true) {
                    stack.push((predecessor, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    order
}

fn intersect(idom: &[Option<u32>], rank: &[usize], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        let deeper = if rank[a as usize] > rank[b as usize] { &mut a } else { &mut b };
        // Both chains lead to the end, whose rank is zero, so the walk stops there at the latest.
        match idom[*deeper as usize] {
            Some(up) => *deeper = up,
            None => break,
        }
    }
    a
}

/// Writes the reconvergence point of every branch into the branch.
pub fn reconverge(insts: &mut [Inst]) {
    if insts.is_empty() {
        return;
    }
    let cfg = Cfg::new(insts);
    let post = cfg.post_dominators();
    for (block, range) in bounds(&cfg.starts, insts.len()).enumerate() {
        if let Op::Bra { reconverge, .. } = &mut insts[range.end - 1].op {
            *reconverge = post[block].map_or(Op::NEVER, |p| cfg.starts[p as usize]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::ir::{Class, PredSource, Reg};

    fn inst(op: Op, guarded: bool) -> Inst {
        let reg = Reg::register(Class::Pred, 0);
        Inst { guard: guarded.then_some(PredSource { reg, negated: false }), op, line: 1 }
    }

    fn bra(target: u32, guarded: bool) -> Inst {
        inst(Op::Bra { target, reconverge: Op::NEVER }, guarded)
    }

    fn points(mut insts: Vec<Inst>) -> Vec<u32> {
        reconverge(&mut insts);
        let point = |i: &Inst| match i.op {
            Op::Bra { reconverge, .. } => Some(reconverge),
            _ => None,
        };
        insts.iter().filter_map(point).collect()
    }

    #[test]
    fn an_if_else_meets_behind_both_arms() {
        let code = vec![
            bra(3, true),
            inst(Op::Fence, false),
            bra(4, false),
            inst(Op::Fence, false),
            inst(Op::Exit, false),
        ];
        assert_eq!(points(code), [4, 4]);
    }

    #[test]
    fn a_loop_meets_behind_its_exit() {
        let code = vec![inst(Op::Fence, false), bra(0, true), inst(Op::Exit, false)];
        assert_eq!(points(code), [2]);
    }

    #[test]
    fn a_guarded_exit_in_an_arm_keeps_the_meeting_point() {
        let code =
            vec![bra(2, true), inst(Op::Exit, true), inst(Op::Fence, false), inst(Op::Exit, false)];
        assert_eq!(points(code), [2]);
    }

    #[test]
    fn two_ends_and_endless_loops_never_meet() {
        let ends = vec![bra(2, true), inst(Op::Exit, false), inst(Op::Exit, false)];
        assert_eq!(points(ends), [Op::NEVER]);
        let endless = vec![inst(Op::Fence, false), bra(0, false)];
        assert_eq!(points(endless), [Op::NEVER]);
    }
}
