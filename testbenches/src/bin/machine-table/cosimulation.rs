//! The table of co-simulation: the same kernel with mechanisms attached, by what stands behind their blocks.

use crate::stopwatch::{timed, Measured};
use lanewise_sim::attach;
use lanewise_sim::job::Job;
use lanewise_sim::machine::config::MachineConfig;
use lanewise_sim::machine::Limits;
use lanewise_studies::Kernel;
use lanewise_testbenches::cosim::{BackEnd, Bench, Choice};
use lanewise_testbenches::lockstep::Alarm;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

/// The mechanisms at the lanes, and these with what looks on in every cycle.
const ATTACHED: [&str; 2] =
    ["lanes,gating,folding,types,groups", "lanes,gating,folding,types,groups,crisp"];

const BACK_ENDS: [BackEnd; 3] = [BackEnd::Model, BackEnd::Verilated, BackEnd::Lockstep];

/// Measures `matmul` on 4 SMs.
pub fn table(size: &str, tries: u32) -> Result<String, String> {
    let kernels = Kernel::shipped().map_err(|e| e.to_string())?;
    let matmul = kernels.iter().find(|kernel| kernel.name == "matmul");
    let job = matmul.ok_or("kernels/matmul is missing; put it back")?;
    let job = job.job(size).map_err(|e| e.to_string())?;
    // Writing to a string cannot fail.
    let mut out = String::from(
        "| attached | back end | k warp instructions/s | of model |\n| --- | --- | ---: | ---: |\n",
    );
    for attached in ATTACHED {
        // They take turns, so that what slows the computer down for a while slows them all.
        let mut best: [Option<Measured>; BACK_ENDS.len()] = Default::default();
        for _ in 0..tries.max(1) {
            for (back_end, best) in BACK_ENDS.into_iter().zip(&mut best) {
                let measured = once(&job, attached, back_end)?;
                if best.as_ref().is_none_or(|best| measured.spent < best.spent) {
                    *best = Some(measured);
                }
            }
        }
        let rates: Vec<f64> = best.iter().flatten().map(rate).collect();
        for (back_end, rate) in BACK_ENDS.into_iter().zip(&rates) {
            let (name, share) = (back_end.name(), rate / rates[0] * 100.0);
            let _ = writeln!(out, "| {attached} | {name} | {:.1} | {share:.0} % |", rate * 1e-3);
        }
    }
    Ok(out)
}

fn rate(measured: &Measured) -> f64 {
    let executed: u64 = measured.timing.kernels.iter().map(|k| k.warp_instructions).sum();
    executed as f64 / measured.spent.max(Duration::from_nanos(1)).as_secs_f64()
}

/// One run; blocks that differ, or that cannot be built, are an error.
fn once(job: &Job, attached: &str, back_end: BackEnd) -> Result<Measured, String> {
    let at = |error: String| format!("{attached} with {}: {error}", back_end.name());
    let set = ["gpu.sms=4".to_string(), format!("mechanisms.attach={attached}")];
    let config = Arc::new(MachineConfig::read("gtx480", &set).map_err(|e| e.to_string())?);
    let alarm = Alarm::default();
    let choice =
        Choice { all: back_end, mismatch_waves: std::env::temp_dir(), ..Choice::default() };
    let bench = Bench::new(choice, &alarm, None, vec![]).map_err(at)?;
    let machine = attach::machine(&config, Limits::default(), 1, &bench);
    let measured = timed(job, machine.map_err(|e| at(e.to_string()))?).map_err(at)?;
    match alarm.raised() {
        Some(mismatch) => Err(at(mismatch.to_string())),
        None => Ok(measured),
    }
}
