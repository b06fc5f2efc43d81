//! Physical registers: no value is overwritten while it is needed, on any way through a kernel.

use super::harness::{job, KERNELS};
use lanewise_sim::machine::registers::Allocation;
use lanewise_sim::ptx::ir::{Class, Kernel, Op, Reg, Role};
use lanewise_sim::ptx::Module;
use std::collections::{HashMap, HashSet};

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn coin(&mut self) -> bool {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 63 != 0
    }
}

/// Walks through a kernel at random and remembers which virtual register each physical one holds; says where
/// a register is read that holds another's value.
fn walk(
    kernel: &Kernel,
    physical: impl Fn(Reg) -> Vec<u16>,
    dice: &mut Dice,
) -> Result<(), String> {
    let mut holds: HashMap<u16, Reg> = HashMap::new();
    let mut written: HashSet<Reg> = HashSet::new();
    for &(_, reg) in &kernel.specials {
        holds.extend(physical(reg).into_iter().map(|p| (p, reg)));
        written.insert(reg);
    }
    let mut pc = 0;
    for _ in 0..4000 {
        let Some(inst) = kernel.insts.get(pc) else { return Ok(()) };
        let mut wrong = None;
        let mut written_here: HashSet<u16> = HashSet::new();
        inst.visit(|role, reg| {
            // Lanes outside the guard keep what they have: a guarded write needs the old value too.
            let needs = role == Role::Read || inst.guard.is_some();
            if needs && written.contains(&reg) && physical(reg).iter().any(|p| holds[p] != reg) {
                wrong = Some(format!("{}, line {}: {reg:?} is lost", kernel.name, inst.line));
            }
        });
        inst.visit(|role, reg| {
            if role == Role::Write {
                for p in physical(reg) {
                    if !written_here.insert(p) && holds[&p] != reg {
                        wrong = Some(format!("line {}: two results in {p}", inst.line));
                    }
                    holds.insert(p, reg);
                }
                written.insert(reg);
            }
        });
        if let Some(message) = wrong {
            return Err(message);
        }
        pc = match inst.op {
            Op::Bra { target, .. } if inst.guard.is_none() || dice.coin() => target as usize,
            Op::Exit if inst.guard.is_none() => return Ok(()),
            _ => pc + 1,
        };
    }
    Ok(())
}

#[test]
fn no_value_is_lost_on_any_way_through_the_shipped_kernels() {
    let mut dice = Dice(1);
    for name in KERNELS {
        let job = job(name, "tiny1");
        for kernel in &job.module().kernels {
            let allocation = Allocation::new(kernel);
            for _ in 0..100 {
                walk(kernel, |reg| allocation.physical(reg).collect(), &mut dice)
                    .unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
            }
        }
    }
}

/// The registers of a body, given those it declares.
fn count(body: &str) -> usize {
    let text = format!(
        ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry k()\n{{\n\
         .reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .pred %p<5>;\n{body}\nret;\n}}\n"
    );
    let module = Module::load("registers.ptx", &text).unwrap_or_else(|e| panic!("{e}"));
    let kernel = &module.kernels[0];
    let allocation = Allocation::new(kernel);
    let mut dice = Dice(7);
    walk(kernel, |reg| allocation.physical(reg).collect(), &mut dice).unwrap();
    allocation.registers()
}

#[test]
fn small_kernels_take_what_they_need() {
    // A chain reuses one register.
    assert_eq!(count("mov.u32 %r1, 1;\nadd.s32 %r2, %r1, 1;\nadd.s32 %r3, %r2, 1;"), 1);
    // Two values live side by side.
    assert_eq!(count("mov.u32 %r1, 1;\nmov.u32 %r2, 2;\nadd.s32 %r3, %r1, %r2;"), 2);
    // A long takes an aligned pair: with a word before it, registers 0, 2 and 3.
    assert_eq!(
        count("mov.u32 %r1, 1;\nmov.u64 %rd1, 2;\ncvt.u32.u64 %r2, %rd1;\nadd.s32 %r3, %r1, %r2;"),
        4
    );
    // A value from before a loop that is read in it lives as long as the loop; the counter too.
    let in_loop =
        "mov.u32 %r1, 5;\nmov.u32 %r2, 9;\nL:\nadd.s32 %r3, %r2, 1;\nadd.s32 %r1, %r1, -1;\n\
                   setp.ne.s32 %p1, %r1, 0;\n@%p1 bra L;";
    assert_eq!(count(in_loop), 3);
    // A guarded write keeps the old value of the other lanes alive.
    let guarded =
        "mov.u32 %r1, 5;\nsetp.eq.s32 %p1, %r1, 5;\nmov.u32 %r2, 6;\n@%p1 mov.u32 %r1, 7;\n\
                   add.s32 %r3, %r1, %r2;";
    assert_eq!(count(guarded), 2);
    // Predicates have a file of their own.
    assert_eq!(count("mov.u32 %r1, 1;\nsetp.eq.s32 %p1, %r1, 1;\nsetp.eq.s32 %p2, %r1, 2;"), 1);
    // Two specials that are there from the start cannot share, though one is read at once and for good.
    assert_eq!(count("mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\nadd.s32 %r3, %r1, %r2;"), 2);
    // Two results of one instruction cannot share, though one is never read.
    assert_eq!(count("mov.u64 %rd1, 5;\nmov.b64 {%r1, %r2}, %rd1;\nadd.s32 %r3, %r2, 1;"), 2);
}

#[test]
fn the_walk_notices_registers_that_share() {
    let text =
        ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<4>;\n\
                mov.u32 %r1, 1;\nmov.u32 %r2, 2;\nadd.s32 %r3, %r1, %r2;\nret;\n}\n";
    let module = Module::load("share.ptx", text).unwrap();
    let everything_in_one = |reg: Reg| match reg.class() {
        Class::Pred => vec![],
        _ => vec![0],
    };
    let error = walk(&module.kernels[0], everything_in_one, &mut Dice(1)).unwrap_err();
    assert!(error.contains("is lost"), "{error}");
}
