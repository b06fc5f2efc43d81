//! The real data path: operands through the shift stage, results back through re-shift and collector.
//!
//! When an instruction issues, its whole way through the SP is reserved. From then on the stages decide what
//! comes out: the instruction is evaluated on the operands that leave the shift stage, in the lanes that the
//! stage names, and the registers get what leaves the result collector. 64-bit values go in two beats, and
//! each predicate or carry rides as a flag. A stage that holds nothing and is given nothing is not clocked.

use super::reservation::{Passage, Reservation};
use super::{AttachError, Boxed, UnitSource};
use crate::exec::{LaneMask, Launch, RegFile, Rows};
use crate::machine::config::MachineConfig;
use crate::machine::sm::decode::{Program, SpPipe, Unit as Where};
use crate::machine::sm::hooks::{LaneResult, LaneSlot, LaneWork, Passes};
use crate::units::lane_shift::lane_mask;
use crate::units::lane_shift_cluster::Variant;
use crate::units::reshift_stage::{self, ReshiftStage};
use crate::units::result_collector::{self, ResultCollector};
use crate::units::shift_stage::{self, ShiftStage};
use crate::units::split_mask::{half, Elision};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Entries of a result collector.
const ENTRIES: usize = 4;
/// Beats that a tag can tell apart.
const BEATS: usize = 4;
/// Instructions that an SP can have under way: tags have eight bits.
const FLIGHTS: usize = 256 / BEATS;
/// Shift and re-shift.
const STAGES: u64 = 2;
/// 32-bit operands that a beat carries.
const OPERANDS: usize = 3;

/// One half's operands, as they come out of the shift stage.
#[derive(Default)]
struct Half {
    operands: Rows,
    results: Rows,
    temp_mask: u32,
    folded: bool,
    last: bool,
}

/// An instruction under way.
struct Flight {
    work: LaneWork,
    split: bool,
    passage: Passage,
    /// Cycle in which its last results are on the bus.
    end: u64,
    halves: [Half; 2],
    /// What the collector has given.
    results: Rows,
}

/// One beat of one half of an instruction.
#[derive(Clone, Copy)]
struct Beat {
    flight: usize,
    half: usize,
    beat: usize,
}

/// The lane units of one SP.
struct Sp {
    shift: Boxed<ShiftStage>,
    reshift: Boxed<ReshiftStage>,
    collector: Boxed<ResultCollector<ENTRIES>>,
    reserved: Reservation,
    /// The first cycle in which each pipeline takes another instruction.
    int_free: u64,
    fp_free: u64,
    flights: Vec<Option<Flight>>,
    /// Those that are under way.
    under_way: Vec<usize>,
    /// By the cycle in which they enter the shift stage and the re-shift stage.
    entering: BTreeMap<u64, Beat>,
    leaving: BTreeMap<u64, Beat>,
    /// What entered in the cycle before.
    shifting: bool,
    reshifting: bool,
    /// The next cycle to run.
    cycle: u64,
}

/// The lane units of one SM; see the module's text.
pub struct Lanes {
    sps: Vec<Sp>,
    variant: Variant,
    elision: Elision,
    extra_stages: bool,
    bypass: bool,
    launch: Option<Arc<Launch>>,
    program: Option<Arc<Program>>,
    scratch: RegFile,
    done: VecDeque<LaneResult>,
    /// INT and FP warp instructions that went through, and how many of them folded.
    pub instructions: [u64; 2],
    /// See `instructions`.
    pub folded: [u64; 2],
    /// Halves that a collector refused; a machine that reserves its slots never sees one.
    pub refused: u64,
}

impl Lanes {
    /// Two stages and a collector for each SP of the SM at `place`.
    pub fn new(
        place: &str,
        config: &MachineConfig,
        source: &impl UnitSource,
    ) -> Result<Self, AttachError> {
        let lanes = &config.mechanisms.lanes;
        let variant = lanes.variant();
        let suffix = if variant == Variant::Fold { "__variant_fold" } else { "" };
        let sp = |n: usize| -> Result<Sp, AttachError> {
            let at = |block: &str| format!("{place}/sp{n}/{block}");
            Ok(Sp {
                shift: source.unit(
                    &format!("shift_stage{suffix}"),
                    &at("shift_stage"),
                    ShiftStage::new(variant),
                )?,
                reshift: source.unit(
                    &format!("reshift_stage{suffix}"),
                    &at("reshift_stage"),
                    ReshiftStage::new(variant),
                )?,
                collector: source.unit(
                    "result_collector",
                    &at("result_collector"),
                    ResultCollector::default(),
                )?,
                reserved: Reservation::default(),
                int_free: 0,
                fp_free: 0,
                flights: (0..FLIGHTS).map(|_| None).collect(),
                under_way: vec![],
                entering: BTreeMap::new(),
                leaving: BTreeMap::new(),
                shifting: false,
                reshifting: false,
                cycle: 0,
            })
        };
        Ok(Lanes {
            sps: (0..config.sm.sp_units).map(sp).collect::<Result<_, _>>()?,
            variant,
            elision: lanes.elision(),
            extra_stages: lanes.extra_stages,
            bypass: lanes.bypass,
            launch: None,
            program: None,
            scratch: RegFile::default(),
            done: VecDeque::new(),
            instructions: [0; 2],
            folded: [0; 2],
            refused: 0,
        })
    }

    /// Prepares for the registers of a kernel.
    pub fn kernel(&mut self, launch: &Arc<Launch>, program: &Arc<Program>) {
        self.scratch = RegFile::new(launch.kernel().regs);
        self.launch = Some(launch.clone());
        self.program = Some(program.clone());
    }

    /// Whether an SP can take no further instruction.
    pub fn is_full(&self, sp: usize) -> bool {
        self.sps[sp].under_way.len() == FLIGHTS
    }

    /// Whether a warp goes through the stages.
    pub fn takes(&self, split: bool) -> bool {
        split || !self.bypass
    }

    /// The lanes that will execute a warp with this mask.
    pub fn executing(&self, active: u32, split: bool) -> u32 {
        if !self.takes(split) {
            active
        } else if split && !self.elision.cancels(active) {
            [false, true]
                .into_iter()
                .fold(0, |all, upper| all | lane_mask(self.variant, half(active, upper)))
        } else {
            lane_mask(self.variant, active)
        }
    }

    /// How a warp goes through whose instruction has no data for the stages, such as a branch, or goes around
    /// them.
    pub fn passes(&mut self, pipe: SpPipe, active: u32, split: bool) -> Passes {
        let folded = split && !self.elision.cancels(active);
        self.count(pipe, folded);
        let extra_latency = if self.takes(split) { self.stage_cycles() } else { 0 };
        Passes { count: if folded { 2 } else { 1 }, extra_latency }
    }

    fn count(&mut self, pipe: SpPipe, folded: bool) {
        self.instructions[pipe as usize] += 1;
        self.folded[pipe as usize] += u64::from(folded);
    }

    /// Cycles that the two stages add to an instruction.
    fn stage_cycles(&self) -> u64 {
        if self.extra_stages {
            STAGES
        } else {
            0
        }
    }

    /// Cycles behind its execution in which a warp's results are still re-shifted.
    pub fn behind(&self, split: bool) -> u64 {
        if self.takes(split) {
            self.stage_cycles() / 2
        } else {
            0
        }
    }

    /// Takes an instruction.
    pub fn take(&mut self, work: LaneWork, split: bool) -> LaneSlot {
        let Where::Sp(pipe) = work.candidate.unit else {
            unreachable!("only SP instructions have lanes");
        };
        let plan = self.plan(work.candidate.pc);
        let beats = |(words, flags): (usize, usize), wide: usize| {
            words.div_ceil(wide).max(flags).max(1) as u64
        };
        let (beats_in, beats_out) = (beats(plan.0, OPERANDS), beats(plan.1, 1));
        // Without stages of their own, shift and re-shift take the first and the last execution cycle.
        let latency = (work.timing.latency + self.stage_cycles()).saturating_sub(STAGES).max(1);
        let sp = &mut self.sps[work.candidate.sp];
        sp.reserved.forget(work.cycle);
        // Issue asks the stage itself whether the second half exists.
        let offer = shift_stage::In {
            active_mask: work.candidate.active.0,
            split,
            cfg_elision: self.elision as u8,
            ..Default::default()
        };
        let folded = split && sp.shift.eval(&offer).takes_two;
        let passage = Passage {
            halves: if folded { 2 } else { 1 },
            interval: work.timing.interval.max(beats_in).max(beats_out),
            beats_in,
            beats_out,
            latency,
        };
        let free = match pipe {
            SpPipe::Int => &mut sp.int_free,
            SpPipe::Fp => &mut sp.fp_free,
        };
        let start = sp.reserved.reserve(work.ready.max(*free), &passage, ENTRIES);
        *free = start + passage.interval * passage.halves;
        let end = start + passage.end();
        let id = sp.flights.iter().position(Option::is_none).unwrap_or(0);
        for half in 0..passage.halves {
            for beat in 0..beats_in {
                let at = Beat { flight: id, half: half as usize, beat: beat as usize };
                sp.entering.insert(start + passage.enters(half, beat), at);
            }
        }
        let halves = Default::default();
        let results = Rows::default();
        sp.flights[id] = Some(Flight { work, split, passage, end, halves, results });
        sp.under_way.push(id);
        self.count(pipe, folded);
        LaneSlot { start, end, passes: passage.halves }
    }

    /// Rows and flags that the instruction takes, and those that it brings back.
    fn plan(&self, pc: u32) -> ((usize, usize), (usize, usize)) {
        let plan = self.program.as_ref().and_then(|p| p.code[pc as usize].lanes.as_ref());
        plan.map_or(((0, 0), (0, 0)), |plan| (plan.sources(), plan.results()))
    }

    /// Runs the stages up to and including `cycle`; what is complete then comes one at a time.
    pub fn result(&mut self, cycle: u64) -> Option<LaneResult> {
        for sp in 0..self.sps.len() {
            while self.sps[sp].cycle <= cycle {
                let now = self.sps[sp].cycle;
                match self.sps[sp].next_event(now) {
                    Some(event) if event <= cycle => {
                        self.sps[sp].idle(event - now);
                        self.cycle(sp, event);
                    }
                    _ => self.sps[sp].idle(cycle + 1 - now),
                }
            }
        }
        self.done.pop_front()
    }

    /// One cycle of an SP.
    fn cycle(&mut self, n: usize, now: u64) {
        let (launch, program) = match (&self.launch, &self.program) {
            (Some(launch), Some(program)) => (launch.clone(), program.clone()),
            _ => return,
        };
        let cfg_elision = self.elision as u8;
        let sp = &mut self.sps[n];
        let entering = sp.entering.remove(&now);
        if entering.is_some() || sp.shifting {
            let inputs = entering.map_or_else(Default::default, |beat| sp.operands(beat));
            let inputs = shift_stage::In { cfg_elision, ..inputs };
            let shifted = sp.shift.eval(&inputs);
            sp.shift.tick();
            sp.shifting = entering.is_some();
            if shifted.valid {
                sp.shifted(&shifted, now, &launch, &program, &mut self.scratch);
            }
        } else {
            sp.shift.pass(1);
        }
        let leaving = sp.leaving.remove(&now);
        let mut restored = reshift_stage::Out::default();
        if leaving.is_some() || sp.reshifting {
            let inputs = leaving.map_or_else(Default::default, |beat| sp.executed(beat));
            restored = sp.reshift.eval(&inputs);
            sp.reshift.tick();
            sp.reshifting = leaving.is_some();
        } else {
            sp.reshift.pass(1);
        }
        if restored.valid {
            let collected = sp.collector.eval(&result_collector::In {
                half_valid: true,
                half_tag: restored.tag,
                half_folded: restored.folded,
                half_last: restored.last,
                half_mask: restored.mask,
                half_result: restored.restored,
                half_flag: restored.restored_flag,
            });
            sp.collector.tick();
            self.refused += u64::from(collected.error);
            if collected.valid {
                sp.collected(&collected, &program);
            }
        } else {
            sp.collector.pass(1);
        }
        sp.finish(now, &mut self.done);
        sp.cycle = now + 1;
    }
}

impl Sp {
    /// The next cycle from `now` on in which a stage has something to do.
    fn next_event(&self, now: u64) -> Option<u64> {
        if self.shifting || self.reshifting {
            return Some(now);
        }
        let first = |map: &BTreeMap<u64, Beat>| map.first_key_value().map(|(cycle, _)| *cycle);
        let flights = self.under_way.iter().filter_map(|id| self.flights[*id].as_ref());
        let ends = flights.map(|flight| flight.end).min();
        [first(&self.entering), first(&self.leaving), ends].into_iter().flatten().min()
    }

    /// Cycles in which no stage is clocked.
    fn idle(&mut self, cycles: u64) {
        if cycles > 0 {
            self.shift.pass(cycles);
            self.reshift.pass(cycles);
            self.collector.pass(cycles);
            self.cycle += cycles;
        }
    }

    /// What enters the shift stage.
    fn operands(&self, beat: Beat) -> shift_stage::In {
        let Some(flight) = &self.flights[beat.flight] else { return Default::default() };
        let rows = &flight.work.operands;
        let word = |n: usize| rows.words.get(beat.beat * OPERANDS + n).copied().unwrap_or([0; 32]);
        shift_stage::In {
            issue_valid: true,
            issue_tag: (beat.flight * BEATS + beat.beat) as u8,
            active_mask: flight.work.candidate.active.0,
            split: flight.split,
            sub_warp: beat.half == 1,
            operand_a: word(0),
            operand_b: word(1),
            operand_c: word(2),
            operand_flag: rows.flags.get(beat.beat).copied().unwrap_or(0),
            cfg_elision: 0,
        }
    }

    /// What left the shift stage; once a half is complete it executes.
    fn shifted(
        &mut self,
        out: &shift_stage::Out,
        now: u64,
        launch: &Launch,
        program: &Program,
        scratch: &mut RegFile,
    ) {
        let (id, beat) = (usize::from(out.tag) / BEATS, usize::from(out.tag) % BEATS);
        let Some(flight) = &mut self.flights[id] else { return };
        let pc = flight.work.candidate.pc as usize;
        let Some(plan) = &program.code[pc].lanes else { return };
        let half = &mut flight.halves[usize::from(out.last)];
        let (words, flags) = plan.sources();
        let left = words.saturating_sub(beat * OPERANDS).min(OPERANDS);
        half.operands
            .words
            .extend_from_slice(&[out.shifted_a, out.shifted_b, out.shifted_c][..left]);
        if beat < flags {
            half.operands.flags.push(out.shifted_flag);
        }
        if (beat as u64) + 1 < flight.passage.beats_in {
            return;
        }
        half.temp_mask = out.temp_mask;
        half.folded = out.folded;
        half.last = out.last;
        let inst = &launch.kernel().insts[pc];
        let mask = LaneMask(out.lane_mask);
        half.results = plan.evaluate(launch, inst, scratch, mask, &half.operands);
        for beat in 0..flight.passage.beats_out {
            let at = Beat { flight: id, half: usize::from(out.last), beat: beat as usize };
            self.leaving.insert(now + flight.passage.latency + beat, at);
        }
    }

    /// What enters the re-shift stage.
    fn executed(&self, beat: Beat) -> reshift_stage::In {
        let Some(flight) = &self.flights[beat.flight] else { return Default::default() };
        let half = &flight.halves[beat.half];
        reshift_stage::In {
            execute_valid: true,
            execute_tag: (beat.flight * BEATS + beat.beat) as u8,
            execute_folded: half.folded,
            execute_last: half.last,
            temp_mask: half.temp_mask,
            result: half.results.words.get(beat.beat).copied().unwrap_or([0; 32]),
            result_flag: half.results.flags.get(beat.beat).copied().unwrap_or(0),
        }
    }

    /// What the collector put on the bus.
    fn collected(&mut self, out: &result_collector::Out<ENTRIES>, program: &Program) {
        let (id, beat) = (usize::from(out.tag) / BEATS, usize::from(out.tag) % BEATS);
        let Some(flight) = &mut self.flights[id] else { return };
        let Some(plan) = &program.code[flight.work.candidate.pc as usize].lanes else { return };
        let (words, flags) = plan.results();
        if beat < words {
            flight.results.words.resize(words, [0; 32]);
            flight.results.words[beat] = out.result;
        }
        if beat < flags {
            flight.results.flags.resize(flags, 0);
            flight.results.flags[beat] = out.flag;
        }
    }

    /// Instructions whose last results are due in this cycle go back to the SM with what there is.
    fn finish(&mut self, now: u64, done: &mut VecDeque<LaneResult>) {
        let flights = &mut self.flights;
        self.under_way.retain(|id| {
            let due = flights[*id].take_if(|flight| flight.end <= now);
            done.extend(due.map(|flight| LaneResult {
                warp: flight.work.candidate.warp,
                pc: flight.work.candidate.pc,
                executed: flight.work.executed,
                results: flight.results,
            }));
            flights[*id].is_some()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attach::Models;
    use crate::machine::config::Pipe;
    use crate::machine::sm::hooks::Candidate;

    fn lanes(set: &str) -> Lanes {
        let config = MachineConfig::read("gtx480", &[set.into()]).expect("it is shipped");
        Lanes::new("sm0", &config, &Models).expect("it fits")
    }

    fn work(active: u32, timing: Pipe) -> LaneWork {
        let active = LaneMask(active);
        let candidate = Candidate { warp: 0, pc: 0, unit: Where::Sp(SpPipe::Int), sp: 0, active };
        let operands = Rows::default();
        LaneWork { candidate, executed: active, cycle: 8, ready: 10, timing, operands }
    }

    #[test]
    fn a_folded_full_warp_occupies_an_sp_for_two_initiation_intervals() {
        for interval in [1, 2, 8] {
            let timing = Pipe { latency: 20, interval };
            let starts = |active: u32, split: bool| {
                let mut lanes = lanes("mechanisms.lanes.elision=half");
                [(); 3].map(|_| lanes.take(work(active, timing), split).start)
            };
            let apart = |passes: u64| [0, 1, 2].map(|n| 10 + n * passes * interval);
            assert_eq!(starts(u32::MAX, true), apart(2));
            assert_eq!(starts(u32::MAX, false), apart(1));
            // One half would be empty.
            assert_eq!(starts(0x3333_3333, true), apart(1));
        }
    }

    #[test]
    fn stages_cost_two_cycles_or_none() {
        let timing = Pipe { latency: 4, interval: 1 };
        let end = |set: &str| lanes(set).take(work(u32::MAX, timing), false).end;
        assert_eq!(end("mechanisms.lanes.extra_stages=true"), 10 + 4 + 2);
        assert_eq!(end("mechanisms.lanes.extra_stages=false"), 10 + 4);
        let branch = |set: &str, split| lanes(set).passes(SpPipe::Int, u32::MAX, split);
        let bypass = "mechanisms.lanes.bypass=true";
        assert_eq!(branch(bypass, false), Passes { count: 1, extra_latency: 0 });
        assert_eq!(branch(bypass, true), Passes { count: 2, extra_latency: 2 });
        assert!(!lanes(bypass).takes(false) && lanes(bypass).takes(true));
    }
}
