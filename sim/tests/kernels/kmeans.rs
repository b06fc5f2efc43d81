//! K-means with the kernel's own roundings: every operation is rounded alone and the points are added
//! in order, so centres and members are exact.

use crate::common::{exact, Run};

crate::kernel_tests!("kmeans");

fn nearest(point: &[f32], centres: &[f32]) -> i32 {
    let distance = |centre: &[f32]| {
        point.iter().zip(centre).fold(0.0f32, |sum, (p, c)| {
            let difference = p - c;
            difference.mul_add(difference, sum)
        })
    };
    let mut best = (f32::MAX, 0);
    for (number, centre) in centres.chunks(point.len()).enumerate() {
        if distance(centre) < best.0 {
            best = (distance(centre), number);
        }
    }
    best.1 as i32
}

fn reference(run: &Run) {
    let dimensions = run.var("dimensions");
    let features = run.before::<f32>("features");
    let mut centres = run.before::<f32>("centres");
    let assign = |centres: &[f32]| -> Vec<i32> {
        let points = features.chunks(dimensions);
        points.map(|point| nearest(point, centres)).collect()
    };
    for _ in 0..run.var("iterations") {
        let mut sums = vec![0.0f32; centres.len()];
        let mut counts = vec![0u32; run.var("count")];
        for (point, member) in features.chunks(dimensions).zip(assign(&centres)) {
            let member = member as usize;
            counts[member] += 1;
            for (sum, p) in sums[member * dimensions..].iter_mut().zip(point) {
                *sum += p;
            }
        }
        for (i, centre) in centres.iter_mut().enumerate() {
            let count = counts[i / dimensions];
            if count > 0 {
                *centre = sums[i] / count as f32;
            }
        }
    }
    exact("centres", &run.after("centres"), &centres);
    exact("member", &run.after("member"), &assign(&centres));
}
