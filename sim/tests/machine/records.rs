//! The same job gives the same bytes, whoever simulates it and whoever looks on.

use super::harness::{job, machine, run, run_hooked};
use lanewise_sim::job::Outcome;
use lanewise_sim::machine::Watch;

/// Kernels with barriers, atomics, textures, divergence and several launches.
const VARIED: [&str; 6] = ["bfs", "histogram", "matmul", "scan", "rotate", "streamcluster"];

fn json(outcome: &Outcome) -> String {
    serde_json::to_string_pretty(&outcome.record).expect("records are JSON")
}

#[test]
fn records_do_not_depend_on_the_number_of_threads() {
    for name in VARIED {
        let job = job(name, "odd");
        let config = machine(&[]);
        let first = json(&run(&job, &config, 1));
        for threads in [1, 2, 3] {
            assert!(json(&run(&job, &config, threads)) == first, "{name} with {threads} threads");
        }
    }
}

#[test]
fn looking_on_changes_nothing() {
    for name in VARIED {
        let job = job(name, "odd");
        let config = machine(&[]);
        let (watched, machine) = run_hooked(&job, &config, 1, |sm| Watch::new(sm, Some(100), true));
        assert!(json(&watched) == json(&run(&job, &config, 1)), "{name}");
        // The series accounts for every instruction.
        let sms = &machine.gpu().expect("it has run").sms;
        let rows = sms.iter().flat_map(|sm| sm.hooks.rows());
        let sum: u64 = rows.map(|row| row.warp_instructions).sum();
        let timing = watched.record.timing.as_ref().expect("timing");
        let issued: u64 = timing.kernels.iter().map(|k| k.warp_instructions).sum();
        assert_eq!(sum, issued, "{name}");
    }
}

#[test]
fn the_table_has_a_row_for_each_sm_and_kernel() {
    let outcome = run(&job("matmul", "odd"), &machine(&["gpu.sms=3"]), 1);
    let csv = outcome.record.timing.as_ref().expect("timing").csv();
    let columns: Vec<usize> = csv.lines().map(|l| l.split(',').count()).collect();
    assert_eq!(columns.len(), 1 + 3 + 1, "{csv}");
    assert!(columns.iter().all(|c| *c == columns[0]), "{columns:?}\n{csv}");
}
