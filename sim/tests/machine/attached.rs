//! Mechanisms attached as golden models: kernels still give the right results, through the real data path.

use super::harness::{job, kernels, machine};
use lanewise_sim::attach::{Attached, AttachedSlice, Models};
use lanewise_sim::job::{Job, Outcome, RunOptions};
use lanewise_sim::machine::config::MachineConfig;
use lanewise_sim::machine::{Limits, Machine};
use std::sync::Arc;

fn run(job: &Job, config: &Arc<MachineConfig>) -> (Outcome, Machine<Attached, AttachedSlice>) {
    let (sms, slices) = (config.clone(), config.clone());
    let mut machine = Machine::new(
        config,
        Limits::default(),
        1,
        move |sm| Attached::new(sm, &sms, &Models).unwrap(),
        move |slice| AttachedSlice::new(slice, &slices, &Models).unwrap(),
    )
    .unwrap();
    let outcome = job.run_on(&mut machine, &RunOptions::default());
    (outcome.unwrap_or_else(|e| panic!("{e}")), machine)
}

#[test]
fn every_kernel_all() {
    for path in
        kernels().into_iter().filter(|p| std::env::var("K").map_or(true, |k| p.ends_with(k)))
    {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let job = job(&name, None);
        let t = std::time::Instant::now();
        let attach = std::env::var("A").unwrap_or("lanes,gating,folding,crisp,drowsy,dwl".into());
        let (o, m) = run(&job, &machine(&["gpu.sms=4", &format!("mechanisms.attach={attach}")]));
        let s = t.elapsed().as_secs_f64();
        let gpu = m.gpu().unwrap();
        let l = gpu.sms[0].hooks.lanes.as_ref();
        println!(
            "{name}: {} cycles {:.3} M/s passed {} lanes {:?} gating {:?} {:?}",
            o.record.timing.as_ref().unwrap().cycles,
            o.record
                .timing
                .as_ref()
                .unwrap()
                .kernels
                .iter()
                .map(|k| k.warp_instructions)
                .sum::<u64>() as f64
                / s
                * 1e-6,
            o.passed(),
            l.map(|l| (l.instructions, l.folded, l.refused)),
            gpu.sms[0].hooks.gating.as_ref().map(|g| g.counts()),
            gpu.sms[0].hooks.crisp.as_ref().map(|g| g.now.clone()),
        );
    }
}
