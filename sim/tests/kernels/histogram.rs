//! Histogram of 256 bins.

use crate::common::{exact, Run};

crate::kernel_tests!("histogram");

fn reference(run: &Run) {
    let mut want = vec![0u32; 256];
    for value in run.before::<u32>("data") {
        want[value as usize % 256] += 1;
    }
    exact("bins", &run.after("bins"), &want);
}
