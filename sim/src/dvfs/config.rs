//! The parts of a machine description that say how the core clock is controlled and what power it costs.

use super::{objective, policy, predictor, GoalError};
use serde::{Deserialize, Serialize};

/// How the controller takes dynamic energy to depend on frequency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EnergyForm {
    /// An operation costs energy by the square of the voltage, whenever it is done; a clock cycle too.
    PerOperation,
    /// Dynamic power at the new P-state times the time at the old one: by the square of the voltage times
    /// the frequency (CRISP, section 4).
    Paper,
}

/// The controller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DvfsConfig {
    /// Frequency of the slowest P-state.
    pub lowest_mhz: u32,
    /// Frequency of the fastest P-state.
    pub highest_mhz: u32,
    /// Distance of two P-states.
    pub step_mhz: u32,
    /// Voltage of the slowest P-state.
    pub lowest_volts: f64,
    /// Voltage of the fastest P-state: the nominal one.
    pub highest_volts: f64,
    /// Time from one decision to the next, where the policy does not say otherwise.
    pub interval_us: f64,
    /// Time for which the SMs stand still at a switch.
    pub switch_ns: f64,
    /// Cycles of the controller's software a decision.
    pub software_cycles: u32,
    /// Clock of the processor that runs it; the SMs stand still meanwhile.
    pub software_mhz: f64,
    /// Slowdown that the objective `energy` may accept.
    pub slowdown_bound: f64,
    /// `per-operation` or `paper`.
    pub energy: EnergyForm,
    /// Name of the predictor.
    pub predictor: String,
    /// Name of the objective.
    pub objective: String,
    /// Name of the policy.
    pub policy: String,
}

/// More P-states than that are a mistake: the oracle tries each.
const MOST_STATES: u32 = 100;

impl DvfsConfig {
    /// For how long the SMs stand still if a decision changes the P-state.
    fn overhead_us(&self) -> f64 {
        f64::from(self.software_cycles) / self.software_mhz + 1e-3 * self.switch_ns
    }

    /// What no controller can do: a key, and what is wrong with it.
    pub(crate) fn fault(&self) -> Option<(&'static str, String)> {
        let frequency = 1.0..=100_000.0;
        let span = self.highest_mhz.saturating_sub(self.lowest_mhz);
        let rules = [
            (
                "highest_mhz",
                frequency.contains(&f64::from(self.highest_mhz)),
                "must be from 1 to 100000",
            ),
            (
                "lowest_mhz",
                (1..=self.highest_mhz).contains(&self.lowest_mhz),
                "must be from 1 to highest_mhz",
            ),
            (
                "step_mhz",
                self.step_mhz > 0 && span / self.step_mhz < MOST_STATES,
                "must be at least 1, and make at most 100 P-states",
            ),
            (
                "highest_volts",
                (0.01..=100.0).contains(&self.highest_volts),
                "must be from 0.01 to 100",
            ),
            (
                "lowest_volts",
                (0.01..=self.highest_volts).contains(&self.lowest_volts),
                "must be from 0.01 to highest_volts",
            ),
            ("interval_us", (0.01..=1e6).contains(&self.interval_us), "must be from 0.01 to 1e6"),
            ("switch_ns", (0.0..=1e6).contains(&self.switch_ns), "must be from 0 to 1e6"),
            ("software_mhz", frequency.contains(&self.software_mhz), "must be from 1 to 100000"),
            (
                "interval_us",
                self.overhead_us() < self.interval_us,
                "must be longer than a decision (software_cycles at software_mhz) and a switch (switch_ns) take, for the \
                 SMs stand still meanwhile",
            ),
            (
                "slowdown_bound",
                (0.0..=100.0).contains(&self.slowdown_bound),
                "must be from 0 to 100: a share",
            ),
        ];
        let broken = rules.into_iter().find(|(_, holds, _)| !holds);
        let broken = broken.map(|(key, _, says)| (key, says.to_string()));
        let unknown = |key, error: Option<GoalError>| Some((key, error?.to_string()));
        broken
            .or_else(|| unknown("predictor", predictor::known(&self.predictor).err()))
            .or_else(|| unknown("objective", objective::known(&self.objective).err()))
            .or_else(|| unknown("policy", policy::known(&self.policy).err()))
    }
}

/// What the parts of the machine consume at the nominal voltage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PowerConfig {
    /// Static power of an SM in watts.
    pub sm_static_w: f64,
    /// Clock and everything else that toggles every cycle, nanojoules a cycle and SM.
    pub cycle_nj: f64,
    /// Fetch, decode and issue, nanojoules a warp instruction.
    pub warp_instruction_nj: f64,
    /// Operands and execution, nanojoules a thread instruction.
    pub thread_instruction_nj: f64,
    /// Static power of everything outside the SMs in watts.
    pub uncore_static_w: f64,
    /// An access to the L2, with the way there and back, nanojoules.
    pub l2_access_nj: f64,
    /// A line read from or written to DRAM, nanojoules.
    pub dram_line_nj: f64,
}

impl PowerConfig {
    /// The first number that is no power or energy.
    pub(crate) fn fault(&self) -> Option<(&'static str, String)> {
        [
            ("sm_static_w", self.sm_static_w),
            ("cycle_nj", self.cycle_nj),
            ("warp_instruction_nj", self.warp_instruction_nj),
            ("thread_instruction_nj", self.thread_instruction_nj),
            ("uncore_static_w", self.uncore_static_w),
            ("l2_access_nj", self.l2_access_nj),
            ("dram_line_nj", self.dram_line_nj),
        ]
        .into_iter()
        .find(|(_, value)| !(0.0..=1e6).contains(value))
        .map(|(key, _)| (key, "must be from 0 to 1e6".into()))
    }
}
