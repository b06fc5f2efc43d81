//! Measures every back end of every bound block and writes the table of `docs/performance.md`.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use lanewise_testbenches::{bindings, page};

/// Measures steps per second of model, stepped rust-hdl and verilated Verilog for every block.
#[derive(Parser)]
struct Options {
    /// Where the page is.
    #[arg(long, value_name = "FILE", default_value_os_t = page::performance())]
    out: PathBuf,
    /// Milliseconds spent on each back end.
    #[arg(long, value_name = "MS", default_value_t = 300)]
    millis: u64,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let table = table(Duration::from_millis(options.millis));
    match table.and_then(|table| page::rewrite(&options.out, "steps", &table)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("steps-table: {message}");
            ExitCode::from(2)
        }
    }
}

fn table(duration: Duration) -> Result<String, String> {
    let mut table = String::from(
        "| block | golden model | stepped rust-hdl | verilated | verilated / rust-hdl |\n\
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
            table,
            "| `{}` | {:.2} | {:.3} | {:.2} | {:.0} |",
            binding.entry(),
            model / 1e6,
            rtl / 1e6,
            verilated / 1e6,
            verilated / rtl
        );
    }
    Ok(table)
}
