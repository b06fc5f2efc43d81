//! L and U column by column in double precision. An entry of at most n + 1 is rounded once for every
//! tile before its own and once for each of the 16 steps inside it.

use crate::common::{close, widen, Run, ULP};

crate::kernel_tests!("lud");

fn reference(run: &Run) {
    let n = run.var("n");
    let mut lu = widen(&run.before("a"));
    for i in 0..n {
        // The kernel's setup rounds this sum to single precision.
        lu[i * n + i] = f64::from(lu[i * n + i] as f32 + n as f32);
    }
    for column in 0..n {
        for row in 0..n {
            let sum: f64 = (0..row.min(column))
                .map(|p| lu[row * n + p] * lu[p * n + column])
                .sum();
            lu[row * n + column] -= sum;
            if row > column {
                lu[row * n + column] /= lu[column * n + column];
            }
        }
    }
    close(
        "a",
        &run.after("a"),
        &lu,
        (n as f64 / 16.0 + 16.0) * (n + 1) as f64 * ULP,
    );
}
