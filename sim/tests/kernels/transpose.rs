//! Transpose: moves only.

use crate::common::{exact, Run};

crate::kernel_tests!("transpose");

fn reference(run: &Run) {
    let (width, height) = (run.var("width"), run.var("height"));
    let matrix = run.before::<u32>("in");
    let mut want = Vec::new();
    for column in 0..width {
        want.extend((0..height).map(|row| matrix[row * width + column]));
    }
    exact("out", &run.after("out"), &want);
}
