//! Inclusive prefix sum, modulo 2^32.

use crate::common::{exact, Run};

crate::kernel_tests!("scan");

fn reference(run: &Run) {
    let mut sum = 0u32;
    let mut want = run.before::<u32>("x");
    for value in &mut want {
        sum = sum.wrapping_add(*value);
        *value = sum;
    }
    exact("y", &run.after("y"), &want);
}
