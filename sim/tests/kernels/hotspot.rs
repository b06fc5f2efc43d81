//! Heat on a chip in double precision. A step adds temperatures below 400, a few roundings of
//! 2^-16 each, and damps the errors of the step before: 1e-4 a step is ample.

use crate::common::{close, widen, Run};

crate::kernel_tests!("hotspot");

fn reference(run: &Run) {
    let (width, height) = (run.var("width"), run.var("height"));
    let power = widen(&run.before("power"));
    let mut now = widen(&run.before("start"));
    for _ in 0..run.var("steps") {
        let mut next = Vec::with_capacity(now.len());
        for y in 0..height {
            for x in 0..width {
                let here = now[y * width + x];
                let neighbours = now[y * width + x.saturating_sub(1)]
                    + now[y * width + (x + 1).min(width - 1)]
                    + now[y.saturating_sub(1) * width + x]
                    + now[(y + 1).min(height - 1) * width + x];
                next.push(
                    here + 0.15 * (neighbours - 4.0 * here)
                        + 0.05 * (80.0 - here)
                        + 0.4 * power[y * width + x],
                );
            }
        }
        now = next;
    }
    close(
        "now",
        &run.after("now"),
        &now,
        1e-4 * run.var("steps") as f64,
    );
}
