//! What the pipeline needs to know of each instruction, worked out once a kernel.

use super::super::config::{LatencyConfig, Pipe, PipeClasses};
use super::super::registers::Allocation;
use crate::exec::LanePlan;
use crate::ptx::ir::{
    CarryArith, Class, CompareType, FloatBinary, FloatType, FloatUnary, Inst, IntBinary,
    IntTernary, Kernel, Op, Role,
};

/// The two pipelines of an SP lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpPipe {
    /// Integers, logic, moves, predicates, branches.
    Int,
    /// Floating point.
    Fp,
}

/// Where an instruction executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// One of the SP units.
    Sp(SpPipe),
    /// The special-function unit.
    Sfu,
    /// The load/store unit.
    Ldst,
}

/// How an instruction changes control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Not at all.
    Next,
    /// It may jump: nothing is fetched behind it until it has executed.
    Branch,
    /// It waits for other warps.
    Barrier,
    /// Some of its lanes may end.
    Exit,
}

/// An instruction as the pipeline sees it.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// Where it executes.
    pub unit: Unit,
    /// Latency and initiation interval there.
    pub pipe: Pipe,
    /// How it changes control.
    pub flow: Flow,
    /// Scoreboard numbers of what it reads and writes: neither may be pending at issue.
    pub hazards: Box<[u32]>,
    /// Scoreboard numbers of what it writes.
    pub writes: Box<[u32]>,
    /// Physical registers it reads, for bank conflicts; a pair for 64 bits.
    pub operands: Box<[u16]>,
    /// What lane units take and bring back; none if the instruction cannot go through them.
    pub lanes: Option<LanePlan>,
}

/// Instructions live above all data.
const CODE_BASE: u64 = 1 << 50;
/// Bytes that each kernel's instructions have to themselves.
const CODE_BYTES: u64 = 1 << 30;

/// A decoded kernel.
#[derive(Clone, Debug)]
pub struct Program {
    /// Address of its first instruction.
    pub base: u64,
    /// One entry an instruction.
    pub code: Vec<Decoded>,
    /// Scoreboard numbers in use.
    pub names: usize,
    /// 32-bit registers a thread needs.
    pub registers: usize,
}

impl Program {
    /// Decodes a kernel, the `index`th of its machine, whose virtual registers have been given physical ones.
    pub fn new(
        index: usize,
        kernel: &Kernel,
        allocation: &Allocation,
        latency: &LatencyConfig,
    ) -> Self {
        let counts = kernel.regs;
        let name = |reg: crate::ptx::ir::Reg| {
            let base = match reg.class() {
                Class::Word => 0,
                Class::Long => counts.words,
                Class::Pred => counts.words + counts.longs,
            };
            base + reg.index() as u32
        };
        let decode = |inst: &Inst| {
            let (mut hazards, mut writes, mut operands) = (vec![], vec![], vec![]);
            inst.visit(|role, reg| {
                hazards.push(name(reg));
                match role {
                    Role::Write => writes.push(name(reg)),
                    Role::Read => operands.extend(allocation.physical(reg)),
                }
            });
            hazards.sort_unstable();
            hazards.dedup();
            operands.sort_unstable();
            operands.dedup();
            let (unit, pipe, flow) = classify(&inst.op, latency);
            Decoded {
                unit,
                pipe,
                flow,
                hazards: hazards.into(),
                writes: writes.into(),
                operands: operands.into(),
                lanes: LanePlan::new(inst).filter(|_| matches!(unit, Unit::Sp(_))),
            }
        };
        Program {
            base: CODE_BASE + index as u64 * CODE_BYTES,
            code: kernel.insts.iter().map(decode).collect(),
            names: (counts.words + counts.longs + counts.preds) as usize,
            registers: allocation.registers(),
        }
    }
}

fn classify(op: &Op, latency: &LatencyConfig) -> (Unit, Pipe, Flow) {
    let int = |pipe| (Unit::Sp(SpPipe::Int), pipe, Flow::Next);
    let classes = |ty: FloatType| match ty {
        FloatType::F32 => &latency.f32,
        FloatType::F64 => &latency.f64,
    };
    let fp = |pipe| (Unit::Sp(SpPipe::Fp), pipe, Flow::Next);
    match op {
        Op::Int2 { f, .. } => int(int_pipe(*f, &latency.int)),
        Op::Int3 { f: IntTernary::Sad, .. } => int(latency.int.add),
        Op::Int3 { .. } => int(latency.int.mad),
        Op::Carry { f: CarryArith::MadLo | CarryArith::MadHi, .. } => int(latency.int.mad),
        Op::Float1 { f, ty, .. } => match f {
            FloatUnary::Neg | FloatUnary::Abs => fp(classes(*ty).add),
            FloatUnary::Rcp | FloatUnary::Sqrt => fp(classes(*ty).div),
            _ => (Unit::Sfu, latency.sfu, Flow::Next),
        },
        Op::Float2 { f, ty, .. } => fp(float_pipe(*f, classes(*ty))),
        Op::Fma { ty, .. } => fp(classes(*ty).mad),
        Op::Testp { ty, .. } => fp(classes(*ty).add),
        Op::Setp { comparison, .. } | Op::Set { comparison, .. } => match comparison.ty {
            CompareType::Int(_) => int(latency.int.add),
            CompareType::Float(ty) => fp(classes(ty).add),
        },
        Op::Ld(_) | Op::St(_) | Op::Atom(_) | Op::Tex(_) | Op::Fence => {
            (Unit::Ldst, Pipe { latency: 1, interval: 1 }, Flow::Next)
        }
        Op::Bra { .. } => (Unit::Sp(SpPipe::Int), latency.int.add, Flow::Branch),
        Op::Bar { .. } => (Unit::Sp(SpPipe::Int), latency.int.add, Flow::Barrier),
        Op::Exit | Op::Trap => (Unit::Sp(SpPipe::Int), latency.int.add, Flow::Exit),
        _ => int(latency.int.add),
    }
}

fn int_pipe(f: IntBinary, classes: &PipeClasses) -> Pipe {
    match f {
        IntBinary::MulLo | IntBinary::MulHi | IntBinary::MulWide => classes.mul,
        IntBinary::Div | IntBinary::Rem => classes.div,
        IntBinary::Min | IntBinary::Max => classes.max,
        _ => classes.add,
    }
}

fn float_pipe(f: FloatBinary, classes: &PipeClasses) -> Pipe {
    match f {
        FloatBinary::Mul => classes.mul,
        FloatBinary::Div | FloatBinary::DivApprox | FloatBinary::DivFull => classes.div,
        FloatBinary::Min | FloatBinary::Max | FloatBinary::MinNan | FloatBinary::MaxNan => {
            classes.max
        }
        _ => classes.add,
    }
}
