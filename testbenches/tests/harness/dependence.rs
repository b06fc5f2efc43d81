//! Field tables that claim too little or too much.

use lanewise_sim::units::idle_counters::{IdleCounters, In};
use lanewise_sim::units::Unit;
use lanewise_testbenches::contract::{dependence, Binding, Failure, Subject};
use lanewise_testbenches::stimulus::Source;
use lanewise_testbenches::{bindings, BoxedUnit};

use crate::expect_failure;

/// `idle_counters` with other claims about what its output follows.
macro_rules! claims {
    ($module:ident, $($from:ident),*) => {
        mod $module {
            use super::*;

            lanewise_sim::io! {
                /// The same inputs.
                pub struct ClaimIn {
                    /// as in the block
                    active: u32, 32;
                    /// as in the block
                    cfg_threshold: u8, 3;
                }
            }

            lanewise_sim::io! {
                /// The same output, another claim.
                pub struct ClaimOut {
                    /// as in the block
                    idle: u32, 32, from [$($from),*];
                }
            }

            struct Claim(IdleCounters);

            impl Unit for Claim {
                type In = ClaimIn;
                type Out = ClaimOut;
                fn eval(&mut self, &ClaimIn { active, cfg_threshold }: &ClaimIn) -> ClaimOut {
                    ClaimOut { idle: self.0.eval(&In { active, cfg_threshold }).idle }
                }
                fn tick(&mut self) {
                    self.0.tick();
                }
                fn reset(&mut self) {
                    self.0.reset();
                }
            }

            fn stimulus() -> Source<ClaimIn> {
                let mut source = (bindings::idle_counters::binding().stimulus)();
                Box::new(move |g| {
                    let In { active, cfg_threshold } = source(g);
                    ClaimIn { active, cfg_threshold }
                })
            }

            pub fn check() -> Result<(), Failure> {
                let model = || -> BoxedUnit<ClaimIn, ClaimOut> { Box::new(Claim(IdleCounters::default())) };
                let binding = Binding::new("idle_counters", model, stimulus);
                dependence::check(&Subject::of(&binding)?)
            }
        }
    };
}

claims!(honest, cfg_threshold);
claims!(too_few,);
claims!(too_many, active, cfg_threshold);

#[test]
fn from_must_list_every_input_that_shows_and_no_other() {
    honest::check().expect("the true claim holds");
    expect_failure(too_few::check(), "dependence", &["follows input cfg_threshold"]);
    expect_failure(too_many::check(), "dependence", &["never followed input active"]);
}
