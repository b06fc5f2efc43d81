//! One reset edge leads to the documented state, from power-up garbage and from anywhere a run leads.

use lanewise_sim::units::{Io, Unit};

use super::{Failure, Subject};
use crate::lockstep::{Alarm, Lockstep};
use crate::stimulus::Gen;
use crate::verilated::Start;
use crate::BoxedUnit;

const CHECK: &str = "reset";

/// States to reset from; each is another seed of the verilated block's power-up state.
const ROUNDS: u32 = 24;

/// Cycles over which a reset block is compared with a fresh model.
const PROBE: usize = 200;

/// Resets every back end in many states and compares it with a model that was never used.
pub fn check<I: Io, O: Io>(subject: &Subject<'_, I, O>) -> Result<(), Failure> {
    let verilated = subject.verilated(CHECK)?;
    let mut runner = subject.runner(1, 1);
    let mut g = Gen::new(&mut runner);
    for round in 0..ROUNDS {
        let members: [(&'static str, BoxedUnit<I, O>); 3] = [
            ("model", (subject.binding.model)()),
            ("rtl", Box::new(subject.rtl(CHECK)?)),
            ("verilated", Box::new(verilated.unit(Start::Random(round)))),
        ];
        let alarm = Alarm::default();
        let mut lockstep = Lockstep::new(subject.binding.entry, "reset", &alarm)
            .with("fresh model", (subject.binding.model)());
        // Every other round resets the power-up state itself, the rest where a run has led.
        let warm_up = if round % 2 == 0 { 0 } else { g.below(400) };
        let mut source = (subject.binding.stimulus)();
        let inputs: Vec<I> = (0..warm_up).map(|_| source(&mut g)).collect();
        for (name, mut unit) in members {
            for inputs in &inputs {
                unit.eval(inputs);
                unit.tick();
            }
            unit.reset();
            lockstep = lockstep.with(name, unit);
        }
        let mut source = (subject.binding.stimulus)();
        for _ in 0..PROBE {
            lockstep.eval(&source(&mut g));
            if let Some(mismatch) = alarm.raised() {
                return Err(subject.failure(
                    CHECK,
                    format!(
                        "{warm_up} cycles from power-up state {round}, then one reset edge, then \
                         {} cycles: {mismatch}",
                        mismatch.cycle
                    ),
                ));
            }
            lockstep.tick();
        }
    }
    Ok(())
}
