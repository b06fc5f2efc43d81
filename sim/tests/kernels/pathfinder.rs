//! Cheapest paths row by row.

use crate::common::{exact, Run};

crate::kernel_tests!("pathfinder");

fn reference(run: &Run) {
    let columns = run.var("columns");
    let mut cost = vec![0i32; columns];
    for row in run.before::<i32>("wall").chunks(columns) {
        cost = (0..columns)
            .map(|x| {
                let reach = x.saturating_sub(1)..=(x + 1).min(columns - 1);
                row[x] + cost[reach].iter().min().unwrap()
            })
            .collect();
    }
    exact("from", &run.after("from"), &cost);
}
