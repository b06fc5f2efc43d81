//! The parts of a machine description that say how the core clock is controlled and what power it costs.

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
