//! A copy that is bound by memory gets what the configured DRAM can give.

use super::harness::Bench;

#[test]
fn a_copy_comes_within_a_tenth_of_the_peak() {
    let config = super::harness::machine(&[]);
    let peak = config.gpu.partitions as f64
        * config.dram.bytes_per_clock as f64
        * config.clocks.dram_mhz
        * 1e6;
    // Each of 15 * 6 blocks copies a piece of `iterations * 4 KB`, 16 bytes a thread, one piece after another.
    let env = |n: &str, d: u32| std::env::var(n).map_or(d, |v| v.parse().unwrap());
    let (blocks, threads, iterations) = (env("B", 90), env("T", 256), env("I", 40));
    let step = blocks * threads * 16;
    let half = step * iterations + env("P", 0) * 12288;
    let setup = format!(
        "mov.u32 %r1, %ctaid.x;\nmad.lo.s32 %r2, %r1, {threads}, %id;\n\
         mad.wide.u32 %rd1, %r2, 16, %base;\nadd.s64 %rd2, %rd1, {half};"
    );
    let body = format!(
        "ld.global.v4.u32 {{%r3, %r4, %r5, %r6}}, [%rd1];\n\
         st.global.v4.u32 [%rd2], {{%r3, %r4, %r5, %r6}};\n\
         add.s64 %rd1, %rd1, {step};\nadd.s64 %rd2, %rd2, {step};"
    );
    let bench = Bench::new(&body)
        .setup(&setup)
        .grid(blocks)
        .block(threads)
        .buffer(vec![0; 2 * half as usize])
        .set("gpu.sms=15")
        // So many lines under way that DRAM is what limits: the GTX480's 32 miss registers an SM cover
        // 15 * 32 * 128 bytes in the 650 ns of a miss, 94 GB/s of reads, half of the bus.
        .set("l1_data.mshrs=128")
        .set(&std::env::var("S1").unwrap_or("gpu.sms=15".into()));
    let ran = bench.run(iterations);
    let dram = ran.timing.dram;
    let moved = (dram.reads + dram.writes) as f64 * 128.0;
    let rate = moved / (ran.timing.time_ns * 1e-9);
    println!("{:.1} of {:.1} GB/s, {dram:?}", rate * 1e-9, peak * 1e-9);
    assert!(rate <= peak, "no more than the bus can move");
    assert!(rate > 0.9 * peak, "{:.3} of the peak", rate / peak);
}
