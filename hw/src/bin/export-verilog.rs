//! Exports the blocks of Lanewise as Verilog.

use clap::Parser;
use lanewise_hw::export::{self, Error};
use std::path::PathBuf;
use std::process::ExitCode;

/// Writes the blocks of Lanewise as Verilog-2005: one module a file, a FuseSoC core and a manifest.
///
/// Without options the whole catalogue goes to verilog_out/. Files are written whole or not at all.
#[derive(Parser)]
#[command(
    version,
    after_help = "Examples:\n  \
    export-verilog                                     the whole catalogue\n  \
    export-verilog --block shift_stage --out /tmp/rtl  one block and what it instantiates\n  \
    export-verilog --block lane_shift --param variant=fold\n  \
    export-verilog --check                             is verilog_out/ up to date?\n\n\
    Exit codes: 0 done, 1 --check found a difference, 2 bad request or nothing could be written."
)]
struct Options {
    /// Folder to write to, or to compare with.
    #[arg(long, value_name = "DIR", default_value = "verilog_out")]
    out: PathBuf,
    /// Block to export, with what it instantiates; may be given several times.
    #[arg(long, value_name = "NAME")]
    block: Vec<String>,
    /// Parameter of the named block; the combination must be in the catalogue.
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    param: Vec<(String, String)>,
    /// Show the catalogue and stop.
    #[arg(long)]
    list: bool,
    /// Write nothing; name every file that differs from the export and exit with 1.
    #[arg(long)]
    check: bool,
}

fn pair(text: &str) -> Result<(String, String), String> {
    text.split_once('=')
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .ok_or_else(|| "write it as NAME=VALUE".into())
}

fn run(options: &Options) -> Result<ExitCode, Error> {
    if options.list {
        print!("{}", export::list());
        return Ok(ExitCode::SUCCESS);
    }
    let chosen = export::select(&options.block, &options.param)?;
    let export = export::export(&chosen, &options.out)?;
    if options.check {
        let differences = export.differences(&options.out);
        differences.iter().for_each(|line| eprintln!("{line}"));
        if !differences.is_empty() {
            eprintln!("run `cargo run --release --bin export-verilog` and commit the result");
            return Ok(ExitCode::from(1));
        }
        println!("{} is up to date", options.out.display());
        return Ok(ExitCode::SUCCESS);
    }
    let files = export.write(&options.out)?;
    println!("{files} files in {}", options.out.display());
    Ok(ExitCode::SUCCESS)
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("export-verilog: {error}");
            ExitCode::from(2)
        }
    }
}
