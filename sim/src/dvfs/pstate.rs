//! The P-states of the SMs: a frequency and the voltage that it needs.

use super::DvfsConfig;

/// See the module's text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PState {
    /// Core clock.
    pub mhz: u32,
    /// Supply of the SMs.
    pub volts: f64,
}

impl DvfsConfig {
    /// Every P-state, fastest first. Voltage falls linearly with frequency, which is ours: the paper names
    /// the ends only.
    pub fn pstates(&self) -> Vec<PState> {
        let steps = (self.highest_mhz - self.lowest_mhz) / self.step_mhz;
        (0..=steps).map(|n| self.pstate(self.highest_mhz - n * self.step_mhz)).collect()
    }

    /// The fastest P-state.
    pub fn fastest(&self) -> PState {
        self.pstate(self.highest_mhz)
    }

    /// The P-state of a frequency between the lowest and the highest.
    pub fn pstate(&self, mhz: u32) -> PState {
        let span = f64::from((self.highest_mhz - self.lowest_mhz).max(1));
        let below = f64::from(self.highest_mhz.saturating_sub(mhz)) / span;
        let volts = self.highest_volts - (self.highest_volts - self.lowest_volts) * below;
        PState { mhz, volts }
    }
}

#[cfg(test)]
mod tests {
    use crate::machine::config::MachineConfig;

    #[test]
    fn a_single_state_is_the_fastest() {
        let set = ["dvfs.lowest_mhz=700".to_string()];
        let dvfs = MachineConfig::read("gtx480", &set).expect("it is shipped").dvfs;
        let states: Vec<_> = dvfs.pstates().iter().map(|s| (s.mhz, s.volts)).collect();
        assert_eq!(states, [(700, 1.0)]);
    }

    #[test]
    fn seven_states_from_one_volt_down() {
        let dvfs = MachineConfig::read("gtx480", &[]).expect("it is shipped").dvfs;
        let states = dvfs.pstates();
        assert_eq!(
            states.iter().map(|s| s.mhz).collect::<Vec<_>>(),
            [700, 600, 500, 400, 300, 200, 100]
        );
        assert_eq!((states[0].volts, states[6].volts), (1.0, 0.55));
        assert!((states[3].volts - 0.775).abs() < 1e-12);
    }
}
