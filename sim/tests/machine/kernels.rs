//! Every shipped kernel gives the same results with timing as without.

use super::harness::{job, kernels, machine, run};
use lanewise_sim::job::RunOptions;

#[test]
fn vecadd() {
    let job = job("vecadd", None);
    let o = run(&job, &machine(&["gpu.sms=1"]), 1);
    println!("{}", serde_json::to_string_pretty(&o.record).unwrap());
    assert!(o.passed());
}

#[test]
fn every_kernel() {
    for path in
        kernels().into_iter().filter(|p| std::env::var("K").map_or(true, |k| p.ends_with(k)))
    {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let job = job(&name, None);
        let f = job.run(&RunOptions::default()).unwrap();
        let t = std::time::Instant::now();
        let o = run(&job, &machine(&[]), 1);
        let s = t.elapsed().as_secs_f64();
        println!(
            "{name}: {} cycles {} winst {:.3} M/s  passed {} func winst {}",
            o.record.timing.as_ref().unwrap().cycles,
            o.record.warp_instructions,
            o.record.warp_instructions as f64 / s * 1e-6,
            o.passed(),
            f.record.warp_instructions
        );
    }
}
