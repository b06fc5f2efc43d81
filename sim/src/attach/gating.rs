//! Power gates: lanes are asked for before an instruction issues, and it waits until they are ready.

use super::{AttachError, Boxed, Lanes, UnitSource};
use crate::machine::config::{GatingConfig, MachineConfig};
use crate::machine::sm::decode::SpPipe;
use crate::machine::sm::hooks::Execution;
use crate::units::lane_power_gate::{In, LanePowerGate, Out};

/// Lane-cycles by what the lanes did; their sum is lanes times cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneCycles {
    /// On, with an instruction in the pipe.
    pub busy: u64,
    /// On, with nothing to do.
    pub idle: u64,
    /// Gated, switching energy not yet earned back.
    pub uncompensated: u64,
    /// Gated and saving.
    pub compensated: u64,
    /// Coming back.
    pub waking: u64,
    /// How often a lane was gated.
    pub gating_events: u64,
}

/// The gate of one pipeline of one SP.
struct Gate {
    unit: Boxed<LanePowerGate>,
    /// Its outputs in this cycle, once somebody has asked.
    now: Option<Out>,
    /// Lanes that were asked for in this cycle.
    request: u32,
    /// Lanes with an instruction and until when, where no lane units keep account.
    running: Vec<(u32, u64)>,
    gated: u32,
    counts: LaneCycles,
}

impl Gate {
    fn outputs(&mut self) -> &Out {
        let unit = &mut self.unit;
        self.now.get_or_insert_with(|| unit.eval(&In::default()))
    }

    fn inputs(&self, busy: u32, eager: bool, config: &GatingConfig) -> In {
        In {
            busy,
            request: self.request,
            eager,
            cfg_idle_detect: config.idle_detect,
            cfg_break_even: config.break_even,
            cfg_wake_up: config.wake_up,
            cfg_blackout: config.blackout,
        }
    }

    /// One cycle; returns whether another with the same inputs would change nothing.
    fn cycle(&mut self, busy: u32, eager: bool, config: &GatingConfig, count: u64) -> bool {
        let inputs = self.inputs(busy, eager, config);
        let out = self.unit.eval(&inputs);
        let on = |lanes: u32| u64::from(lanes.count_ones()) * count;
        let gated = out.uncompensated | out.compensated;
        self.counts.busy += on(out.ready & busy);
        self.counts.idle += on(out.ready & !busy);
        self.counts.uncompensated += on(out.uncompensated);
        self.counts.compensated += on(out.compensated);
        self.counts.waking += on(out.waking);
        self.counts.gating_events += u64::from((gated & !self.gated).count_ones());
        self.gated = gated;
        let settled = out.ready & !busy == 0 && out.uncompensated | out.waking == 0;
        if count > 1 {
            self.unit.pass(count);
        } else {
            self.unit.tick();
        }
        self.now = None;
        settled && self.request == 0
    }
}

/// The gates of one SM; see the module's text.
pub struct Gating {
    /// INT and FP of each SP.
    gates: Vec<[Gate; 2]>,
    config: GatingConfig,
}

impl Gating {
    /// Two gates for each SP of the SM at `place`.
    pub fn new(
        place: &str,
        config: &MachineConfig,
        source: &impl UnitSource,
    ) -> Result<Self, AttachError> {
        let gate = |sp: usize, pipe: &str| -> Result<Gate, AttachError> {
            let instance = format!("{place}/sp{sp}/{pipe}/lane_power_gate");
            Ok(Gate {
                unit: source.unit("lane_power_gate", &instance, LanePowerGate::default())?,
                now: None,
                request: 0,
                running: vec![],
                gated: 0,
                counts: LaneCycles::default(),
            })
        };
        let gates = (0..config.sm.sp_units).map(|sp| Ok([gate(sp, "int")?, gate(sp, "fp")?]));
        Ok(Gating {
            gates: gates.collect::<Result<_, AttachError>>()?,
            config: config.mechanisms.gating,
        })
    }

    fn gate(&mut self, sp: usize, pipe: SpPipe) -> &mut Gate {
        &mut self.gates[sp][pipe as usize]
    }

    /// Asks for lanes; true if all of them are ready in this cycle.
    pub fn request(&mut self, sp: usize, pipe: SpPipe, lanes: u32) -> bool {
        let gate = self.gate(sp, pipe);
        gate.request |= lanes;
        gate.outputs().ready & lanes == lanes
    }

    /// An instruction runs without lane units.
    pub fn executes(&mut self, execution: &Execution) {
        let gate = self.gate(execution.sp, execution.pipe);
        gate.running.push((execution.lanes.0, execution.end));
    }

    /// So many cycles pass, the first being `cycle`.
    pub fn cycles(&mut self, cycle: u64, count: u64, lanes: Option<&Lanes>, eager: bool) {
        for (sp, gates) in self.gates.iter_mut().enumerate() {
            for (gate, pipe) in gates.iter_mut().zip([SpPipe::Int, SpPipe::Fp]) {
                let mut left = count;
                let mut now = cycle;
                while left > 0 {
                    gate.running.retain(|(_, end)| *end > now);
                    let mut busy = gate.running.iter().fold(0, |all, (lanes, _)| all | lanes);
                    busy |= lanes.map_or(0, |lanes| lanes.busy(sp, pipe));
                    let settled = gate.cycle(busy, eager, &self.config, 1);
                    gate.request = 0;
                    left -= 1;
                    now += 1;
                    if settled && left > 0 && gate.running.is_empty() {
                        // Nothing changes any more: the rest of the cycles are like this one.
                        gate.cycle(busy, eager, &self.config, left);
                        left = 0;
                    }
                }
            }
        }
    }

    /// Lane-cycles of all INT and of all FP pipelines.
    pub fn counts(&self) -> [LaneCycles; 2] {
        let sum = |pipe: usize| {
            self.gates.iter().fold(LaneCycles::default(), |mut sum, gates| {
                let c = &gates[pipe].counts;
                sum.busy += c.busy;
                sum.idle += c.idle;
                sum.uncompensated += c.uncompensated;
                sum.compensated += c.compensated;
                sum.waking += c.waking;
                sum.gating_events += c.gating_events;
                sum
            })
        };
        [sum(0), sum(1)]
    }
}
