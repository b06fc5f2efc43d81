//! Alignment scores row by row.

use crate::common::{exact, Run};

crate::kernel_tests!("nw");

const GAP: i32 = 3;

/// A, C, G, T: equal symbols 5, a change within {A, G} or {C, T} -1, any other -4.
fn similarity(a: u8, b: u8) -> i32 {
    match (a, b) {
        _ if a == b => 5,
        _ if a % 2 == b % 2 => -1,
        _ => -4,
    }
}

fn reference(run: &Run) {
    let n = run.var("n");
    let (across, down) = (run.before::<u8>("across"), run.before::<u8>("down"));
    let mut rows = vec![(0..=n as i32).map(|i| -GAP * i).collect::<Vec<_>>()];
    for y in 1..=n {
        let above = &rows[y - 1];
        let mut row = vec![-GAP * y as i32];
        for x in 1..=n {
            let aligned = above[x - 1] + similarity(across[x - 1], down[y - 1]);
            row.push(aligned.max(above[x] - GAP).max(row[x - 1] - GAP));
        }
        rows.push(row);
    }
    exact("score", &run.after("score"), &rows.concat());
}
