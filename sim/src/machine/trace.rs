//! A pipeline trace in the JSON that Perfetto and chrome://tracing open: warps and units over time.
//!
//! One process an SM, tracks for each warp slot and unit. A microsecond in the viewer is a core cycle. Perfetto drops
//! slices of a track that overlap without nesting, so what overlaps goes to further tracks of the same name.

use super::sm::decode::{SpPipe, Unit};
use super::sm::hooks::Issue;
use crate::ptx::Module;
use std::io::{self, Write};

/// Events after which an SM records no more, so that a long run does not fill the memory.
const MOST_EVENTS: usize = 1_000_000;

/// Where an event is shown; tracks appear in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Track {
    Warp(usize),
    Int(usize),
    Fp(usize),
    Sfu,
    Ldst,
}

impl Track {
    fn name(self) -> String {
        match self {
            Track::Warp(warp) => format!("warp {warp:02}"),
            Track::Int(sp) => format!("unit SP{sp} INT"),
            Track::Fp(sp) => format!("unit SP{sp} FP"),
            Track::Sfu => "unit SFU".into(),
            Track::Ldst => "unit LD/ST".into(),
        }
    }
}

/// An event without an end is a moment.
#[derive(Clone, Copy, Debug)]
struct Event {
    track: Track,
    start: u64,
    end: Option<u64>,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    /// The instruction on this line of the PTX file.
    Instruction(u32),
    Barrier,
}

/// A memory instruction on its way.
#[derive(Clone, Copy, Debug)]
struct Open {
    warp: usize,
    pc: u32,
    line: u32,
    start: u64,
}

/// The trace of one SM.
#[derive(Clone, Debug)]
pub struct Trace {
    sm: usize,
    events: Vec<Event>,
    open: Vec<Open>,
    /// Whether events were left out.
    truncated: bool,
}

impl Trace {
    /// Nothing yet.
    pub fn new(sm: usize) -> Self {
        Trace { sm, events: vec![], open: vec![], truncated: false }
    }

    /// Whether events were left out because there were too many.
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    fn push(&mut self, event: Event) {
        if self.events.len() < MOST_EVENTS {
            self.events.push(event);
        } else {
            self.truncated = true;
        }
    }

    /// An instruction on a track; nothing takes less than a cycle.
    fn slice(&mut self, track: Track, line: u32, start: u64, end: u64) {
        let end = Some(end.max(start + 1));
        self.push(Event { track, start, end, what: What::Instruction(line) });
    }

    pub(super) fn issued(&mut self, issue: &Issue) {
        let Issue { candidate, line, cycle, start, end, occupies, .. } = *issue;
        let (warp, pc, sp) = (candidate.warp, candidate.pc, candidate.sp);
        let unit = match candidate.unit {
            Unit::Sp(SpPipe::Int) => Track::Int(sp),
            Unit::Sp(SpPipe::Fp) => Track::Fp(sp),
            Unit::Sfu => Track::Sfu,
            Unit::Ldst if issue.executed.count() > 0 => {
                return self.open.push(Open { warp, pc, line, start: cycle });
            }
            // Its guard held nowhere: it never enters the queue, and nothing tells of its end.
            Unit::Ldst => return self.slice(Track::Warp(warp), line, cycle, end),
        };
        self.slice(Track::Warp(warp), line, cycle, end);
        self.slice(unit, line, start, start + occupies);
    }

    pub(super) fn completed(&mut self, warp: usize, pc: u32, cycle: u64) {
        if let Some(at) = self.open.iter().position(|o| (o.warp, o.pc) == (warp, pc)) {
            let Open { line, start, .. } = self.open.remove(at);
            self.slice(Track::Warp(warp), line, start, cycle);
            self.slice(Track::Ldst, line, start, cycle);
        }
    }

    pub(super) fn barrier(&mut self, warp: usize, cycle: u64) {
        let track = Track::Warp(warp);
        self.push(Event { track, start: cycle, end: None, what: What::Barrier });
    }

    /// Writes the traces of all SMs; instructions are named by their PTX text.
    pub fn write(traces: &[&Trace], module: &Module, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")?;
        for (n, trace) in traces.iter().enumerate() {
            let sm = trace.sm;
            let comma = if n == 0 { "" } else { "," };
            write!(
                out,
                "{comma}\n{{\"ph\":\"M\",\"pid\":{sm},\"name\":\"process_name\",\
                 \"args\":{{\"name\":\"SM {sm}\"}}}}"
            )?;
            trace.write_tracks(module, out)?;
        }
        write!(out, "\n]}}\n")
    }

    fn write_tracks(&self, module: &Module, out: &mut dyn Write) -> io::Result<()> {
        let mut events: Vec<&Event> = self.events.iter().collect();
        events.sort_by_key(|event| (event.track, event.start, event.end));
        let mut first_id = 0;
        for events in events.chunk_by(|a, b| a.track == b.track) {
            // When each of the tracks of this name is free again.
            let mut free: Vec<u64> = vec![0];
            for event in events {
                let at = match event.end {
                    None => 0,
                    Some(end) => {
                        let at = free.iter().position(|free| *free <= event.start);
                        let at = at.unwrap_or(free.len());
                        free.resize(free.len().max(at + 1), 0);
                        free[at] = end;
                        at
                    }
                };
                self.write_event(event, first_id + at, module, out)?;
            }
            let name = events[0].track.name();
            for id in first_id..first_id + free.len() {
                write!(
                    out,
                    ",\n{{\"ph\":\"M\",\"pid\":{},\"tid\":{id},\"name\":\"thread_name\",\
                     \"args\":{{\"name\":\"{name}\"}}}}",
                    self.sm
                )?;
            }
            first_id += free.len();
        }
        Ok(())
    }

    fn write_event(
        &self,
        event: &Event,
        id: usize,
        module: &Module,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let name = match event.what {
            What::Instruction(line) => module.source.line(line).trim(),
            What::Barrier => "barrier",
        };
        let name = serde_json::Value::from(name);
        let (sm, start) = (self.sm, event.start);
        write!(out, ",\n{{\"pid\":{sm},\"tid\":{id},\"ts\":{start},\"name\":{name},")?;
        match event.end {
            Some(end) => write!(out, "\"ph\":\"X\",\"dur\":{}}}", end - start),
            None => write!(out, "\"ph\":\"i\",\"s\":\"t\"}}"),
        }
    }
}
