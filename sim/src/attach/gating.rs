//! Power gates: lanes are asked for before an instruction issues, and it waits until they will be ready.
//!
//! Wake-up runs beside operand collection: an instruction issues as soon as its lanes will be on in the cycle in which
//! it reaches them.

use super::idle_detect::IdleDetect;
use super::{AttachError, Boxed, LaneCycles, UnitSource};
use crate::machine::config::{GatingConfig, Granularity, MachineConfig, Mechanism};
use crate::machine::sm::decode::SpPipe;
use crate::units::lane_power_gate::{In, LanePowerGate, Out, LANES};

/// Cycles from issue to the unit, if no bank is wanted twice.
const OPERAND_CYCLES: usize = 2;
/// Wake-up delays have four bits.
const LONGEST_WAKE_UP: usize = 15;

/// The gate of one pipeline of one SP.
struct Gate {
    unit: Boxed<LanePowerGate>,
    /// Its outputs in this cycle, once somebody has asked.
    now: Option<Out>,
    /// Lanes that were asked for in this cycle.
    request: u32,
    /// Lanes that are asked for until somebody else says otherwise.
    expected: u32,
    /// Lanes with an instruction and until when.
    running: Vec<(u32, u64)>,
    /// Lanes that have been waking for the last one, two, three... cycles.
    waking_for: [u32; LONGEST_WAKE_UP],
    /// All lanes are gated until somebody asks for one.
    asleep: bool,
    gated: u32,
    idle_detect: IdleDetect,
    counts: LaneCycles,
}

impl Gate {
    fn outputs(&mut self) -> &Out {
        let unit = &mut self.unit;
        self.now.get_or_insert_with(|| unit.eval(&In::default()))
    }

    /// Lanes that will be on `hidden` cycles from now.
    fn ready_in(&mut self, hidden: usize, wake_up: usize) -> u32 {
        let (ready, waking) = (self.outputs().ready, self.outputs().waking);
        // A lane wakes for `wake_up` cycles, this one included.
        let since = match wake_up.saturating_sub(hidden) {
            0 => u32::MAX,
            before => self.waking_for[before - 1],
        };
        ready | waking & since
    }

    /// `count` cycles in which nothing changes but, in the first, the state; returns whether another such
    /// cycle would change nothing.
    fn cycle(&mut self, busy: u32, eager: bool, config: &GatingConfig, count: u64) -> bool {
        let inputs = In {
            busy,
            request: self.request | self.expected,
            eager,
            cfg_idle_detect: self.idle_detect.window(),
            cfg_break_even: config.break_even,
            cfg_wake_up: config.wake_up,
            cfg_blackout: config.blackout,
        };
        let out = self.unit.eval(&inputs);
        let on = |lanes: u32| u64::from(lanes.count_ones()) * count;
        let gated = out.uncompensated | out.compensated;
        self.counts += LaneCycles {
            busy: on(out.ready & busy),
            idle: on(out.ready & !busy),
            uncompensated: on(out.uncompensated),
            compensated: on(out.compensated),
            waking: on(out.waking),
            gating_events: u64::from((gated & !self.gated).count_ones()),
        };
        self.gated = gated;
        self.idle_detect.cycles(out.uncompensated, out.waking, count);
        if out.waking | self.waking_for[0] != 0 {
            self.waking_for.rotate_right(1);
            self.waking_for[0] = u32::MAX;
            self.waking_for.iter_mut().for_each(|lanes| *lanes &= out.waking);
        }
        let settled = out.ready & !busy == 0 && out.uncompensated | out.waking == 0;
        if count > 1 {
            self.unit.pass(count);
        } else {
            self.unit.tick();
        }
        self.now = None;
        let settled = settled && self.request | self.expected == 0;
        self.asleep = settled && out.compensated == u32::MAX;
        settled
    }

    /// `count` cycles, the first being `cycle`.
    fn cycles(&mut self, cycle: u64, count: u64, eager: bool, config: &GatingConfig) {
        if self.asleep && self.request | self.expected == 0 {
            self.counts.compensated += LANES as u64 * count;
            self.idle_detect.cycles(0, 0, count);
            self.unit.pass(count);
            return;
        }
        let (mut now, mut left) = (cycle, count);
        while left > 0 {
            self.running.retain(|(_, end)| *end > now);
            let busy = self.running.iter().fold(0, |all, (lanes, _)| all | lanes);
            let settled = self.cycle(busy, eager, config, 1);
            self.request = 0;
            left -= 1;
            now += 1;
            if settled && left > 0 && self.running.is_empty() {
                // Nothing changes any more: the rest of the cycles are like this one.
                self.cycle(busy, eager, config, left);
                left = 0;
            }
        }
    }
}

/// The gates of one SM; see the module's text.
pub struct Gating {
    /// INT and FP of each SP.
    gates: Vec<[Gate; 2]>,
    config: GatingConfig,
    /// Cycles from issue to the lanes.
    hidden: usize,
}

impl Gating {
    /// Two gates for each SP of the SM at `place`.
    pub fn new(
        place: &str,
        config: &MachineConfig,
        source: &impl UnitSource,
    ) -> Result<Self, AttachError> {
        let settings = config.mechanisms.gating;
        let gate = |sp: usize, pipe: &str| -> Result<Gate, AttachError> {
            let instance = format!("{place}/sp{sp}/{pipe}/lane_power_gate");
            Ok(Gate {
                unit: source.unit("lane_power_gate", &instance, LanePowerGate::default())?,
                now: None,
                request: 0,
                expected: 0,
                running: vec![],
                waking_for: [0; LONGEST_WAKE_UP],
                asleep: false,
                gated: 0,
                idle_detect: IdleDetect::new(&settings),
                counts: LaneCycles::default(),
            })
        };
        let gates = (0..config.sm.sp_units).map(|sp| Ok([gate(sp, "int")?, gate(sp, "fp")?]));
        let lanes = config.mechanisms.lanes;
        let shifts = config.mechanisms.attach.contains(&Mechanism::Lanes)
            && lanes.extra_stages
            && !lanes.bypass;
        Ok(Gating {
            gates: gates.collect::<Result<_, AttachError>>()?,
            config: settings,
            hidden: OPERAND_CYCLES + usize::from(shifts),
        })
    }

    /// The lanes that share a gate with any of these.
    fn together(&self, lanes: u32) -> u32 {
        match self.config.granularity {
            Granularity::Lane => lanes,
            Granularity::Pair => lanes | lanes.rotate_left(16),
            Granularity::Unit if lanes == 0 => 0,
            Granularity::Unit => u32::MAX,
        }
    }

    /// Whether lanes will be on when an instruction that issues now reaches them.
    pub fn ready(&mut self, sp: usize, pipe: SpPipe, lanes: u32) -> bool {
        let (hidden, wake_up) = (self.hidden, usize::from(self.config.wake_up));
        let wanted = self.together(lanes);
        wanted & !self.gates[sp][pipe as usize].ready_in(hidden, wake_up) == 0
    }

    /// Asks for lanes; they stay on, or wake up.
    pub fn request(&mut self, sp: usize, pipe: SpPipe, lanes: u32) {
        let wanted = self.together(lanes);
        self.gates[sp][pipe as usize].request |= wanted;
    }

    /// Keeps these lanes of a pipeline on, or wakes them, until it is called again: in the first SP, and in the
    /// next one for every further instruction that will issue soon.
    pub fn expect(&mut self, pipe: SpPipe, lanes: u32, instructions: usize) {
        let wanted = self.together(lanes);
        for (sp, gates) in self.gates.iter_mut().enumerate() {
            gates[pipe as usize].expected = if sp < instructions { wanted } else { 0 };
        }
    }

    /// Whether [`Gating::expect`] is wanted.
    pub fn looks_ahead(&self) -> bool {
        self.config.look_ahead
    }

    /// Cycles for which an instruction that needs gated lanes waits for them.
    pub fn delay(&self) -> u64 {
        (1 + usize::from(self.config.wake_up)).saturating_sub(self.hidden) as u64
    }

    /// An instruction keeps lanes busy from now until `end`.
    pub fn executes(&mut self, sp: usize, pipe: SpPipe, lanes: u32, end: u64) {
        let lanes = self.together(lanes);
        self.gates[sp][pipe as usize].running.push((lanes, end));
    }

    /// So many cycles pass, the first being `cycle`; `folds` says which of INT and FP fold.
    pub fn cycles(&mut self, cycle: u64, count: u64, folds: [bool; 2]) {
        let config = self.config;
        for gates in &mut self.gates {
            for (gate, folds) in gates.iter_mut().zip(folds) {
                gate.cycles(cycle, count, folds && config.eager, &config);
            }
        }
    }

    /// Lane-cycles of all INT and of all FP pipelines.
    pub fn counts(&self) -> [LaneCycles; 2] {
        [0, 1].map(|pipe| {
            let mut sum = LaneCycles::default();
            self.gates.iter().for_each(|gates| sum += gates[pipe].counts);
            sum
        })
    }
}
