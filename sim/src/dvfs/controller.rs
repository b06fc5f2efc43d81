//! The controller: once an interval it reads counters, asks its predictor about every P-state, and takes the
//! best for the next interval, which it assumes to be like the last.

use super::objective::Outlook;
use super::{Activity, DvfsConfig, Meter, Objective, PState, Power, Predictor};
use crate::attach::Attached;
use crate::crisp::prediction::Rescale;
use crate::crisp::Reading;
use crate::machine::gpu::Gpu;
use crate::machine::time::Time;
use crate::machine::uncore::hooks::SliceHooks;

/// A decision and what it was made from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// When.
    pub time: Time,
    /// What comes next.
    pub mhz: u32,
}

/// See the module's text. Counters are summed over SMs: all share one clock.
pub struct Controller {
    config: DvfsConfig,
    power: Power,
    predictor: &'static dyn Predictor,
    objective: &'static dyn Objective,
    now: PState,
    read: Reading,
    meter: Option<Meter>,
    /// Every decision so far.
    pub decisions: Vec<Decision>,
}

impl Controller {
    /// A controller that starts at the fastest P-state.
    pub fn new(
        config: &DvfsConfig,
        power: Power,
        predictor: &'static dyn Predictor,
        objective: &'static dyn Objective,
    ) -> Controller {
        Controller {
            config: config.clone(),
            power,
            predictor,
            objective,
            now: config.pstate(config.highest_mhz),
            read: Reading::default(),
            meter: None,
            decisions: vec![],
        }
    }

    /// Joules that the run has consumed until the last decision or [`Controller::settle`].
    pub fn energy(&self) -> f64 {
        self.meter.map_or(0.0, |meter| meter.energy)
    }

    /// Counts the energy since the last decision, at the end of a run.
    pub fn settle<S: SliceHooks>(&mut self, gpu: &Gpu<Attached, S>) {
        let now = self.now;
        self.meter().read(Activity::of(gpu), now);
    }

    fn meter(&mut self) -> &mut Meter {
        let power = self.power;
        self.meter.get_or_insert_with(|| Meter::new(power, Activity::default()))
    }

    /// Called after every quantum: decides whenever an interval is over.
    pub fn step<S: SliceHooks>(&mut self, gpu: &mut Gpu<Attached, S>) {
        let interval = (self.config.interval_us * 1e9) as Time;
        let since = self.meter().since();
        if gpu.now() - since < interval {
            return;
        }
        let now = self.now;
        let did = self.meter().read(Activity::of(gpu), now);
        let mut read = Reading::default();
        for crisp in gpu.sms.iter_mut().filter_map(|sm| sm.hooks.crisp.as_mut()) {
            read += crisp.reading();
        }
        let counted = read - self.read;
        self.read = read;
        let next = self.decide(&counted, &did);
        let software = f64::from(self.config.software_cycles) / self.config.software_mhz * 1e9;
        let switch = if next == now { 0.0 } else { self.config.switch_ns * 1e6 };
        gpu.pause_core((software + switch) as Time);
        gpu.set_core_mhz(f64::from(next.mhz));
        self.now = next;
        self.decisions.push(Decision { time: gpu.now(), mhz: next.mhz });
    }

    /// The best P-state for an interval like this one; the faster one of equals.
    pub fn decide(&self, counted: &Reading, did: &Activity) -> PState {
        let outlook = |then: PState| {
            let change = Rescale { from_mhz: self.now.mhz, to_mhz: then.mhz };
            let stretch = self.predictor.stretch(counted, change);
            let energy = self.power.expected(did, self.now, then, stretch, self.config.energy);
            Outlook { energy, time: did.seconds() * stretch }
        };
        let fastest = outlook(self.config.pstate(self.config.highest_mhz)).time;
        let cost = |then: &PState| self.objective.cost(outlook(*then), fastest, &self.config);
        let states = self.config.pstates();
        let best = states.iter().copied().min_by(|a, b| cost(a).total_cmp(&cost(b)));
        best.unwrap_or(self.now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dvfs::{objective, predictor};
    use crate::machine::config::MachineConfig;

    /// What a controller at 700 MHz decides after 10 us with so many load stalls in 100 cycles.
    fn decision(predictor: &str, objective: &str, load_stalls: u64) -> u32 {
        let config = MachineConfig::read("gtx480", &[]).expect("it is shipped");
        let power = Power::new(&config.power, config.gpu.sms);
        let predictor = predictor::named(predictor).expect("it is known");
        let objective = objective::named(objective).expect("it is known");
        let controller = Controller::new(&config.dvfs, power, predictor, objective);
        let counted = Reading {
            cycles: 100,
            t_lcp: 100,
            light_lcp: 100,
            load_stalls,
            stall: load_stalls,
            ..Reading::default()
        };
        let did = Activity {
            time: 10_000_000_000,
            sm_cycles: 15 * 7000,
            warp_instructions: 15 * 7000 * (100 - load_stalls) / 100,
            thread_instructions: 15 * 7000 * 32 * (100 - load_stalls) / 100,
            ..Activity::default()
        };
        controller.decide(&counted, &did).mhz
    }

    #[test]
    fn a_kernel_that_waits_is_slowed_down_and_one_that_computes_is_not() {
        for objective in ["edp", "ed2p", "energy"] {
            assert_eq!(decision("crisp", objective, 0), 700, "{objective}");
            // Half the path is computation: it stays hidden down to 350 MHz.
            assert!((400..700).contains(&decision("crisp", objective, 50)), "{objective}");
            assert!(decision("crisp", objective, 90) < 400, "{objective}");
        }
    }

    #[test]
    fn stall_sees_less_to_gain() {
        assert!(decision("stall", "ed2p", 50) > decision("crisp", "ed2p", 50));
    }

    #[test]
    fn energy_keeps_to_its_bound() {
        // STALL takes half of the time for computation: the next P-state costs it 8 %, not 1 %.
        assert_eq!(decision("stall", "energy", 50), 700);
    }
}
