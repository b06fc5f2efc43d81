//! Bugs in a golden model.

use lanewise_sim::units::idle_counters::{IdleCounters, In, Out};
use lanewise_sim::units::Unit;
use lanewise_testbenches::bindings::idle_counters::binding;
use lanewise_testbenches::contract::{dependence, equal, reset, Binding, Subject};
use lanewise_testbenches::BoxedUnit;

use crate::expect_failure;

/// A model that differs from the real one in `eval`, `tick` or `reset`.
struct Twisted {
    model: IdleCounters,
    twist: Twist,
}

enum Twist {
    ThresholdOffByOne,
    ForgetsReset,
    CommitsOnEval,
    AnswersActive,
}

impl Unit for Twisted {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        match self.twist {
            Twist::ThresholdOffByOne => {
                let threshold = (inputs.cfg_threshold + 1).min(7);
                self.model.eval(&In { cfg_threshold: threshold, ..inputs.clone() })
            }
            Twist::CommitsOnEval => {
                let outputs = self.model.eval(inputs);
                self.model.tick();
                outputs
            }
            Twist::AnswersActive => {
                let Out { idle } = self.model.eval(inputs);
                Out { idle: idle & !inputs.active }
            }
            Twist::ForgetsReset => self.model.eval(inputs),
        }
    }

    fn tick(&mut self) {
        if !matches!(self.twist, Twist::CommitsOnEval) {
            self.model.tick();
        }
    }

    fn reset(&mut self) {
        if !matches!(self.twist, Twist::ForgetsReset) {
            self.model.reset();
        }
    }
}

fn twisted(twist: Twist) -> BoxedUnit<In, Out> {
    Box::new(Twisted { model: IdleCounters::default(), twist })
}

#[test]
fn a_model_off_by_one_differs_and_shrinks_to_few_steps() {
    let binding = Binding { model: || twisted(Twist::ThresholdOffByOne), ..binding() };
    let result = equal::check(&Subject::of(&binding).expect("a subject"));
    // The smallest proof: one cycle with a threshold that only the wrong model takes for unmet.
    expect_failure(result, "equal", &["idle", "in model  <--", "these 1 steps", "LANEWISE_SEED="]);
}

#[test]
fn a_model_that_forgets_its_reset_is_told_from_a_fresh_one() {
    let binding = Binding { model: || twisted(Twist::ForgetsReset), ..binding() };
    let subject = Subject::of(&binding).expect("a subject");
    expect_failure(reset::check(&subject), "reset", &["one reset edge", "in fresh model"]);
}

#[test]
fn an_eval_that_commits_is_impure() {
    let binding = Binding { model: || twisted(Twist::CommitsOnEval), ..binding() };
    let subject = Subject::of(&binding).expect("a subject");
    expect_failure(dependence::check(&subject), "purity", &["idle"]);
}

#[test]
fn a_dependence_of_one_back_end_is_a_difference() {
    let binding = Binding { model: || twisted(Twist::AnswersActive), ..binding() };
    let subject = Subject::of(&binding).expect("a subject");
    expect_failure(dependence::check(&subject), "purity", &["in model  <--"]);
}
