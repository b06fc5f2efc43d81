//! Energy from activity: dynamic by the square of the voltage, static by the voltage.

use super::{EnergyForm, PState, PowerConfig};
use crate::machine::counters::counters;
use crate::machine::gpu::Gpu;
use crate::machine::sm::hooks::Hooks;
use crate::machine::time::Time;
use crate::machine::uncore::hooks::SliceHooks;

counters! {
    /// What costs energy.
    pub struct Activity {
        /// Time in femtoseconds.
        time,
        /// Core cycles, summed over SMs.
        sm_cycles,
        /// Warp instructions.
        warp_instructions,
        /// Thread instructions.
        thread_instructions,
        /// Accesses to the L2.
        l2_accesses,
        /// Lines from and to DRAM.
        dram_lines,
    }
}

impl Activity {
    /// Everything since the start.
    pub fn of<H: Hooks, S: SliceHooks>(gpu: &Gpu<H, S>) -> Activity {
        let mut sum = Activity { time: gpu.now(), ..Activity::default() };
        for sm in &gpu.sms {
            let counts = sm.counts();
            sum.sm_cycles += counts.cycles;
            sum.warp_instructions += counts.warp_instructions;
            sum.thread_instructions += counts.thread_instructions;
        }
        for partition in &gpu.partitions {
            let (l2, dram) = partition.counts();
            sum.l2_accesses += l2.accesses;
            sum.dram_lines += dram.reads + dram.writes;
        }
        sum
    }

    /// Time in seconds.
    pub fn seconds(&self) -> f64 {
        self.time as f64 * 1e-15
    }
}

/// The power model of a machine with so many SMs; energies are in joules.
#[derive(Clone, Copy, Debug)]
pub struct Power {
    config: PowerConfig,
    sms: f64,
}

impl Power {
    /// The model of a machine.
    pub fn new(config: &PowerConfig, sms: usize) -> Power {
        Power { config: *config, sms: sms as f64 }
    }

    /// Energy of the SMs' operations at the nominal voltage.
    fn operations(&self, did: &Activity) -> f64 {
        let (warps, threads) = (did.warp_instructions as f64, did.thread_instructions as f64);
        1e-9 * (warps * self.config.warp_instruction_nj
            + threads * self.config.thread_instruction_nj)
    }

    /// Energy of so many SM cycles at the nominal voltage.
    fn clock(&self, cycles: f64) -> f64 {
        1e-9 * cycles * self.config.cycle_nj
    }

    /// Static energy of the SMs at a voltage.
    fn sm_static(&self, volts: f64, seconds: f64) -> f64 {
        self.sms * self.config.sm_static_w * volts * seconds
    }

    /// What everything outside the SMs consumes.
    fn uncore(&self, did: &Activity, seconds: f64) -> f64 {
        let accesses = did.l2_accesses as f64 * self.config.l2_access_nj
            + did.dram_lines as f64 * self.config.dram_line_nj;
        1e-9 * accesses + self.config.uncore_static_w * seconds
    }

    /// Energy that was consumed.
    pub fn energy(&self, did: &Activity, at: PState) -> f64 {
        let dynamic = self.operations(did) + self.clock(did.sm_cycles as f64);
        let seconds = did.seconds();
        dynamic * at.volts.powi(2) + self.sm_static(at.volts, seconds) + self.uncore(did, seconds)
    }

    /// Static share of the SMs' power at a P-state.
    pub fn static_share(&self, did: &Activity, at: PState) -> f64 {
        let dynamic = self.operations(did) + self.clock(did.sm_cycles as f64);
        let leaks = self.sm_static(at.volts, did.seconds());
        leaks / (leaks + dynamic * at.volts.powi(2)).max(f64::MIN_POSITIVE)
    }

    /// Energy that the same work would consume at another P-state, where it takes `stretch` times as long.
    pub fn expected(
        &self,
        did: &Activity,
        now: PState,
        then: PState,
        stretch: f64,
        form: EnergyForm,
    ) -> f64 {
        let seconds = did.seconds() * stretch;
        let faster = f64::from(then.mhz) / f64::from(now.mhz);
        let cycles = did.sm_cycles as f64;
        let dynamic = match form {
            EnergyForm::PerOperation => {
                self.operations(did) + self.clock(cycles * faster * stretch)
            }
            EnergyForm::Paper => (self.operations(did) + self.clock(cycles)) * faster,
        };
        dynamic * then.volts.powi(2)
            + self.sm_static(then.volts, seconds)
            + self.uncore(did, seconds)
    }
}

/// Adds up the energy of a run whose P-state changes.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    power: Power,
    read: Activity,
    /// Joules so far.
    pub energy: f64,
}

impl Meter {
    /// A meter of a machine that starts now.
    pub fn new(power: Power, start: Activity) -> Meter {
        Meter { power, read: start, energy: 0.0 }
    }

    /// Adds what happened since the last reading, all of it at one P-state; gives it back.
    pub fn read(&mut self, now: Activity, at: PState) -> Activity {
        let did = now - self.read;
        self.read = now;
        self.energy += self.power.energy(&did, at);
        did
    }

    /// Leaves out what happened since the last reading.
    pub fn skip(&mut self, now: Activity) {
        self.read = now;
    }

    /// When it was read last.
    pub fn since(&self) -> Time {
        self.read.time
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::config::MachineConfig;

    fn model() -> (Power, MachineConfig) {
        let config = MachineConfig::read("gtx480", &[]).expect("it is shipped");
        (Power::new(&config.power, 1), config)
    }

    /// A millisecond of one SM at 700 MHz with so many full warps a cycle.
    fn millisecond(warps: u64) -> Activity {
        let sm_cycles = 700_000;
        let warp_instructions = warps * sm_cycles;
        let thread_instructions = 32 * warp_instructions;
        let time = 1_000_000_000_000;
        Activity { time, sm_cycles, warp_instructions, thread_instructions, ..Activity::default() }
    }

    #[test]
    fn the_static_share_spans_the_papers_range() {
        let (power, config) = model();
        let nominal = config.dvfs.pstate(700);
        assert!((power.static_share(&millisecond(0), nominal) - 0.63).abs() < 0.005);
        assert!((power.static_share(&millisecond(2), nominal) - 0.23).abs() < 0.005);
    }

    #[test]
    fn what_is_expected_of_the_same_state_is_what_was_consumed() {
        let (power, config) = model();
        let (did, now) = (millisecond(1), config.dvfs.pstate(400));
        for form in [EnergyForm::PerOperation, EnergyForm::Paper] {
            let expected = power.expected(&did, now, now, 1.0, form);
            let consumed = power.energy(&did, now);
            assert!((expected / consumed - 1.0).abs() < 1e-12, "{form:?}");
        }
    }

    #[test]
    fn half_the_clock_at_the_same_voltage_halves_dynamic_energy_only_in_the_papers_form() {
        let (power, config) = model();
        let now = config.dvfs.pstate(700);
        let then = PState { mhz: 350, ..now };
        let did = millisecond(2);
        let of = |form| power.expected(&did, now, then, 2.0, form);
        let dynamic = power.operations(&did) + power.clock(did.sm_cycles as f64);
        let less = of(EnergyForm::PerOperation) - of(EnergyForm::Paper);
        assert!((less / dynamic - 0.5).abs() < 1e-12, "{less}");
    }

    #[test]
    fn a_meter_adds_each_piece_at_its_own_voltage() {
        let (power, config) = model();
        let (fast, slow) = (config.dvfs.pstate(700), config.dvfs.pstate(100));
        let mut meter = Meter::new(power, Activity::default());
        let first = millisecond(1);
        let mut both = first;
        both += millisecond(0);
        meter.read(first, fast);
        assert_eq!(meter.read(both, slow), millisecond(0));
        let sum = power.energy(&first, fast) + power.energy(&millisecond(0), slow);
        assert!((meter.energy / sum - 1.0).abs() < 1e-12);
    }
}
