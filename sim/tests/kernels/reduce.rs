//! Sum of floats: the kernel adds in another order, each number passing at most 100 roundings.

use crate::common::{close, Run, ULP};

crate::kernel_tests!("reduce");

fn reference(run: &Run) {
    let sum: f64 = run.before::<f32>("x").iter().map(|&x| f64::from(x)).sum();
    close("total", &run.after("total"), &[sum], 100.0 * ULP * sum);
}
