//! Measures every back end of every bound block and writes the table of `docs/performance.md`.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use lanewise_testbenches::bindings;

/// Measures steps per second of model, stepped rust-hdl and verilated Verilog for every block.
#[derive(Parser)]
struct Options {
    /// Where the page goes.
    #[arg(long, value_name = "FILE", default_value_os_t = default_page())]
    out: PathBuf,
    /// Milliseconds spent on each back end.
    #[arg(long, value_name = "MS", default_value_t = 300)]
    millis: u64,
}

fn default_page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("docs").join("performance.md")
}

fn main() -> ExitCode {
    let options = Options::parse();
    match page(Duration::from_millis(options.millis)).and_then(|page| {
        std::fs::write(&options.out, page)
            .map_err(|error| format!("cannot write {}: {error}", options.out.display()))
    }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("steps-table: {message}");
            ExitCode::from(2)
        }
    }
}

fn page(duration: Duration) -> Result<String, String> {
    let mut page = String::from(
        "# Steps per second\n\n\
         One step is one `eval` and one `tick` on uniform random inputs, the fastest of ten slices, in millions a \
         second.\nWritten by `cargo run --release -p lanewise-testbenches --bin steps-table`; \
         `cargo bench -p lanewise-testbenches` has the same with confidence intervals.\n\n\
         | block | golden model | stepped rust-hdl | verilated | verilated / rust-hdl |\n\
         | --- | ---: | ---: | ---: | ---: |\n",
    );
    for binding in bindings::all() {
        let mut steppers = binding.steppers().map_err(|failure| failure.to_string())?;
        let rates: Vec<f64> = steppers.iter_mut().map(|stepper| stepper.rate(duration)).collect();
        let [model, rtl, verilated] = rates[..] else {
            return Err(format!("{} has {} back ends, not 3", binding.entry(), rates.len()));
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            page,
            "| `{}` | {:.2} | {:.3} | {:.2} | {:.0} |",
            binding.entry(),
            model / 1e6,
            rtl / 1e6,
            verilated / 1e6,
            verilated / rtl
        );
    }
    Ok(page)
}
