//! The contract catches what it promises to catch: each check meets the bug it is for.
//!
//! Bugs are planted in copies of the model or of the exported Verilog, never in the sources, and each
//! test names the check that must see its bug.

mod coverage;
mod dependence;
mod exhaustive;
mod model;
mod shim;
mod toolchain;
mod verilog;

use lanewise_testbenches::contract::Failure;

fn expect_failure(result: Result<(), Failure>, check: &str, says: &[&str]) {
    let failure = result.expect_err("the planted bug is caught");
    assert_eq!(failure.check, check, "{failure}");
    for part in says {
        assert!(failure.message.contains(part), "no {part:?} in: {failure}");
    }
}
