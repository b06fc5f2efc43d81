//! Mandelbrot steps with the kernel's own roundings, so every count is exact.

use crate::common::{exact, Run};

crate::kernel_tests!("mandelbrot");

fn reference(run: &Run) {
    let (width, height) = (run.var("width"), run.var("height"));
    let mut want = Vec::new();
    for py in 0..height {
        for px in 0..width {
            let cx = 3.0f32.mul_add((px as f32 + 0.5) / width as f32, -2.2);
            let cy = 2.4f32.mul_add((py as f32 + 0.5) / height as f32, -1.2);
            let (mut x, mut y, mut steps) = (0.0f32, 0.0f32, 0i32);
            while (steps as usize) < run.var("limit") && x * x + y * y <= 4.0 {
                (x, y) = (x * x - y * y + cx, (2.0 * x).mul_add(y, cy));
                steps += 1;
            }
            want.push(steps);
        }
    }
    exact("steps", &run.after("steps"), &want);
}
