//! Convolution in double precision with binomial coefficients; 25 products of pixels below 1, each
//! rounded to 2^-24 of a sum below 1.

use crate::common::{close, widen, Run, ULP};

crate::kernel_tests!("convolution");

fn reference(run: &Run) {
    let (width, height) = (run.var("width"), run.var("height"));
    let image = widen(&run.before("in"));
    let binomial = [1.0, 4.0, 6.0, 4.0, 1.0];
    let mut want = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let mut sum = 0.0;
            for (j, vertical) in binomial.iter().enumerate() {
                for (i, horizontal) in binomial.iter().enumerate() {
                    let row = (y + j).saturating_sub(2).min(height - 1);
                    let column = (x + i).saturating_sub(2).min(width - 1);
                    sum += vertical * horizontal / 256.0 * image[row * width + column];
                }
            }
            want.push(sum);
        }
    }
    close("out", &run.after("out"), &want, 25.0 * ULP);
}
