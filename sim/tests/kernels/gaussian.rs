//! The linear system solved in double precision with row exchanges. Unknowns are about 1/n; the
//! diagonal dominates, so the kernel's error stays within some tens of roundings of that.

use crate::common::{close, widen, Run};

crate::kernel_tests!("gaussian");

fn reference(run: &Run) {
    let n = run.var("n");
    let mut a = widen(&run.before("random_a"));
    let mut b = widen(&run.before("random_b"));
    for i in 0..n {
        // The kernel's setup rounds this sum to single precision.
        a[i * n + i] = f64::from((a[i * n + i] as f32) + n as f32);
    }
    for t in 0..n {
        let size = |row: &usize| a[row * n + t].abs();
        let pivot = (t..n).max_by(|p, q| size(p).total_cmp(&size(q))).unwrap();
        b.swap(t, pivot);
        for column in 0..n {
            a.swap(t * n + column, pivot * n + column);
        }
        for row in (0..n).filter(|&row| row != t) {
            let factor = a[row * n + t] / a[t * n + t];
            for column in t..n {
                a[row * n + column] -= factor * a[t * n + column];
            }
            b[row] -= factor * b[t];
        }
    }
    let want: Vec<f64> = (0..n).map(|i| b[i] / a[i * n + i]).collect();
    close("x", &run.after("x"), &want, 5e-8);
}
