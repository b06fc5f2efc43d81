//! Frequencies: what each domain's clock changes and what it leaves alone.

use super::harness::{job, machine, run};
use lanewise_sim::machine::TimingRecord;

fn at(name: &str, core_mhz: f64) -> TimingRecord {
    let set = ["gpu.sms=4".to_string(), format!("clocks.core_mhz={core_mhz}")];
    let outcome = run(&job(name, "default"), &machine(&[&set[0], &set[1]]), 1);
    outcome.record.timing.expect("a machine leaves timing")
}

#[test]
fn half_the_core_clock_doubles_the_time_of_a_kernel_that_computes() {
    let (whole, half) = (at("mandelbrot", 700.0), at("mandelbrot", 350.0));
    let cycles = half.cycles as f64 / whole.cycles as f64;
    assert!((cycles - 1.0).abs() < 0.05, "{cycles}");
    let time = half.time_ns / whole.time_ns;
    assert!((time - 2.0).abs() < 0.1, "{time}");
}

#[test]
fn half_the_core_clock_costs_a_kernel_that_waits_for_memory_little() {
    let (whole, half) = (at("chase", 700.0), at("chase", 350.0));
    let time = half.time_ns / whole.time_ns;
    assert!((1.0..1.25).contains(&time), "{time}");
}

#[test]
fn time_is_cycles_by_frequency() {
    for mhz in [700.0, 433.0] {
        let record = at("vecadd", mhz);
        let period = 1e3 / mhz;
        // Femtoseconds are whole: a billionth of the period at most.
        let expected = record.cycles as f64 * period;
        assert!((record.time_ns / expected - 1.0).abs() < 1e-6, "{} {expected}", record.time_ns);
    }
}
