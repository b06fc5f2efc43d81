//! The CRISP study on two kernels and a small machine: it says the same for any number of threads, and what it
//! says hangs together.

use lanewise_sim::attach::Models;
use lanewise_studies::{crisp, Lab, Options, Report};

fn study(threads: usize) -> (Report, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let options = Options::quick(&["kmeans", "mandelbrot"], 3, folder.path());
    let options = Options { threads, ..options.expect("the kernels are shipped") };
    let lab = Lab { options: &options, units: &Models, study: "crisp" };
    (crisp::run(&lab).expect("the study runs"), folder)
}

#[test]
fn the_study_is_the_same_for_any_number_of_threads_and_hangs_together() {
    let (one, _kept) = study(1);
    let (two, _kept) = study(2);
    assert_eq!(one.page(), two.page());
    assert_eq!(one.json, two.json);
    // What the page says that the oracle saved on the other machine is what was spent there.
    let page = one.page();
    let row =
        page.lines().find(|line| line.starts_with("| oracle | ")).expect("a row of the oracle");
    let cells: Vec<f64> = row.split('|').filter_map(|cell| cell.trim().parse().ok()).collect();
    let edp = |run: &serde_json::Value| {
        let [energy, time] = ["energy", "time"].map(|of| run[of].as_f64().expect("a number"));
        energy * time
    };
    let saved = one.json.as_array().into_iter().flatten().map(|kernel| {
        let there = &kernel["elsewhere"][0];
        1.0 - edp(&there["oracle"]) / edp(&there["base"])
    });
    let mean = 50.0 * saved.sum::<f64>();
    assert!((cells[1] - mean).abs() < 0.1, "{row}: {mean}");
    assert!(one.unexplained().is_empty(), "{:?}", one.unexplained());
    let kernels = one.json.as_array().expect("a list of kernels");
    assert_eq!(kernels.len(), 2);
    let stretch = |kernel: usize, at: usize| {
        let time = |value: &serde_json::Value| value["time"].as_f64().expect("a time");
        time(&kernels[kernel]["fixed"][at][1]) / time(&kernels[kernel]["base"]["activity"])
    };
    // kmeans waits for memory and mandelbrot computes.
    assert!(stretch(0, 5) < 2.0, "{}", stretch(0, 5));
    assert!((stretch(1, 5) / 7.0 - 1.0).abs() < 0.25, "{}", stretch(1, 5));
    for (n, kernel) in kernels.iter().enumerate() {
        let slowed = |run: &serde_json::Value| {
            run["mhz"].as_array().expect("decisions").iter().any(|mhz| mhz.as_u64() < Some(700))
        };
        assert_eq!(slowed(&kernel["controlled"]["crisp for edp"]), n == 0, "{}", kernel["kernel"]);
        assert_eq!(slowed(&kernel["oracle"]), n == 0, "{}", kernel["kernel"]);
        // On another machine it is the same kernel: the two differ in power far more than machines do.
        let there = &kernel["elsewhere"][0];
        let ours = &kernel["controlled"]["crisp-plus with steady for edp"];
        for (here, there) in [(ours, &there["ours"]), (&kernel["oracle"], &there["oracle"])] {
            let joules = |run: &serde_json::Value| run["energy"].as_f64();
            let ratio = joules(there).zip(joules(here)).map(|(there, here)| there / here);
            assert!(ratio.is_some_and(|ratio| (ratio - 1.0).abs() < 0.05), "{ratio:?}");
            assert_ne!(there["energy"], here["energy"], "it is another machine");
        }
        assert_ne!(there["ours"]["energy"], there["oracle"]["energy"]);
        assert_eq!(there["latency_cycles"], 49);
    }
}
