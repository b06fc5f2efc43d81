//! How long each kernel takes at the size of the studies: measured, and as docs/kernels.md says.

use super::harness::{job, machine, run, KERNELS};
use rayon::prelude::*;
use std::path::PathBuf;

const BEGIN: &str = "<!-- times: written by a test, see above, do not edit -->\n";
const END: &str = "<!-- end of times -->\n";

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/kernels.md")
}

/// The page before, inside and after the table.
fn parts(page: &str) -> (&str, &str, &str) {
    let (before, rest) = page.split_once(BEGIN).expect("the table has a beginning");
    let (table, after) = rest.split_once(END).expect("the table has an end");
    (before, table, after)
}

/// Whole microseconds of each kernel.
fn times(page: &str) -> Vec<(String, u64)> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let digits = cells.get(1)?.replace(',', "");
        Some((cells[0].to_string(), digits.parse().ok()?))
    };
    parts(page).1.lines().skip(2).filter_map(row).collect()
}

#[test]
fn every_kernel_is_documented_to_take_200_us() {
    let page = std::fs::read_to_string(path()).expect("the page is there");
    let times = times(&page);
    let names: Vec<&str> = times.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, KERNELS);
    for (name, us) in times {
        assert!(us >= 200, "{name} takes {us} us at size study; give it more work");
    }
}

/// Writes what was measured into docs/kernels.md.
#[test]
#[ignore = "rewrites docs/kernels.md; takes minutes: every kernel at its largest size"]
fn write_the_times() {
    let config = machine(&[]);
    let rows: Vec<String> = KERNELS
        .par_iter()
        .with_max_len(1)
        .map(|name| {
            let outcome = run(&job(name, "study"), &config, 1);
            assert!(outcome.passed(), "{name}: {:?}", outcome.failures);
            let us = outcome.record.timing.expect("a machine leaves timing").time_ns / 1000.0;
            format!("| {name} | {us:.0} |\n")
        })
        .collect();
    let page = std::fs::read_to_string(path()).expect("the page is there");
    let (before, _, after) = parts(&page);
    let table = format!("| kernel | us |\n| --- | ---: |\n{}", rows.concat());
    let text = format!("{before}{BEGIN}{table}{END}{after}");
    std::fs::write(path(), text).expect("docs/kernels.md can be written");
}
