//! What `cosim run` prints and writes beside the record.

use lanewise_files::whole;
use lanewise_sim::attach::{array_counts, Attached, AttachedSlice, LaneCycles};
use lanewise_sim::job::{Job, Record};
use lanewise_sim::machine::config::{ArrayKind, Enable};
use lanewise_sim::machine::sm::hooks::Silent;
use lanewise_sim::machine::sm::Stall;
use lanewise_sim::machine::{Machine, SeriesRow, TimingRecord, Trace, Watch};
use std::fmt::Write as _;
use std::path::Path;

/// Instruction counts.
pub fn print_functional(record: &Record) {
    for kernel in &record.kernels {
        say!(
            "{}: {} launches, {} threads, {} warp instructions, {} thread instructions",
            kernel.kernel,
            kernel.launches,
            kernel.threads,
            kernel.warp_instructions,
            kernel.thread_instructions
        );
    }
}

/// A short table: time, where the issue slots went, and the caches.
pub fn print_timing(timing: &TimingRecord) {
    for kernel in &timing.kernels {
        say!(
            "{}: {} launches, {} cycles ({:.1} us), {} warp instructions, {:.3} a cycle",
            kernel.kernel,
            kernel.launches,
            kernel.cycles,
            kernel.time_ns * 1e-3,
            kernel.warp_instructions,
            kernel.warp_instructions_per_cycle
        );
        say!(
            "  {} registers a thread, {} blocks an SM (limit: {})",
            kernel.registers_per_thread,
            kernel.blocks_per_sm,
            kernel.occupancy_limit
        );
        let stalls = &kernel.all_sms.scheduler_cycles;
        let total = stalls.total().max(1) as f64;
        let shares = Stall::ALL.iter().filter(|reason| stalls.of(**reason) > 0).map(|reason| {
            format!("{} {:.1} %", reason.name(), stalls.of(*reason) as f64 / total * 100.0)
        });
        say!("  issue slots: {}", shares.collect::<Vec<_>>().join(", "));
        let sm = &kernel.all_sms;
        let mut caches = String::new();
        for (name, c) in [
            ("L1 data", &sm.l1_data),
            ("constant", &sm.l1_constant),
            ("texture", &sm.l1_texture),
            ("instruction", &sm.l1_instruction),
        ] {
            if c.accesses > 0 {
                let hits = c.hits as f64 / c.accesses as f64 * 100.0;
                let _ = write!(caches, "{name} {:.1} % of {}, ", hits, c.accesses);
            }
        }
        let l2 = &kernel.l2;
        let hits = l2.hits as f64 / l2.accesses.max(1) as f64 * 100.0;
        say!("  hits: {caches}L2 {hits:.1} % of {}", l2.accesses);
        let dram = &kernel.dram;
        say!(
            "  DRAM: {} lines read, {} written, {} rows opened",
            dram.reads,
            dram.writes,
            dram.activates
        );
    }
    say!("{}: {} cycles, {:.1} us", timing.machine, timing.cycles, timing.time_ns * 1e-3);
}

/// What the attached mechanisms did, all SMs together.
pub fn print_mechanisms(machine: &mut Machine<Attached, AttachedSlice>) {
    let Some(gpu) = machine.gpu_mut() else { return };
    let first = gpu.sms.first_mut().and_then(|sm| sm.hooks.crisp.as_mut());
    let crisp = first.map(|crisp| crisp.reading());
    let sms = || gpu.sms.iter().map(|sm| &sm.hooks);
    let (mut through, mut folded) = (0, 0);
    for lanes in sms().filter_map(|hooks| hooks.lanes.as_ref()) {
        through += lanes.instructions.iter().sum::<u64>();
        folded += lanes.folded.iter().sum::<u64>();
    }
    if through > 0 {
        let share = folded as f64 / through as f64 * 100.0;
        say!("lanes: {through} warp instructions, {share:.1} % folded");
    }
    for (pipe, name) in ["INT", "FP"].iter().enumerate() {
        let counts: Vec<_> =
            sms().filter_map(|hooks| hooks.gating.as_ref()).map(|g| g.counts()[pipe]).collect();
        if counts.is_empty() {
            continue;
        }
        let sum = |f: fn(&LaneCycles) -> u64| counts.iter().map(f).sum::<u64>();
        let gated = sum(|c| c.uncompensated + c.compensated);
        let all = gated + sum(|c| c.busy + c.idle + c.waking);
        say!(
            "{name} gates: {:.1} % of lane-cycles gated, {} times",
            gated as f64 / all.max(1) as f64 * 100.0,
            sum(|c| c.gating_events)
        );
    }
    if let Some(now) = crisp {
        say!(
            "crisp (SM 0): {} cycles, load critical path {}, load stalls {}, store stalls {}",
            now.cycles,
            now.t_lcp,
            now.load_stalls,
            now.store_stalls
        );
        say!(
            "crisp-plus (SM 0): {} active cycles, {} stalls, {} idle and {} single under loads, {} blocked; {:.1} % of {} live \
             warps compute",
            now.active_cycles,
            now.stalls,
            now.idle_under_loads,
            now.single_under_loads,
            now.blocked_cycles,
            100.0 * now.computing_warps as f64 / now.live_warps.max(1) as f64,
            now.live_warps
        );
    }
    let arrays = array_counts(gpu);
    for kind in ArrayKind::ALL {
        let counts = &arrays[kind];
        if counts.accesses() > 0 {
            say!(
                "{}: {} accesses, {} wake-ups, {} cycles later, {:.2} % awake, {} word-line segments opened",
                kind.name(),
                counts.accesses(),
                counts.wake_ups,
                counts.delay_cycles,
                counts.awake_word_cycles as f64 / counts.word_cycles.max(1) as f64 * 100.0,
                counts.opened
            );
        }
        let lane = gpu.config().mechanisms.caches.array(kind).enable == Enable::Lane;
        if lane && counts.opened > 0 && counts.wrong_by_lane > 0 {
            eprintln!(
                "cosim: warning: {}: {} accesses want a word that enabling by thread leaves closed",
                kind.name(),
                counts.wrong_by_lane
            );
        }
    }
}

/// Writes `series.csv`: the sum over SMs, a row an interval.
pub fn write_series(
    machine: &Machine<Watch, Silent>,
    interval: u64,
    directory: &Path,
) -> Result<(), String> {
    let mut text = format!("start_cycle,{}\n", SeriesRow::COLUMNS.join(","));
    let sms = machine.gpu().map_or(&[][..], |gpu| &gpu.sms);
    let rows = sms.iter().map(|sm| sm.hooks.rows().len()).max().unwrap_or(0);
    for n in 0..rows {
        let mut sum = [0; SeriesRow::COLUMNS.len()];
        for row in sms.iter().filter_map(|sm| sm.hooks.rows().get(n)) {
            std::iter::zip(&mut sum, row.values()).for_each(|(sum, value)| *sum += value);
        }
        let _ = write!(text, "{}", n as u64 * interval);
        sum.iter().for_each(|value| {
            let _ = write!(text, ",{value}");
        });
        text.push('\n');
    }
    whole(&directory.join("series.csv"), |out| out.write_all(text.as_bytes()))
}

/// Writes the pipeline trace.
pub fn write_trace(machine: &Machine<Watch, Silent>, job: &Job, file: &Path) -> Result<(), String> {
    let sms = machine.gpu().map_or(&[][..], |gpu| &gpu.sms);
    let traces: Vec<&Trace> = sms.iter().filter_map(|sm| sm.hooks.trace()).collect();
    if traces.iter().any(|trace| trace.is_truncated()) {
        eprintln!(
            "cosim: the trace is full and ends early; --sms 1 or --max-cycles make it smaller"
        );
    }
    whole(file, |out| Trace::write(&traces, job.module(), out))
}
