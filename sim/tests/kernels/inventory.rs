//! The kernels folder is complete: each kernel has source, PTX, job, reference and documentation, and
//! its sizes are as large as promised.

use std::collections::BTreeSet;
use std::fs;

use lanewise_sim::job::{Job, LoadOptions};

use crate::common::{folder, root};
use crate::counts::{table, SIZES};
use crate::KERNELS;

fn read(kernel: &str, extension: &str) -> String {
    let path = folder(kernel).join(format!("{kernel}.{extension}"));
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn every_folder_has_a_reference() {
    let entries = fs::read_dir(root().join("kernels")).expect("there is a kernels folder");
    let folders: BTreeSet<String> = entries
        .map(|entry| entry.expect("a readable entry"))
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let references: BTreeSet<String> = KERNELS.iter().map(|k| k.to_string()).collect();
    assert_eq!(folders, references);
}

#[test]
fn every_source_says_what_it_does() {
    for kernel in KERNELS {
        assert!(read(kernel, "cl").starts_with("// "), "{kernel}.cl");
    }
}

#[test]
fn no_ptx_names_a_place_on_a_machine() {
    for kernel in KERNELS {
        for line in read(kernel, "ptx").lines() {
            let path = ["/usr", "/home", "/root", "/tmp", ".cl"];
            let found = path.iter().find(|path| line.contains(*path));
            assert_eq!(found, None, "{kernel}.ptx: {line}");
        }
    }
}

/// Loading checks every name, type and argument of a job without running it.
#[test]
fn every_job_loads_at_every_size() {
    for kernel in KERNELS {
        for size in ["tiny1", "tiny33", "odd", "default"] {
            let options = LoadOptions { size: Some(size.into()), seed: None };
            let path = folder(kernel).join(format!("{kernel}.toml"));
            Job::load(&path, &options).unwrap_or_else(|e| panic!("{e}"));
        }
        let job = read(kernel, "toml");
        for size in SIZES {
            assert!(job.contains(&format!("\n{size} = {{")), "{kernel}: {size}");
        }
        assert!(job.contains("[[expect]]"), "{kernel} expects nothing");
    }
}

#[test]
fn every_kernel_is_described() {
    let page = fs::read_to_string(root().join("docs/kernels.md")).expect("docs/kernels.md");
    for kernel in KERNELS {
        let rows = page.lines().filter(|l| l.starts_with(&format!("| {kernel} |")));
        assert_eq!(rows.count(), 3, "{kernel}: a row of words, of counts, and of time");
    }
}

/// 140,000 cycles are 200 us at 700 MHz; 15 SMs issue at most two warp instructions a cycle.
const STUDY: u64 = 140_000 * 15 * 2;

/// These need not execute as many: docs/kernels.md says why they take 200 us all the same.
const WAIT_FOR_MEMORY: [&str; 3] = ["chase", "histogram", "reduce"];

#[test]
fn default_and_study_are_large_enough() {
    for row in table() {
        let (default, study) = (row.at("default"), row.at("study"));
        let kernel = row.kernel();
        assert!(default >= 100_000, "{kernel}: {default} at default");
        let waits = WAIT_FOR_MEMORY.contains(&kernel);
        assert!(waits || study >= STUDY, "{kernel}: {study} at study");
    }
}
