//! Every pair of directions with the kernel's own roundings, so every bin is exact.

use crate::common::{exact, Run};

crate::kernel_tests!("tpacf");

const BINS: usize = 20;

/// The lower edge of a bin, from the angle; the kernel's table has eight decimals.
fn edge(bin: usize) -> f32 {
    let cosine = (std::f64::consts::PI * (bin + 1) as f64 / BINS as f64).cos();
    ((cosine * 1e8).round() / 1e8) as f32
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]))
}

fn reference(run: &Run) {
    let [x, y, z] = ["x", "y", "z"].map(|axis| run.before::<f32>(axis));
    let directions: Vec<[f32; 3]> = (0..run.var("n"))
        .map(|i| {
            let v = [x[i], y[i], z[i]];
            let length = dot(v, v).sqrt();
            v.map(|x| x / length)
        })
        .collect();
    let edges: Vec<f32> = (0..BINS - 1).map(edge).collect();
    let mut want = vec![0u32; BINS];
    for (i, &a) in directions.iter().enumerate() {
        for &b in &directions[i + 1..] {
            want[edges.iter().filter(|&&edge| dot(a, b) <= edge).count()] += 1;
        }
    }
    exact("bins", &run.after("bins"), &want);
}
