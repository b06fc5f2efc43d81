//! Breadth-first search with a queue.

use std::collections::VecDeque;

use crate::common::{exact, Run};

crate::kernel_tests!("bfs");

/// What the job fills in for a node that is never reached.
const FAR: i32 = 1_000_000;

fn reference(run: &Run) {
    let stride = run.var("max_degree");
    let (degree, edges) = (run.before::<i32>("degree"), run.before::<i32>("edges"));
    let mut level = vec![FAR; run.var("nodes")];
    level[0] = 0;
    let mut queue = VecDeque::from([0]);
    while let Some(node) = queue.pop_front() {
        for &neighbour in &edges[node * stride..][..degree[node] as usize] {
            let neighbour = neighbour as usize;
            if level[neighbour] == FAR {
                level[neighbour] = level[node] + 1;
                queue.push_back(neighbour);
            }
        }
    }
    exact("level", &run.after("level"), &level);
}
