//! Matrix product in double precision; the kernel rounds once for each of `inner` products.

use crate::common::{close_by, Run, ULP};

crate::kernel_tests!("matmul");

fn reference(run: &Run) {
    let (rows, columns, inner) = (run.var("rows"), run.var("columns"), run.var("inner"));
    let (a, b) = (run.before::<f32>("a"), run.before::<f32>("b"));
    let mut want = vec![0.0; rows * columns];
    let mut size = vec![0.0; rows * columns];
    for row in 0..rows {
        for k in 0..inner {
            for column in 0..columns {
                let product = f64::from(a[row * inner + k]) * f64::from(b[k * columns + column]);
                want[row * columns + column] += product;
                size[row * columns + column] += product.abs();
            }
        }
    }
    close_by("c", &run.after("c"), &want, |i| {
        inner as f64 * ULP * size[i]
    });
}
