//! Any text given to the PTX loader ends in a module or an error.
#![no_main]

use lanewise_sim::ptx::Module;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = Module::load("fuzz.ptx", text);
});
