//! Checkers that look on at an SM and keep their own account, and proof that they notice what is wrong.

use lanewise_sim::machine::sm::decode::Unit;
use lanewise_sim::machine::sm::hooks::{Hooks, Issue};
use lanewise_sim::machine::sm::l1::CacheKind;
use lanewise_sim::ptx::ir::{Inst, Reg};
use lanewise_sim::ptx::Module;
use std::collections::HashMap;
use std::sync::Arc;

/// When a register's value will be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Due {
    At(u64),
    /// When the memory instruction at this program counter is complete.
    Load(u32),
}

/// No instruction issues before what it reads is there and what it writes is no longer to be written.
#[derive(Clone)]
pub struct Readiness {
    module: Arc<Module>,
    due: HashMap<(usize, Reg), Due>,
    /// What was wrong.
    pub faults: Vec<String>,
    /// Registers that were looked at.
    pub checked: u64,
}

impl Readiness {
    pub fn new(module: &Arc<Module>) -> Self {
        Readiness { module: module.clone(), due: HashMap::new(), faults: vec![], checked: 0 }
    }

    /// The instruction of an issue, found by program counter and line in whichever kernel has it.
    fn instruction(module: &Module, issue: &Issue) -> Option<Inst> {
        let at = issue.candidate.pc as usize;
        let found = module.kernels.iter().filter_map(|k| k.insts.get(at));
        found.into_iter().find(|inst| inst.line == issue.line).cloned()
    }
}

impl Hooks for Readiness {
    fn issued(&mut self, issue: &Issue) {
        let Some(inst) = Self::instruction(&self.module, issue) else {
            self.faults.push(format!("no instruction for {issue:?}"));
            return;
        };
        let warp = issue.candidate.warp;
        inst.visit(|_, reg| {
            self.checked += 1;
            let ready = match self.due.get(&(warp, reg)) {
                None => true,
                Some(Due::At(cycle)) => *cycle <= issue.cycle,
                Some(Due::Load(_)) => false,
            };
            if !ready {
                let text = format!("warp {warp}, line {}: {reg:?} is not ready", issue.line);
                self.faults.push(text);
            }
        });
        // No unit answers in the cycle in which it is asked; a load whose lanes all stay out is no load.
        let due = match issue.candidate.unit {
            Unit::Ldst if issue.executed.count() > 0 => Due::Load(issue.candidate.pc),
            _ => Due::At(issue.end.max(issue.cycle + 1)),
        };
        inst.visit(|role, reg| {
            if role == lanewise_sim::ptx::ir::Role::Write {
                self.due.insert((warp, reg), due);
            }
        });
    }

    fn memory_completed(&mut self, warp: usize, pc: u32, cycle: u64) {
        for ((w, _), due) in &mut self.due {
            if *w == warp && *due == Due::Load(pc) {
                *due = Due::At(cycle);
            }
        }
    }
}

/// Every memory instruction completes exactly once, and every miss register taken is freed once.
#[derive(Clone, Default)]
pub struct Answers {
    open: HashMap<(usize, u32), u64>,
    misses: HashMap<(CacheKind, usize), u64>,
    /// What was wrong.
    pub faults: Vec<String>,
    /// Memory instructions and misses that were answered.
    pub answered: u64,
}

impl Answers {
    /// What is still open.
    pub fn left(&self) -> u64 {
        self.open.values().sum::<u64>() + self.misses.values().sum::<u64>()
    }
}

impl Hooks for Answers {
    fn issued(&mut self, issue: &Issue) {
        if issue.candidate.unit == Unit::Ldst && issue.executed.count() > 0 {
            *self.open.entry((issue.candidate.warp, issue.candidate.pc)).or_default() += 1;
        }
    }

    fn memory_completed(&mut self, warp: usize, pc: u32, _cycle: u64) {
        match self.open.get_mut(&(warp, pc)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                self.answered += 1;
            }
            _ => self.faults.push(format!("warp {warp}, pc {pc}: an answer nobody waits for")),
        }
    }

    fn miss(&mut self, cache: CacheKind, slot: usize, starts: bool, _cycle: u64) {
        let taken = self.misses.entry((cache, slot)).or_default();
        match (starts, *taken) {
            (true, 0) => *taken = 1,
            (false, 1) => {
                *taken = 0;
                self.answered += 1;
            }
            _ => self.faults.push(format!("{cache:?} miss register {slot}: taken or freed twice")),
        }
    }
}

mod seeded {
    //! Streams of events with a bug.

    use super::*;
    use lanewise_sim::exec::LaneMask;
    use lanewise_sim::machine::sm::decode::SpPipe;
    use lanewise_sim::machine::sm::hooks::Candidate;

    const TEXT: &str = ".version 6.3\n.target sm_70\n.address_size 64\n\
        .visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<4>; .reg .b64 %rd<2>;\n\
        ld.param.u64 %rd1, [p];\nadd.s32 %r1, %r1, 1;\nadd.s32 %r2, %r1, 1;\n\
        ld.global.u32 %r3, [%rd1];\nret;\n}\n";

    fn issue(pc: u32, cycle: u64, unit: Unit) -> Issue {
        let candidate = Candidate { warp: 3, pc, unit, sp: 0, active: LaneMask::ALL };
        Issue {
            candidate,
            line: 7 + pc,
            executed: LaneMask::ALL,
            cycle,
            start: cycle + 2,
            end: cycle + 6,
            occupies: 1,
        }
    }

    fn readiness() -> Readiness {
        Readiness::new(&Arc::new(Module::load("seeded.ptx", TEXT).expect("it is right")))
    }

    const INT: Unit = Unit::Sp(SpPipe::Int);

    #[test]
    fn an_issue_a_cycle_early_is_noticed() {
        for (second, faults) in [(16, 0), (15, 1)] {
            let mut checker = readiness();
            checker.issued(&issue(1, 10, INT));
            checker.issued(&issue(2, second, INT));
            assert_eq!(checker.faults.len(), faults, "{:?}", checker.faults);
        }
    }

    #[test]
    fn an_issue_before_its_load_is_complete_is_noticed() {
        for complete in [true, false] {
            let mut checker = readiness();
            checker.issued(&issue(0, 10, Unit::Ldst));
            if complete {
                checker.memory_completed(3, 0, 40);
            }
            checker.issued(&issue(3, 40, Unit::Ldst));
            assert_eq!(checker.faults.is_empty(), complete, "{:?}", checker.faults);
        }
    }

    #[test]
    fn an_overwrite_of_a_pending_result_is_noticed() {
        let mut checker = readiness();
        checker.issued(&issue(1, 10, INT));
        checker.issued(&issue(1, 12, INT));
        assert!(!checker.faults.is_empty());
    }

    #[test]
    fn an_instruction_of_no_kernel_is_noticed() {
        let mut checker = readiness();
        checker.issued(&issue(77, 10, INT));
        assert_eq!(checker.faults.len(), 1);
    }

    #[test]
    fn a_second_answer_and_a_missing_one_are_noticed() {
        let mut twice = Answers::default();
        twice.issued(&issue(3, 1, Unit::Ldst));
        twice.memory_completed(3, 3, 50);
        assert_eq!((twice.faults.len(), twice.left()), (0, 0));
        twice.memory_completed(3, 3, 51);
        assert_eq!(twice.faults.len(), 1);
        let mut never = Answers::default();
        never.issued(&issue(3, 1, Unit::Ldst));
        assert_eq!(never.left(), 1);
    }

    #[test]
    fn a_miss_register_taken_or_freed_twice_is_noticed() {
        for again in [true, false] {
            let mut checker = Answers::default();
            checker.miss(CacheKind::Data, 5, true, 1);
            if !again {
                checker.miss(CacheKind::Data, 5, false, 2);
                assert!(checker.faults.is_empty());
            }
            checker.miss(CacheKind::Data, 5, again, 3);
            assert_eq!(checker.faults.len(), 1);
        }
    }
}
