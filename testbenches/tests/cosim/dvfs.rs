//! The controller of the core clock on a job of one's own: switched on and off, seen and refused.

use super::command::{run, Done};
use std::fs;

/// `kmeans` waits for memory; an interval of 2 us decides several times in it.
fn controlled(options: &[&str]) -> Done {
    let sets = ["--sms", "2", "--set", "dvfs.interval_us=2"];
    run("kmeans", &[&sets, options].concat())
}

/// What a run says it took: the number behind a word.
fn number(done: &Done, behind: &str) -> f64 {
    let text = done.out.split(behind).nth(1).and_then(|rest| rest.split(' ').next());
    text.and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{}{}", done.out, done.err))
}

#[test]
fn a_kernel_that_waits_costs_less_under_a_controller_that_is_seen_at_work() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().display().to_string();
    let off = controlled(&["--attach", "crisp"]);
    let on = controlled(&["--attach", "crisp,dvfs", "--out", &out]);
    assert_eq!((off.code, on.code), (Some(0), Some(0)), "{}{}", on.out, on.err);
    assert!(!off.out.contains("dvfs"), "{}", off.out);
    assert!(on.out.contains("dvfs (crisp for edp, predict): "), "{}", on.out);
    let [cheap, dear] = [&on, &off].map(|done| (number(done, "energy: "), number(done, " mJ in ")));
    assert!(cheap.0 < dear.0 && cheap.1 < 1.1 * dear.1, "{cheap:?} {dear:?}");
    let csv = fs::read_to_string(directory.path().join("dvfs.csv")).unwrap();
    let rows: Vec<Vec<f64>> = csv
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect())
        .collect();
    let energy = fs::read_to_string(directory.path().join("energy.csv")).unwrap();
    let cells: Vec<f64> =
        energy.lines().nth(1).unwrap().split(',').map(|cell| cell.parse().unwrap()).collect();
    assert!((cells[1] * 1e3 / cheap.0 - 1.0).abs() < 1e-3, "{energy}");
    assert!((cells[0] * cells[1] / cells[2] - 1.0).abs() < 1e-6, "{energy}");
    assert_eq!(rows[0], [0.0, 700.0, 1.0]);
    assert!(rows.len() > 3 && rows.iter().any(|row| row[1] < 700.0 && row[2] < 1.0), "{csv}");
    assert!(rows.windows(2).all(|two| two[1][0] - two[0][0] > 1.99), "{csv}");
    assert!(fs::read_to_string(directory.path().join("dvfs.svg")).unwrap().contains("</svg>"));
    // However many threads simulate it.
    let two = tempfile::tempdir().unwrap();
    let out = two.path().display().to_string();
    controlled(&["--attach", "crisp,dvfs", "--out", &out, "--threads", "2"]);
    assert_eq!(fs::read_to_string(two.path().join("dvfs.csv")).unwrap(), csv);
}

#[test]
fn predictor_objective_and_policy_are_chosen_by_name() {
    let decisions = |names: &[&str]| {
        let directory = tempfile::tempdir().unwrap();
        let out = directory.path().display().to_string();
        let sets: Vec<&str> = names.iter().flat_map(|name| ["--set", name]).collect();
        let options = ["--attach", "crisp,rivals,dvfs", "--out", &out];
        let done = controlled(&[&options[..], &sets].concat());
        assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
        (fs::read_to_string(directory.path().join("dvfs.csv")).unwrap(), done.out)
    };
    let (paper, _) = decisions(&[]);
    for (name, says) in [
        ("dvfs.predictor=stall", "dvfs (stall for edp, predict): "),
        ("dvfs.objective=energy", "dvfs (crisp for energy, predict): "),
        ("dvfs.policy=steady", "dvfs (crisp for edp, steady): "),
    ] {
        let (other, out) = decisions(&[name]);
        assert!(out.contains(says), "{out}");
        assert_ne!(other, paper, "{name}: it decides otherwise");
    }
}

#[test]
fn a_controller_that_cannot_be_is_refused_with_the_remedy() {
    for (options, remedy) in [
        (&["--attach", "dvfs"][..], "add crisp to mechanisms.attach"),
        (
            &["--attach", "crisp,dvfs", "--set", "dvfs.predictor=crit"],
            "add crisp and rivals to mechanisms.attach",
        ),
        (&["--attach", "crisp,dvfs", "--set", "dvfs.policy=stedy"], "known: predict, steady"),
        (&["--attach", "crisp,dvfs", "--set", "clocks.core_mhz=600"], "clocks.core_mhz (600)"),
    ] {
        let done = controlled(options);
        assert_eq!(done.code, Some(2), "{options:?}: {}", done.out);
        assert!(done.err.contains(remedy), "{options:?}: {}", done.err);
    }
}
