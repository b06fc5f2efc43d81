//! Vector addition: the sum of two floats is rounded once, so the result is exact.

use crate::common::{exact, Run};

crate::kernel_tests!("vecadd");

fn reference(run: &Run) {
    let (a, b) = (run.before::<f32>("a"), run.before::<f32>("b"));
    let want: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    exact("c", &run.after("c"), &want);
}
