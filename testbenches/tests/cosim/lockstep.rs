//! Every shipped kernel with every mechanism, model and Verilog side by side, without one difference.

use super::command::{folded_percent, kernels, run};

/// Runs kernels in lockstep; the names of those that differ or fail.
fn failures(names: &[String], options: &[&str]) -> Vec<String> {
    let ends = names.iter().map(|name| (name, run(name, options)));
    ends.filter(|(_, done)| done.code != Some(0))
        .map(|(name, done)| format!("{name}: exit {:?}\n{}{}", done.code, done.out, done.err))
        .collect()
}

#[test]
fn every_kernel_runs_in_lockstep() {
    let names = kernels();
    assert!(names.len() >= 33, "only {names:?}");
    let options = ["--size", "tiny33", "--sms", "2", "--units", "lockstep"];
    let failed = failures(&names, &options);
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn three_kernels_run_with_the_stepped_rtl_too() {
    let names = ["vecadd", "reduce", "gaussian"].map(String::from);
    let options = ["--size", "tiny33", "--sms", "1", "--units", "lockstep-all"];
    let failed = failures(&names, &options);
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn both_lane_variants_and_every_elision_fold_exactly() {
    for (variant, elision) in
        [("compact", "none"), ("compact", "cluster"), ("fold", "half"), ("fold", "literal-half")]
    {
        let variant = format!("mechanisms.lanes.variant={variant}");
        let elision = format!("mechanisms.lanes.elision={elision}");
        // Integers of full warps, divisions among additions in ragged ones, doubles in two beats; carries.rs has
        // what no kernel has.
        for kernel in ["xtea", "lud", "poisson"] {
            let done = run(
                kernel,
                &[
                    "--size",
                    "tiny33",
                    "--sms",
                    "1",
                    "--attach",
                    "lanes,folding",
                    "--units",
                    "lockstep",
                    "--set",
                    &variant,
                    "--set",
                    &elision,
                ],
            );
            let said = format!("{kernel} {variant} {elision}: {}{}", done.out, done.err);
            assert_eq!(done.code, Some(0), "{said}");
            assert!(folded_percent(&done) > 0.0, "{said}");
        }
    }
}

/// Matrix multiply, breadth-first search, elimination, n bodies within a cut-off, histogram; each as large as
/// studies run it, on all 15 SMs.
#[test]
fn five_kernels_at_full_size() {
    if std::env::var_os("LANEWISE_FULL").is_none() {
        return;
    }
    let names = ["matmul", "bfs", "gaussian", "lavamd", "histogram"].map(String::from);
    let failed = failures(&names, &["--size", "study", "--threads", "2", "--units", "lockstep"]);
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
