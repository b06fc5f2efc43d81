//! The longest match of every query position, by trying every place of the text.

use crate::common::{exact, Run};

crate::kernel_tests!("mummer");

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

fn reference(run: &Run) {
    let (length, query_length) = (run.var("length"), run.var("query_length"));
    let text = &run.before::<u8>("text")[..length];
    let (origin, noise) = (run.before::<u32>("origin"), run.before::<u8>("noise"));
    let queries: Vec<u8> = (0..noise.len())
        .map(|i| {
            let at = origin[i / query_length] as usize + i % query_length;
            let symbol = text[at % length];
            if noise[i] == 0 {
                (symbol + 1) % 4
            } else {
                symbol
            }
        })
        .collect();
    let place = run.after::<i32>("match_place");
    let mut want = Vec::new();
    let mut at_place = Vec::new();
    for i in 0..queries.len() {
        let query = &queries[i..(i / query_length + 1) * query_length];
        let longest = (0..length)
            .map(|at| common_prefix(query, &text[at..]))
            .max();
        want.push(longest.unwrap() as i32);
        // Several places may hold the longest match: any of them will do.
        at_place.push(common_prefix(query, &text[place[i] as usize..]) as i32);
    }
    exact("match_length", &run.after("match_length"), &want);
    exact("the match at match_place", &at_place, &want);
}
