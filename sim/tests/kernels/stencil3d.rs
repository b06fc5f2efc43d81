//! Seven-point stencil in double precision. The neighbours' sum stays below 8 and is scaled by 0.1;
//! the weights add up to one, so errors do not grow: 5e-7 a step.

use crate::common::{close, widen, Run};

crate::kernel_tests!("stencil3d");

fn reference(run: &Run) {
    let (nx, ny, nz) = (run.var("nx"), run.var("ny"), run.var("nz"));
    let (centre, side) = (f64::from(0.4f32), f64::from(0.1f32));
    let mut now = widen(&run.before("start"));
    let at = |x: usize, y: usize, z: usize| (z * ny + y) * nx + x;
    for _ in 0..run.var("steps") {
        let mut next = now.clone();
        for z in 1..nz.saturating_sub(1) {
            for y in 1..ny.saturating_sub(1) {
                for x in 1..nx.saturating_sub(1) {
                    let sum = now[at(x - 1, y, z)]
                        + now[at(x + 1, y, z)]
                        + now[at(x, y - 1, z)]
                        + now[at(x, y + 1, z)]
                        + now[at(x, y, z - 1)]
                        + now[at(x, y, z + 1)];
                    next[at(x, y, z)] = centre * now[at(x, y, z)] + side * sum;
                }
            }
        }
        now = next;
    }
    close(
        "now",
        &run.after("now"),
        &now,
        5e-7 * run.var("steps") as f64,
    );
}
