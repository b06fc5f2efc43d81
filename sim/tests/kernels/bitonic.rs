//! Sorted.

use crate::common::{exact, Run};

crate::kernel_tests!("bitonic");

fn reference(run: &Run) {
    let mut want = run.before::<u32>("x");
    want.sort_unstable();
    exact("x", &run.after("x"), &want);
}
