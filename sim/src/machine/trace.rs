//! A pipeline trace in the JSON that Perfetto and chrome://tracing open: warps and units over time.
//!
//! One process an SM, one track a warp slot and one a unit. A microsecond in the viewer is a core cycle.

use super::sm::decode::{SpPipe, Unit};
use super::sm::hooks::Issue;
use crate::ptx::Module;
use std::io::{self, Write};

/// Events after which an SM records no more, so that a long run does not fill the memory.
const MOST_EVENTS: usize = 1_000_000;

/// Tracks of units come after those of the warps.
const UNIT_TRACKS: u32 = 1000;

#[derive(Clone, Copy, Debug)]
struct Event {
    track: u32,
    start: u64,
    end: u64,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    /// The instruction on this line of the PTX file.
    Instruction(u32),
    Barrier,
}

/// The trace of one SM.
#[derive(Clone, Debug)]
pub struct Trace {
    sm: usize,
    events: Vec<Event>,
    /// Memory instructions on their way: warp, pc, line and cycle of issue.
    open: Vec<(usize, u32, u32, u64)>,
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

    pub(super) fn issued(&mut self, issue: &Issue) {
        let candidate = &issue.candidate;
        let what = What::Instruction(issue.line);
        let (warp, sp) = (candidate.warp as u32, candidate.sp as u32);
        let unit = match candidate.unit {
            Unit::Sp(SpPipe::Int) => 2 * sp,
            Unit::Sp(SpPipe::Fp) => 2 * sp + 1,
            Unit::Sfu => 100,
            Unit::Ldst => {
                self.open.push((candidate.warp, candidate.pc, issue.line, issue.cycle));
                return;
            }
        };
        self.push(Event { track: warp, start: issue.cycle, end: issue.end, what });
        // The unit takes the next instruction in the following cycle: its track shows where each entered.
        let entered =
            Event { track: UNIT_TRACKS + unit, start: issue.start, end: issue.start + 1, what };
        self.push(entered);
    }

    pub(super) fn completed(&mut self, warp: usize, pc: u32, cycle: u64) {
        if let Some(at) = self.open.iter().position(|o| (o.0, o.1) == (warp, pc)) {
            let (_, _, line, start) = self.open.remove(at);
            let what = What::Instruction(line);
            self.push(Event { track: warp as u32, start, end: cycle, what });
            self.push(Event { track: UNIT_TRACKS + 101, start, end: cycle, what });
        }
    }

    pub(super) fn barrier(&mut self, warp: usize, cycle: u64) {
        self.push(Event { track: warp as u32, start: cycle, end: cycle + 1, what: What::Barrier });
    }

    /// Writes the traces of all SMs; instructions are named by their PTX text.
    pub fn write(traces: &[&Trace], module: &Module, out: &mut dyn Write) -> io::Result<()> {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        write!(out, "{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")?;
        let mut first = true;
        let mut comma = |out: &mut dyn Write| -> io::Result<()> {
            let separator = if std::mem::take(&mut first) { "\n" } else { ",\n" };
            out.write_all(separator.as_bytes())
        };
        for trace in traces {
            let sm = trace.sm;
            comma(out)?;
            write!(
                out,
                "{{\"ph\":\"M\",\"pid\":{sm},\"name\":\"process_name\",\"args\":{{\"name\":\"SM {sm}\"}}}}"
            )?;
            let mut tracks: Vec<u32> = trace.events.iter().map(|e| e.track).collect();
            tracks.sort_unstable();
            tracks.dedup();
            for track in tracks {
                comma(out)?;
                write!(
                    out,
                    "{{\"ph\":\"M\",\"pid\":{sm},\"tid\":{track},\"name\":\"thread_name\",\
                     \"args\":{{\"name\":\"{}\"}}}}",
                    track_name(track)
                )?;
            }
            for event in &trace.events {
                let name = match event.what {
                    What::Instruction(line) => quoted(module.source.line(line).trim()),
                    What::Barrier => quoted("barrier"),
                };
                comma(out)?;
                write!(
                    out,
                    "{{\"ph\":\"X\",\"pid\":{sm},\"tid\":{},\"ts\":{},\"dur\":{},\"name\":{name}}}",
                    event.track,
                    event.start,
                    (event.end - event.start).max(1),
                )?;
            }
        }
        write!(out, "\n]}}\n")
    }
}

fn track_name(track: u32) -> String {
    match track.checked_sub(UNIT_TRACKS) {
        None => format!("warp {track:02}"),
        Some(100) => "unit SFU".into(),
        Some(101) => "unit LD/ST".into(),
        Some(unit) => format!("unit SP{} {}", unit / 2, if unit % 2 == 0 { "INT" } else { "FP" }),
    }
}
