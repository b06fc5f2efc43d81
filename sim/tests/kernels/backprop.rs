//! One layer in double precision. The roundings of a unit's sum go up as often as down and add to less
//! than one of the sum of its products' sizes; the approximate exponential adds 1e-6.

use crate::common::{close_by, widen, Run, ULP};

crate::kernel_tests!("backprop");

fn reference(run: &Run) {
    let (inputs, units) = (run.var("inputs"), run.var("units"));
    let (input, target) = (widen(&run.before("input")), widen(&run.before("target")));
    let (rate, momentum) = (f64::from(0.3f32), f64::from(0.3f32));
    let mut weights = widen(&run.before("weights"));
    let change = widen(&run.before("change"));
    let mut output = Vec::new();
    let mut tolerance = Vec::new();
    for unit in 0..units {
        let products = (0..inputs).map(|i| input[i] * weights[i * units + unit]);
        let (sum, size) = products.fold((0.0, 0.0), |(s, a), p: f64| (s + p, a + p.abs()));
        output.push(1.0 / (1.0 + (-sum).exp()));
        tolerance.push(ULP * size + 1e-6);
    }
    for i in 0..inputs {
        for unit in 0..units {
            let out = output[unit];
            let delta = out * (1.0 - out) * (target[unit] - out);
            let w = i * units + unit;
            weights[w] += rate * delta * input[i] + momentum * change[w];
        }
    }
    close_by("output", &run.after("output"), &output, |unit| {
        tolerance[unit]
    });
    close_by("weights", &run.after("weights"), &weights, |w| {
        tolerance[w % units]
    });
}
