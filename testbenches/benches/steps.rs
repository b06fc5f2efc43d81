//! Steps per second of model, stepped rust-hdl and verilated Verilog, for every bound block.

use criterion::{Criterion, Throughput};
use lanewise_testbenches::bindings;

/// Steps timed at a time: enough to drown the call.
const STEPS: usize = 1_000;

fn steps(criterion: &mut Criterion) {
    for binding in bindings::all() {
        let mut group = criterion.benchmark_group(binding.entry());
        group.throughput(Throughput::Elements(STEPS as u64));
        let steppers = binding.steppers().unwrap_or_else(|failure| panic!("{failure}"));
        for mut stepper in steppers {
            group.bench_function(stepper.name, |bencher| bencher.iter(|| stepper.step(STEPS)));
        }
        group.finish();
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    steps(&mut criterion);
    criterion.final_summary();
}
