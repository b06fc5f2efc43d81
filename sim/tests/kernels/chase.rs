//! The list followed one element after the other.

use crate::common::{exact, Run};

crate::kernel_tests!("chase");

fn reference(run: &Run) {
    let (n, hops) = (run.var("n"), run.var("hops"));
    let want: Vec<u32> = (0..run.var("threads"))
        .map(|thread| {
            let start = thread % n;
            (0..hops).fold(start, |at, _| (at * 1_664_525 + 1) % n) as u32
        })
        .collect();
    exact("end", &run.after("end"), &want);
}
