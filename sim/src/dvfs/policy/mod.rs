//! Policies: which P-state comes after an interval.

mod predict;
mod steady;

pub use predict::Predict;
pub use steady::Steady;

use super::objective::Outlook;
use super::{objective, predictor, Activity, DvfsConfig, Objective, PState, Power, Predictor};
use crate::crisp::prediction::Rescale;
use crate::crisp::Reading;
use crate::machine::config::{MachineConfig, Mechanism};

/// What a controller wants, and what it knows of the machine.
#[derive(Clone)]
pub struct Goal {
    /// P-states and bounds.
    pub config: DvfsConfig,
    /// What P-states cost.
    pub power: Power,
    /// How it foresees run time.
    pub predictor: &'static dyn Predictor,
    /// What it wants least of.
    pub objective: &'static dyn Objective,
}

/// A goal that a machine cannot have, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalError(String);

impl std::fmt::Display for GoalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for GoalError {}

impl GoalError {
    /// There is none of that name.
    pub(super) fn unknown<'a>(
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'a str>,
    ) -> GoalError {
        let known: Vec<&str> = known.collect();
        GoalError(format!("there is no {what} '{name}'; known: {}", known.join(", ")))
    }
}

impl Goal {
    /// The goal that a machine's description names.
    pub fn of(machine: &MachineConfig) -> Result<Goal, GoalError> {
        let dvfs = &machine.dvfs;
        let goal = Goal {
            config: dvfs.clone(),
            power: Power::new(&machine.power, machine.gpu.sms),
            predictor: predictor::known(&dvfs.predictor)?,
            objective: objective::known(&dvfs.objective)?,
        };
        let (core, fastest) = (machine.clocks.core_mhz, dvfs.highest_mhz);
        if core != f64::from(fastest) {
            return Err(GoalError(format!(
                "a controller starts at the fastest P-state; make clocks.core_mhz ({core}) and \
                 dvfs.highest_mhz ({fastest}) the same"
            )));
        }
        let rivals = goal.predictor.reads_rivals();
        let attached = |mechanism| machine.mechanisms.attach.contains(&mechanism);
        if attached(Mechanism::Crisp) && (attached(Mechanism::Rivals) || !rivals) {
            return Ok(goal);
        }
        Err(GoalError(format!(
            "the predictor '{}' reads counters that are not attached; add {} to mechanisms.attach",
            dvfs.predictor,
            if rivals { "crisp and rivals" } else { "crisp" }
        )))
    }

    /// What the next interval is predicted to take at every P-state, if it is like this one; fastest first.
    fn outlooks(&self, interval: &Interval) -> Vec<(PState, Outlook)> {
        let Interval { at, counted, did, .. } = interval;
        let outlook = |then: PState| {
            let change = Rescale { from_mhz: at.mhz, to_mhz: then.mhz };
            let stretch = self.predictor.stretch(counted, change);
            let energy = self.power.expected(did, *at, then, stretch, self.config.energy);
            Outlook { energy, time: did.seconds() * stretch }
        };
        self.config.pstates().into_iter().map(|state| (state, outlook(state))).collect()
    }

    /// What every P-state costs by the objective; `outlooks` has the fastest first.
    fn costs(&self, outlooks: &[(PState, Outlook)]) -> Vec<(PState, f64)> {
        let fastest = outlooks.first().map_or(0.0, |(_, outlook)| outlook.time);
        let cost = |outlook: Outlook| self.objective.cost(outlook, fastest, &self.config);
        outlooks.iter().map(|(state, outlook)| (*state, cost(*outlook))).collect()
    }
}

/// An interval as it was.
#[derive(Clone, Copy, Debug)]
pub struct Interval<'a> {
    /// Where it ran.
    pub at: PState,
    /// What was counted, summed over SMs.
    pub counted: Reading,
    /// What was done.
    pub did: Activity,
    /// The kernel that ran at its end; another one may have before.
    pub ran: &'a str,
    /// The kernel that runs next; the same one if it goes on.
    pub coming: &'a str,
}

/// See the module's text.
pub trait Policy: Send {
    /// The P-state for the interval after this one.
    fn next(&mut self, goal: &Goal, interval: &Interval) -> PState;

    /// Whether it wants to be asked when another launch starts, however long it meant to rest.
    fn minds_launches(&self) -> bool {
        false
    }

    /// After how many of the controller's intervals it wants to be asked again.
    fn rest(&self) -> u32 {
        1
    }
}

/// The names of the policies, the paper's first.
const NAMES: [&str; 2] = ["predict", "steady"];

/// The policy of that name; else which ones there are.
pub(super) fn known(name: &str) -> Result<Box<dyn Policy>, GoalError> {
    match name {
        "predict" => Ok(Box::new(Predict)),
        "steady" => Ok(Box::<Steady>::default()),
        _ => Err(GoalError::unknown("policy", name, NAMES.into_iter())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(set: &[&str]) -> MachineConfig {
        let set: Vec<String> = set.iter().map(|item| item.to_string()).collect();
        MachineConfig::read("gtx480", &set).expect("it is shipped")
    }

    fn attached(mechanisms: &str, predictor: &str) -> MachineConfig {
        machine(&[
            &format!("mechanisms.attach={mechanisms}"),
            &format!("dvfs.predictor={predictor}"),
        ])
    }

    /// A goal on the shipped machine with every counter.
    pub fn goal(predictor: &str, objective: &str) -> Goal {
        let mut machine = attached("crisp,rivals", predictor);
        machine.dvfs.objective = objective.into();
        Goal::of(&machine).expect("they are known")
    }

    /// Ten microseconds at a clock in which so many of 100 cycles stall, all of them on CRISP's path.
    pub fn interval(at: PState, stalls: u64) -> Interval<'static> {
        let cycles = u64::from(at.mhz) * 150;
        let load_stalls = cycles * stalls / 100;
        let counted = Reading {
            cycles,
            t_lcp: cycles,
            light_lcp: cycles,
            load_stalls,
            active_cycles: cycles,
            stalls: load_stalls,
            stall: load_stalls,
            ..Reading::default()
        };
        let warp_instructions = cycles - load_stalls;
        let did = Activity {
            time: 10_000_000_000,
            sm_cycles: cycles,
            warp_instructions,
            thread_instructions: 32 * warp_instructions,
            ..Activity::default()
        };
        Interval { at, counted, did, ran: "kernel", coming: "kernel" }
    }

    #[test]
    fn a_predictor_without_its_counters_is_refused() {
        let refused = |mechanisms: &str, predictor: &str| {
            Goal::of(&attached(mechanisms, predictor)).err().map(|e| e.to_string())
        };
        assert_eq!(refused("crisp", "crisp"), None);
        assert_eq!(refused("crisp,rivals", "lead"), None);
        let remedy = "the predictor 'lead' reads counters that are not attached; add crisp and \
                      rivals to mechanisms.attach";
        assert_eq!(refused("crisp", "lead").as_deref(), Some(remedy));
        assert!(refused("lanes", "crisp")
            .is_some_and(|e| e.ends_with("add crisp to mechanisms.attach")));
    }

    #[test]
    fn a_machine_that_does_not_start_at_the_fastest_state_is_refused() {
        let slow = machine(&["mechanisms.attach=crisp", "clocks.core_mhz=600"]);
        let error = Goal::of(&slow).err().map(|e| e.to_string());
        assert!(error.is_some_and(|e| e.contains("clocks.core_mhz (600)")), "it names the key");
    }

    #[test]
    fn every_policy_has_its_name_and_an_unknown_one_is_answered_with_them() {
        assert!(NAMES.iter().all(|name| known(name).is_ok()));
        let answer = known("stedy").err().map(|e| e.to_string());
        assert_eq!(answer.as_deref(), Some("there is no policy 'stedy'; known: predict, steady"));
    }
}
