//! A copy that is bound by memory gets what the configured DRAM can give.

use super::harness::{machine, Bench};

/// Blocks and threads of the copy: as many as 15 SMs hold at once.
const BLOCKS: u32 = 30;
const THREADS: u32 = 768;

/// Bytes that DRAM moves and nanoseconds in `iterations` of a copy of 16 bytes a thread.
fn copy(iterations: u32, set: &str) -> (f64, f64) {
    let step = BLOCKS * THREADS * 16;
    let half = step * iterations;
    let setup = format!(
        "mov.u32 %r1, %ctaid.x;\nmad.lo.s32 %r2, %r1, {THREADS}, %id;\n\
         mad.wide.u32 %rd1, %r2, 16, %base;\nadd.s64 %rd2, %rd1, {half};"
    );
    let body = format!(
        "ld.global.v4.u32 {{%r3, %r4, %r5, %r6}}, [%rd1];\n\
         st.global.v4.u32 [%rd2], {{%r3, %r4, %r5, %r6}};\n\
         add.s64 %rd1, %rd1, {step};\nadd.s64 %rd2, %rd2, {step};"
    );
    let timing = Bench::new(&body)
        .setup(&setup)
        .grid(BLOCKS)
        .block(THREADS)
        .buffer(vec![0; 2 * half as usize])
        .set("gpu.sms=15")
        .set(set)
        .run(iterations)
        .timing;
    ((timing.dram.reads + timing.dram.writes) as f64 * 128.0, timing.time_ns)
}

/// The share of DRAM's peak that a long copy gets; what the start and the end cost cancels.
fn share(set: &str) -> f64 {
    let config = machine(&[]);
    let clocks = config.dram.bytes_per_clock as f64 * config.clocks.dram_mhz * 1e-3;
    let peak = config.gpu.partitions as f64 * clocks;
    let (short, long) = (copy(20, set), copy(60, set));
    let share = (long.0 - short.0) / (long.1 - short.1) / peak;
    println!("{set}: {share:.3} of {peak:.1} GB/s");
    share
}

#[test]
fn a_copy_comes_within_a_tenth_of_the_peak() {
    // So many lines under way that DRAM is what limits (0.918).
    let most = share("l1_data.mshrs=128");
    assert!(most > 0.9 && most <= 1.0, "{most}");
}

#[test]
fn a_copy_with_the_gtx480s_miss_registers_is_nearly_as_fast() {
    // 15 * 32 lines in 646 ns would be 1.07 of the peak; with queues in between a miss takes longer (0.816).
    let shipped = share("l1_data.mshrs=32");
    assert!(shipped > 0.8 && shipped <= 1.0, "{shipped}");
}

#[test]
fn a_copy_is_limited_by_the_lines_under_way() {
    // 15 * 8 lines of 128 bytes in the 646 ns of a miss (452 cycles) are 23.8 GB/s of reads and as much of writes:
    // 0.27 of 177.4 GB/s. Reads that wait for writes to turn the bus round take longer, never shorter.
    let few = share("l1_data.mshrs=8");
    assert!(few > 0.18 && few <= 0.27, "{few}");
}
