//! The machines of the study, by name: each a list of values that `cosim run --set` takes as they stand.

use serde::Serialize;

/// A machine: a name, and what it sets in the description of the base machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Machine {
    /// Its name in tables and plots.
    pub name: String,
    /// `section.key=value`.
    pub set: Vec<String>,
}

impl Machine {
    fn new(name: &str, set: &[&str]) -> Machine {
        Machine { name: name.into(), set: set.iter().map(ToString::to_string).collect() }
    }

    /// The same machine with another value.
    pub fn with(&self, set: &str) -> Machine {
        let mut machine = self.clone();
        machine.set.push(set.into());
        machine
    }

    /// What `cosim run` needs to be this machine.
    pub fn command(&self) -> String {
        let options: Vec<String> = self.set.iter().map(|set| format!("--set {set}")).collect();
        options.join(" ")
    }
}

/// Two-level scheduler, nothing gated: what the others are compared with.
pub fn baseline() -> Machine {
    Machine::new("two-level", &["sm.scheduler=two-level"])
}

/// Two-level scheduler, every lane gated when it has been idle.
pub fn conventional() -> Machine {
    Machine::new("conventional", &["sm.scheduler=two-level", "mechanisms.attach=gating"])
}

/// Greedy then oldest, nothing gated.
pub fn gto() -> Machine {
    Machine::new("gto", &["sm.scheduler=gto"])
}

/// GATES, blackout and adaptive idle detect; a pipeline of an SP is gated as a whole.
pub fn warped_gates() -> Machine {
    Machine::new(
        "warped-gates",
        &[
            "sm.scheduler=two-level",
            "mechanisms.attach=types,gating",
            "mechanisms.gating.blackout=true",
            "mechanisms.gating.adaptive_idle_detect=true",
            "mechanisms.gating.granularity=unit",
        ],
    )
}

/// Two-level scheduler and warp folding with eager gating.
pub fn folding() -> Machine {
    let attach = "mechanisms.attach=lanes,gating,folding";
    Machine::new("folding", &["sm.scheduler=two-level", attach])
}

/// Folding and the Origami scheduler.
pub fn origami() -> Machine {
    let attach = "mechanisms.attach=lanes,gating,folding,types,groups";
    Machine::new("origami", &["sm.scheduler=two-level", attach])
}

/// The order of types alone, for its bubbles.
pub fn gates() -> Machine {
    Machine::new("gates", &["sm.scheduler=two-level", "mechanisms.attach=types"])
}

/// The six machines that are compared, the baseline first.
pub fn compared() -> Vec<Machine> {
    vec![baseline(), gto(), conventional(), warped_gates(), folding(), origami()]
}

/// Conventional gating whose lanes wait for instructions, not instructions for lanes (ours).
pub fn look_ahead() -> Machine {
    let mut machine = conventional();
    machine.name = "look-ahead".into();
    machine.with("mechanisms.gating.look_ahead=true")
}

/// Origami with look-ahead (ours): what does not fold pays for no stage, and an SM folds only
/// while it waits for memory and has little to issue.
pub fn tempered() -> Machine {
    let mut machine = origami();
    machine.name = "tempered".into();
    machine
        .with("mechanisms.gating.look_ahead=true")
        .with("mechanisms.lanes.bypass=true")
        // Calibrations: our SMs issue 1.1 instructions a cycle at most, so that 90 % of two is never reached.
        .with("mechanisms.folding.miss_percent=100")
        .with("mechanisms.folding.adaptive_off_percent=5")
}
