//! L and U column by column in double precision. Entries are at most n + 1 and an entry passes
//! through at most n roundings, few of them large: 2e-7 n covers it.

use crate::common::{close, widen, Run};

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
    close("a", &run.after("a"), &lu, 2e-7 * n as f64);
}
