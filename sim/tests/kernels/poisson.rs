//! Jacobi sweeps with the kernel's own roundings: as many of them, and every cell exact.

use crate::common::{exact, Run};

crate::kernel_tests!("poisson");

fn reference(run: &Run) {
    let (width, height) = (run.var("width"), run.var("height"));
    let source = run.before::<f64>("source");
    let mut now = vec![0.0f64; width * height];
    let mut sweeps = 0i32;
    loop {
        // A frame of zeros around the cells stands for the border.
        let stride = width + 2;
        let mut framed = vec![0.0; stride * (height + 2)];
        for (y, row) in now.chunks(width).enumerate() {
            framed[(y + 1) * stride + 1..][..width].copy_from_slice(row);
        }
        let mut furthest = 0.0f64;
        for (i, cell) in now.iter_mut().enumerate() {
            let at = (i / width + 1) * stride + i % width + 1;
            let across = framed[at - 1] + framed[at + 1];
            let along = framed[at - stride] + framed[at + stride];
            *cell = 0.25 * (across + along + source[i]);
            furthest = furthest.max((*cell - framed[at]).abs());
        }
        sweeps += 1;
        if furthest <= 1e-3 {
            break;
        }
    }
    exact("sweeps", &run.after("sweeps"), &[sweeps]);
    exact("now", &run.after("now"), &now);
}
