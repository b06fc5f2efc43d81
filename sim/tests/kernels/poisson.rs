//! Jacobi sweeps with the kernel's own roundings: as many of them, and every cell exact.

use crate::common::{exact, Run};

crate::kernel_tests!("poisson");

fn reference(run: &Run) {
    let n = run.var("n");
    let source = run.before::<f64>("source");
    let mut now = vec![0.0f64; n * n];
    let mut sweeps = 0i32;
    loop {
        // A frame of zeros around the cells stands for the border.
        let mut framed = vec![0.0; (n + 2) * (n + 2)];
        for y in 0..n {
            framed[(y + 1) * (n + 2) + 1..][..n].copy_from_slice(&now[y * n..][..n]);
        }
        let mut furthest = 0.0f64;
        for i in 0..n * n {
            let at = (i / n + 1) * (n + 2) + i % n + 1;
            let across = framed[at - 1] + framed[at + 1];
            let along = framed[at - (n + 2)] + framed[at + (n + 2)];
            now[i] = 0.25 * (across + along + source[i]);
            furthest = furthest.max((now[i] - framed[at]).abs());
        }
        sweeps += 1;
        if furthest <= 1e-4 {
            break;
        }
    }
    exact("sweeps", &run.after("sweeps"), &[sweeps]);
    exact("now", &run.after("now"), &now);
}
