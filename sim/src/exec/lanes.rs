//! A lane-local instruction in three steps, for machines whose lanes are hardware: read, evaluate, write.
//!
//! [`step`](super::step()) does all three at once. A machine with lane units moves the operands to other lanes in
//! between, so it takes them as rows of 32 words and flags, and gives results back in the same form.

use super::alu;
use super::block::Block;
use super::launch::Launch;
use super::mask::LaneMask;
use super::regs::{Lanes, RegFile, Row};
use super::step::{Effect, Step};
use crate::ptx::ir::{Class, Inst, Op, Reg, Role};

/// What travels with the lanes: 32-bit rows, a pair for 64 bits, and one-bit rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rows {
    /// 32-bit rows; of a 64-bit register the low half comes first.
    pub words: Vec<Row<u32>>,
    /// Predicates and carries, one bit a lane.
    pub flags: Vec<u32>,
}

/// Which registers an instruction takes to the lanes and brings back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanePlan {
    reads: Box<[Reg]>,
    writes: Box<[Reg]>,
}

/// Rows of a list of registers: words and flags.
fn rows_of(registers: &[Reg]) -> (usize, usize) {
    registers.iter().fold((0, 0), |(words, flags), reg| match reg.class() {
        Class::Word => (words + 1, flags),
        Class::Long => (words + 2, flags),
        Class::Pred => (words, flags + 1),
    })
}

fn collect(regs: &RegFile, registers: &[Reg]) -> Rows {
    let mut rows = Rows::default();
    for &reg in registers {
        match reg.class() {
            Class::Word => rows.words.push(*regs.word(reg)),
            Class::Long => {
                let long = regs.long(reg);
                rows.words.push(long.map(|value| value as u32));
                rows.words.push(long.map(|value| (value >> 32) as u32));
            }
            Class::Pred => rows.flags.push(regs.pred_row(reg)),
        }
    }
    rows
}

fn spread(regs: &mut RegFile, registers: &[Reg], rows: &Rows, mask: LaneMask) {
    let (mut words, mut flags) = (rows.words.iter(), rows.flags.iter());
    for &reg in registers {
        match reg.class() {
            Class::Word => {
                let Some(row) = words.next() else { return };
                let own = regs.word_mut(reg);
                mask.lanes().for_each(|lane| own[lane] = row[lane]);
            }
            Class::Long => {
                let (Some(low), Some(high)) = (words.next(), words.next()) else { return };
                let own = regs.long_mut(reg);
                for lane in mask.lanes() {
                    own[lane] = u64::from(low[lane]) | u64::from(high[lane]) << 32;
                }
            }
            Class::Pred => {
                let Some(row) = flags.next() else { return };
                let own = regs.pred_row_mut(reg);
                *own = *own & !mask.0 | row & mask.0;
            }
        }
    }
}

impl LanePlan {
    /// The plan of an instruction; none if its lanes need each other, memory or control.
    pub fn new(inst: &Inst) -> Option<LanePlan> {
        if !is_lane_local(&inst.op) {
            return None;
        }
        let (mut reads, mut writes) = (vec![], vec![]);
        inst.visit_operands(|role, reg| {
            let list = if role == Role::Read { &mut reads } else { &mut writes };
            if !list.contains(&reg) {
                list.push(reg);
            }
        });
        Some(LanePlan { reads: reads.into(), writes: writes.into() })
    }

    /// 32-bit rows and flags that it takes along.
    pub fn sources(&self) -> (usize, usize) {
        rows_of(&self.reads)
    }

    /// 32-bit rows and flags that it brings back.
    pub fn results(&self) -> (usize, usize) {
        rows_of(&self.writes)
    }

    /// Reads the operands of all lanes.
    pub fn read(&self, block: &Block, w: usize) -> Rows {
        collect(&block.warps()[w].regs, &self.reads)
    }

    /// Evaluates the instruction in the lanes of `mask`, wherever their operands came from.
    ///
    /// `scratch` has the shape of the kernel's registers; what it holds does not matter.
    pub fn evaluate(
        &self,
        launch: &Launch,
        inst: &Inst,
        scratch: &mut RegFile,
        mask: LaneMask,
        operands: &Rows,
    ) -> Rows {
        spread(scratch, &self.reads, operands, LaneMask::ALL);
        let mut l = Lanes { regs: scratch, constants: &launch.kernel().constants, mask };
        let done = alu::execute(&inst.op, &mut l);
        debug_assert!(done, "only lane-local instructions have a plan");
        collect(scratch, &self.writes)
    }

    /// Writes results into the lanes of `mask`.
    pub fn write(&self, block: &mut Block, w: usize, mask: LaneMask, results: &Rows) {
        spread(&mut block.warps[w].regs, &self.writes, results, mask);
    }
}

/// Whether every lane's result depends on that lane's operands only.
fn is_lane_local(op: &Op) -> bool {
    !matches!(
        op,
        Op::Bra { .. }
            | Op::Exit
            | Op::Trap
            | Op::Bar { .. }
            | Op::Fence
            | Op::Ld(_)
            | Op::St(_)
            | Op::Atom(_)
            | Op::Tex(_)
            | Op::Shfl { .. }
            | Op::Vote { .. }
            | Op::ActiveMask { .. }
            | Op::Clock { .. }
    )
}

/// Takes a warp past a lane-local instruction without executing it; its results come later.
pub fn step_over(launch: &Launch, block: &mut Block, w: usize) -> Step {
    let kernel = launch.kernel();
    let warp = &mut block.warps[w];
    let Some((pc, active)) = warp.stack.top() else {
        panic!("warp {w} is done and cannot be stepped");
    };
    let inst = &kernel.insts[pc as usize];
    warp.executed += 1;
    let mut executed = active;
    if let Some(guard) = inst.guard {
        let l = Lanes { regs: &mut warp.regs, constants: &kernel.constants, mask: active };
        executed = LaneMask(active.0 & l.pred(guard));
    }
    warp.stack.advance();
    Step { pc, active, executed, effect: Effect::Register }
}
