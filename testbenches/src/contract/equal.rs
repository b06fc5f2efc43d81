//! Model, stepped RTL and verilated export agree on every meaningful output of every cycle.

use std::cell::RefCell;

use lanewise_sim::units::{Io, Unit};
use proptest::test_runner::{TestCaseError, TestError};

use super::coverage::Coverage;
use super::registers::{Probed, Shared};
use super::sequence::{Sequence, Step, Steps};
use super::{Failure, Subject};
use crate::lockstep::{Alarm, Lockstep, Mismatch};
use crate::verilated::{Start, Verilated};

const CHECK: &str = "equal";

/// Runs all three in lockstep on generated stimulus with resets in the middle, then asks for coverage.
pub fn check<I: Io, O: Io>(subject: &Subject<'_, I, O>) -> Result<(), Failure> {
    let binding = subject.binding;
    let verilated = subject.verilated(CHECK)?;
    let registers = Shared::default();
    let coverage = RefCell::new(Coverage::new(binding));
    let first = RefCell::new(None);
    let sequence = Sequence {
        stimulus: binding.stimulus,
        length: binding.case_cycles,
        resets: (subject.build)().info().clocked,
    };
    let cases = subject.cycles.div_ceil(binding.case_cycles);
    let outcome = subject.runner(0, cases as u32).run(&sequence, |steps| {
        let lockstep =
            members(subject, &verilated, &registers, coverage.borrow().watches_registers())
                .map_err(|failure| TestCaseError::fail(failure.message))?;
        drive(lockstep, &steps, &registers, &mut coverage.borrow_mut()).map_err(|mismatch| {
            let text = mismatch.to_string();
            first.borrow_mut().get_or_insert(*mismatch);
            TestCaseError::fail(text)
        })
    });
    match outcome {
        Ok(()) => {}
        Err(TestError::Abort(reason)) => return Err(subject.failure(CHECK, reason)),
        Err(TestError::Fail(reason, steps)) => {
            let cycle = first.borrow().as_ref().map_or(0, |mismatch| mismatch.cycle);
            return Err(subject.failure(
                CHECK,
                format!(
                    "{reason}first seen in cycle {cycle} of a run from LANEWISE_SEED={}; \
                     these {} steps after reset suffice:\n{steps:?}",
                    subject.seed,
                    steps.0.len()
                ),
            ));
        }
    }
    let gaps = coverage.borrow().gaps(&registers.lock());
    if gaps.is_empty() {
        Ok(())
    } else {
        let message = format!("{} gaps\n  {}", gaps.len(), gaps.join("\n  "));
        Err(subject.failure("coverage", message))
    }
}

type Watched<I, O> = (Lockstep<I, O>, Alarm);

fn members<I: Io, O: Io>(
    subject: &Subject<'_, I, O>,
    verilated: &Verilated<I, O>,
    registers: &Shared,
    every_cycle: bool,
) -> Result<Watched<I, O>, Failure> {
    let alarm = Alarm::default();
    let rtl = Probed::new(subject.rtl(CHECK)?, registers, every_cycle);
    let lockstep = Lockstep::new(subject.binding.entry, "contract", &alarm)
        .with("model", (subject.binding.model)())
        .with("rtl", Box::new(rtl))
        .with("verilated", Box::new(verilated.unit(Start::Reset)));
    Ok((lockstep, alarm))
}

fn drive<I: Io, O: Io>(
    (mut lockstep, alarm): Watched<I, O>,
    steps: &Steps<I>,
    registers: &Shared,
    coverage: &mut Coverage<'_, I, O>,
) -> Result<(), Box<Mismatch>> {
    coverage.interrupt();
    for step in &*steps.0 {
        match step {
            Step::Reset => {
                lockstep.reset();
                coverage.interrupt();
            }
            Step::Cycle(inputs) => {
                let outputs = lockstep.eval(inputs);
                alarm.check()?;
                coverage.see(&outputs, &registers.lock());
                lockstep.tick();
            }
        }
    }
    Ok(())
}
