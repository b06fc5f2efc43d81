//! Everything that was measured of one kernel, and what follows from it.

use super::points::{Launch, Measured, Spent};
use lanewise_sim::crisp::prediction::Rescale;
use lanewise_sim::crisp::Reading;
use lanewise_sim::dvfs::{Activity, DvfsConfig, PState, Power, Predictor};
use serde::Serialize;
use std::collections::BTreeMap;

/// A controller: what it is made of, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Rule {
    /// How it foresees run time.
    pub predictor: &'static str,
    /// What it wants least of.
    pub objective: &'static str,
    /// How it decides.
    pub policy: &'static str,
}

impl Rule {
    /// The paper's controller: it believes its predictor.
    pub const fn predict(predictor: &'static str, objective: &'static str) -> Rule {
        Rule { predictor, objective, policy: "predict" }
    }

    /// The same predictor and objective with a policy of ours.
    pub const fn with(self, policy: &'static str) -> Rule {
        Rule { policy, ..self }
    }

    /// Has a machine's description name it.
    pub fn name_in(&self, config: &mut DvfsConfig) {
        config.predictor = self.predictor.into();
        config.objective = self.objective.into();
        config.policy = self.policy.into();
    }

    /// Its name where the objective is clear.
    pub fn name(&self) -> String {
        match self.policy {
            "predict" => self.predictor.to_string(),
            policy => format!("{} with {policy}", self.predictor),
        }
    }
}

/// See the module's text.
#[derive(Serialize)]
pub struct Results {
    /// Its name.
    pub kernel: String,
    /// At the fastest P-state.
    pub base: Measured,
    /// At the other P-states, fastest first: frequency and what happened.
    pub fixed: Vec<(u32, Activity)>,
    /// Under each controller.
    #[serde(serialize_with = "by_name")]
    pub controlled: BTreeMap<Rule, Spent>,
    /// Under the oracle for EDP.
    pub oracle: Spent,
    /// On other machines.
    pub elsewhere: Vec<Elsewhere>,
}

/// The kernel on a machine whose interconnect is a little faster or slower.
#[derive(Serialize)]
pub struct Elsewhere {
    /// Cycles of its interconnect.
    pub latency_cycles: u64,
    /// At the fastest P-state.
    pub base: Spent,
    /// Under our controller.
    pub ours: Spent,
    /// Under the oracle.
    pub oracle: Spent,
}

fn by_name<S: serde::Serializer>(
    controlled: &BTreeMap<Rule, Spent>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let named = |rule: &Rule| format!("{} for {}", rule.name(), rule.objective);
    serializer.collect_map(controlled.iter().map(|(rule, spent)| (named(rule), spent)))
}

/// Shares of the time in which SMs had warps, in CRISP's four categories.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Breakdown {
    /// Computation that nothing hides.
    pub pure: f64,
    /// Computation under the load critical path.
    pub overlapped: f64,
    /// Load stalls.
    pub load: f64,
    /// Store stalls.
    pub store: f64,
}

impl Results {
    /// Seconds at the fastest P-state.
    pub fn time(&self) -> f64 {
        self.base.activity.seconds()
    }

    /// Time at another P-state over that at the fastest.
    pub fn stretch(&self, at: usize) -> f64 {
        self.fixed[at].1.seconds() / self.time()
    }

    /// A predictor's idea of [`Results::stretch`]: each launch by its own counters.
    pub fn predicted(&self, predictor: &dyn Predictor, at: usize, base_mhz: u32) -> f64 {
        let change = Rescale { from_mhz: base_mhz, to_mhz: self.fixed[at].0 };
        let time = |launch: &Launch| launch.time * predictor.stretch(&launch.reading, change);
        self.base.launches.iter().map(time).sum::<f64>() / self.time()
    }

    /// A predictor's error at a P-state in percent.
    pub fn error(&self, predictor: &dyn Predictor, at: usize, base_mhz: u32) -> f64 {
        100.0 * (self.predicted(predictor, at, base_mhz) / self.stretch(at) - 1.0)
    }

    /// All counters of the window.
    pub fn reading(&self) -> Reading {
        let mut sum = Reading::default();
        self.base.launches.iter().for_each(|launch| sum += launch.reading);
        sum
    }

    /// Where the time went.
    pub fn breakdown(&self) -> Breakdown {
        let parts = self.reading().counters().parts();
        let all = (parts.lcp + parts.csp_compute + parts.store_stalls).max(1) as f64;
        Breakdown {
            pure: parts.csp_compute as f64 / all,
            overlapped: parts.lcp_compute as f64 / all,
            load: (parts.lcp - parts.lcp_compute) as f64 / all,
            store: parts.store_stalls as f64 / all,
        }
    }

    /// Energy and time of the whole window without a controller.
    pub fn uncontrolled(&self, power: &Power, dvfs: &DvfsConfig) -> Spent {
        Spent::at(&self.base.activity, power, dvfs.fastest())
    }

    /// The single P-state that would have been best for EDP, and what it costs.
    pub fn static_best(&self, power: &Power, dvfs: &DvfsConfig) -> Spent {
        let at = |(mhz, did): &(u32, Activity)| Spent::at(did, power, dvfs.pstate(*mhz));
        let slower = self.fixed.iter().map(at);
        let all = std::iter::once(self.uncontrolled(power, dvfs)).chain(slower);
        all.min_by(|a, b| a.edp().total_cmp(&b.edp()))
            .unwrap_or_else(|| self.uncontrolled(power, dvfs))
    }

    /// Where flat becomes linear: by the counters, and where the line through the two slowest P-states meets
    /// the time of the fastest. Only of kernels with two slopes: within a tenth of flat from the fastest P-state
    /// to the next but one, half slower at the slowest, and with computation to hide.
    pub fn knee(&self, base_mhz: u32) -> Option<(f64, f64)> {
        let last = self.fixed.len().checked_sub(1)?;
        let hides = self.breakdown().overlapped >= 0.1;
        if last < 2 || !hides || self.stretch(1) > 1.1 || self.stretch(last) < 1.5 {
            return None;
        }
        let parts = self.reading().counters().parts();
        let counted = f64::from(base_mhz) * parts.lcp_compute as f64 / parts.lcp.max(1) as f64;
        let period = |at: usize| 1.0 / f64::from(self.fixed[at].0);
        let (slow, slowest) = (self.stretch(last - 1), self.stretch(last));
        let slope = (slowest - slow) / (period(last) - period(last - 1));
        let meets = period(last) - (slowest - 1.0) / slope;
        Some((counted, 1.0 / meets))
    }
}

impl Spent {
    /// What a run at one P-state cost.
    pub fn at(did: &Activity, power: &Power, state: PState) -> Spent {
        Spent { time: did.seconds(), energy: power.energy(did, state), mhz: vec![state.mhz] }
    }

    /// Energy-delay product.
    pub fn edp(&self) -> f64 {
        self.energy * self.time
    }

    /// Energy-delay-squared product.
    pub fn ed2p(&self) -> f64 {
        self.energy * self.time.powi(2)
    }

    /// How much less of something this run cost than another, in percent.
    pub fn saves(&self, of: &Spent, what: fn(&Spent) -> f64) -> f64 {
        100.0 * (1.0 - what(self) / what(of))
    }
}
