//! How long a pipeline must be idle before it is gated: fixed, or as long as early wake-ups advise.
//!
//! Warped-Gates counts critical wake-ups, which end a gated stretch the moment blackout allows it. Many of them in an
//! epoch lengthen the window, few let it shrink again. Epoch and threshold are our reading of that paper; the
//! counters have three bits, so that the window ends at 7.

use crate::machine::config::GatingConfig;

/// Core cycles of an epoch.
const EPOCH: u64 = 1000;
/// Critical wake-ups of an epoch above which the window grows.
const CRITICAL: u32 = 5;
/// The longest window that a 3-bit counter can tell.
const LONGEST: u8 = 7;

/// The window of one pipeline of one SP.
#[derive(Clone, Debug)]
pub struct IdleDetect {
    shortest: u8,
    adaptive: bool,
    window: u8,
    critical: u32,
    cycle: u64,
    /// Lanes that were gated without having earned it back in the cycle before.
    uncompensated: u32,
}

impl IdleDetect {
    /// As the machine's description says.
    pub fn new(config: &GatingConfig) -> Self {
        IdleDetect {
            shortest: config.idle_detect,
            adaptive: config.adaptive_idle_detect,
            window: config.idle_detect,
            critical: 0,
            cycle: 0,
            uncompensated: 0,
        }
    }

    /// Idle cycles before gating.
    pub fn window(&self) -> u8 {
        self.window
    }

    /// `count` cycles have passed in which these lanes were uncompensated and those waking.
    pub fn cycles(&mut self, uncompensated: u32, waking: u32, count: u64) {
        if !self.adaptive {
            return;
        }
        self.critical += u32::from(self.uncompensated & waking != 0);
        self.uncompensated = uncompensated;
        self.cycle += count;
        while self.cycle >= EPOCH {
            self.cycle -= EPOCH;
            self.window = match self.critical > CRITICAL {
                true => (self.window + 1).min(LONGEST),
                false => self.window.saturating_sub(1).max(self.shortest),
            };
            self.critical = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::config::MachineConfig;

    fn detect(set: &str) -> IdleDetect {
        let config = MachineConfig::read("gtx480", &[set.into()]).expect("it is shipped");
        IdleDetect::new(&config.mechanisms.gating)
    }

    /// An epoch with so many wake-ups right behind an uncompensated cycle.
    fn epoch(detect: &mut IdleDetect, wake_ups: u64) -> u8 {
        for _ in 0..wake_ups {
            detect.cycles(1, 0, 1);
            detect.cycles(0, 1, 1);
        }
        detect.cycles(0, 0, EPOCH - 2 * wake_ups);
        detect.window()
    }

    #[test]
    fn the_window_follows_critical_wake_ups_within_its_limits() {
        let mut adaptive = detect("mechanisms.gating.adaptive_idle_detect=true");
        let windows = [5, 6, 6, 6, 9, 0, 0, 0].map(|n| epoch(&mut adaptive, n));
        assert_eq!(windows, [5, 6, 7, 7, 7, 6, 5, 5]);
        let mut fixed = detect("mechanisms.gating.adaptive_idle_detect=false");
        assert_eq!(epoch(&mut fixed, 9), 5);
    }
}
