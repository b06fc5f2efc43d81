//! Rotation with the kernel's own roundings, so every texel is the same.

use crate::common::{exact, Run};

crate::kernel_tests!("rotate");

fn reference(run: &Run) {
    let (width, height) = (run.var("width"), run.var("height"));
    let image = run.before::<f32>("image");
    let (cosine, sine) = (0.8f32, 0.6f32);
    let (middle_x, middle_y) = (0.5 * width as f32, 0.5 * height as f32);
    let nearest = |at: f32, n: usize| at.floor().clamp(0.0, (n - 1) as f32) as usize;
    let mut want = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let dx = x as f32 + 0.5 - middle_x;
            let dy = y as f32 + 0.5 - middle_y;
            let from_x = cosine.mul_add(dx, sine.mul_add(dy, middle_x));
            let from_y = cosine.mul_add(dy, (-sine).mul_add(dx, middle_y));
            want.push(image[nearest(from_y, height) * width + nearest(from_x, width)]);
        }
    }
    exact("out", &run.after("out"), &want);
}
