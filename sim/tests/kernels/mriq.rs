//! The Q matrix in double precision. Angles reach 75: their single-precision sum of products is
//! wrong by up to 2e-5, as is then the sine; the errors of the samples add up by their power.

use crate::common::{close, widen, Run};

crate::kernel_tests!("mriq");

fn reference(run: &Run) {
    let axes = ["x", "y", "z"].map(|axis| widen(&run.before(axis)));
    let value = widen(&run.before("value"));
    let samples = widen(&run.before("samples"));
    let power: Vec<f64> = value.chunks(2).map(|v| v[0] * v[0] + v[1] * v[1]).collect();
    let (mut real, mut imaginary) = (Vec::new(), Vec::new());
    for v in 0..run.var("voxels") {
        let (mut sum_cos, mut sum_sin) = (0.0, 0.0);
        for (sample, power) in samples.chunks(4).zip(&power) {
            let turns: f64 = (0..3).map(|axis| sample[axis] * axes[axis][v]).sum();
            let (sin, cos) = (std::f64::consts::TAU * turns).sin_cos();
            sum_cos += power * cos;
            sum_sin += power * sin;
        }
        real.push(sum_cos);
        imaginary.push(sum_sin);
    }
    let tolerance = 2.5e-5 * power.iter().sum::<f64>();
    close("real", &run.after("real"), &real, tolerance);
    close("imaginary", &run.after("imaginary"), &imaginary, tolerance);
}
