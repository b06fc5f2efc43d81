//! Every particle against every other in double precision and absolute positions. A sum has at most a
//! few hundred terms below 1, each wrong by about 1e-7: 2e-5 in all.

use crate::common::{close, widen, Run};

crate::kernel_tests!("lavamd");

fn reference(run: &Run) {
    let (side, per_box) = (run.var("side"), run.var("per_box"));
    let (cutoff2, alpha) = (f64::from(0.36f32), 0.5);
    let particles: Vec<[f64; 4]> = widen(&run.before("particles"))
        .chunks(4)
        .enumerate()
        .map(|(i, p)| {
            let cell = i / per_box;
            let corner = [cell % side, cell / side % side, cell / (side * side)];
            let [x, y, z] = corner.map(|c| c as f64);
            [p[0] + x, p[1] + y, p[2] + z, p[3]]
        })
        .collect();
    let mut want = Vec::new();
    for here in &particles {
        let mut sum = [0.0; 4];
        for other in &particles {
            let d = [here[0] - other[0], here[1] - other[1], here[2] - other[2]];
            let r2: f64 = d.iter().map(|d| d * d).sum();
            if r2 < cutoff2 {
                let potential = other[3] * (-alpha * r2).exp() * (1.0 - r2 / cutoff2);
                for axis in 0..3 {
                    sum[axis] += d[axis] * 2.0 * alpha * potential;
                }
                sum[3] += potential;
            }
        }
        want.extend(sum);
    }
    close("force", &run.after("force"), &want, 2e-5);
}
