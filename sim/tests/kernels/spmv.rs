//! Sparse product in double precision. A row has fewer than 2 * average products below 1, each adding
//! a rounding of the sum so far.

use crate::common::{close, widen, Run, ULP};

crate::kernel_tests!("spmv");

fn reference(run: &Run) {
    let (rows, average) = (run.var("rows"), run.var("average"));
    let jitter = run.before::<u32>("jitter");
    let column = run.before::<i32>("column");
    let (value, x) = (widen(&run.before("value")), widen(&run.before("x")));
    let start = |row: usize| match row {
        0 => 0,
        _ if row == rows => rows * average,
        _ => row * average + jitter[row] as usize % average,
    };
    let want: Vec<f64> = (0..rows)
        .map(|row| {
            let entries = start(row)..start(row + 1);
            entries.map(|i| value[i] * x[column[i] as usize]).sum()
        })
        .collect();
    let terms = 2.0 * average as f64;
    close("y", &run.after("y"), &want, terms * terms / 2.0 * ULP);
}
