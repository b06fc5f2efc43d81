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
    for path in kernels() {
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
#[test]
fn dbg_stop() {
    use lanewise_sim::machine::sm::hooks::Silent;
    use lanewise_sim::machine::{Limits, Machine};
    let job = job("vecadd", None);
    let limits = Limits { max_cycles: Some(20000), ..Default::default() };
    let mut m = Machine::new(&machine(&["gpu.sms=1"]), limits, 1, |_| Silent, |_| Silent).unwrap();
    let o = job.run_on(&mut m, &RunOptions::default()).unwrap();
    println!("{}", serde_json::to_string_pretty(&o.record).unwrap());
    for w in m.gpu().unwrap().sms[0].warps() {
        println!("{w:?}");
    }
    println!("{:?}", m.gpu().unwrap().progress());
}
