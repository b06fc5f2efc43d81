//! Any text given to the job loader ends in a job or an error.
#![no_main]

use std::path::Path;

use lanewise_sim::job::{Job, LoadOptions};
use libfuzzer_sys::fuzz_target;

const PTX: &str = ".version 6.3\n.target sm_70\n.address_size 64\n.entry k() { ret; }";

fuzz_target!(|text: &str| {
    let _ = Job::from_text(text, PTX, Path::new("/nonexistent"), &LoadOptions::default());
});
