//! What each exported block costs in silicon.

use std::cmp::Reverse;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use clap::{Args, Parser};
use indicatif::{ProgressBar, ProgressStyle};
use lanewise_silicon::cache::{self, Cache};
use lanewise_silicon::cost::Cost;
use lanewise_silicon::equivalence::{prove, Verdict};
use lanewise_silicon::ice40::{fit, Fit, LOGIC_CELLS};
use lanewise_silicon::manifest::{Manifest, Module};
use lanewise_silicon::recorded::Recorded;
use lanewise_silicon::report::{Report, CLOCK_MHZ};
use lanewise_silicon::synthesis::{elaborate, Technology};
use lanewise_silicon::{listing, schematic, Error};
use rayon::prelude::*;

/// Synthesises the exported blocks and says what they cost: cells, flip-flops, area, depth, longest path.
///
/// Results are kept in target/silicon by content, so a second run is quick.
#[derive(Parser)]
#[command(
    name = "area",
    version,
    after_help = "Examples:\n  \
    scripts/area                                       every block with the project's library\n  \
    scripts/area --block idle_counters                 one block and its variants, with its cells\n  \
    scripts/area --liberty osu018_stdcells.lib --json  another library, for a program\n  \
    scripts/area --prove --block lane_shift            is the netlist what the RTL says?\n  \
    scripts/area --ice40                               fit the blocks into a small FPGA\n  \
    scripts/area --energy shift_stage=FILE             what a kernel's recorded data cost (cosim run --record)\n  \
    scripts/area --report --check                      is docs/silicon.md up to date?\n\n\
    Exit codes: 0 done, 1 --check or --prove found a difference, 2 bad request, missing tool or unreadable file."
)]
struct Options {
    /// Block with its variants, or one module; may be given several times.
    #[arg(long, value_name = "NAME")]
    block: Vec<String>,
    /// Standard-cell library; the project's own 45 nm model by default.
    #[arg(long, value_name = "FILE")]
    liberty: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Write there instead of printing.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    mode: Mode,
    /// Write nothing; name what differs from the files that are there.
    #[arg(long)]
    check: bool,
    /// Folder of the exported Verilog.
    #[arg(long, value_name = "DIR", default_value = "verilog_out")]
    verilog: PathBuf,
    /// Modules worked on at a time.
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
}

/// What to do instead of listing costs.
#[derive(Args)]
#[group(multiple = false)]
struct Mode {
    /// Write the page of costs and claims.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "docs/silicon.md")]
    report: Option<PathBuf>,
    /// Draw every default block into a folder.
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = "docs/blocks")]
    schematics: Option<PathBuf>,
    /// Fit the blocks into an iCE40 HX8K and write what came out, for the report.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "silicon/measured/ice40.json")]
    ice40: Option<PathBuf>,
    /// Run what `cosim run --record` wrote through a module's netlist and count what switches; may be given
    /// several times.
    #[arg(long, value_name = "MODULE=FILE")]
    energy: Vec<Energy>,
    /// Prove that each netlist does what its RTL says.
    #[arg(long)]
    prove: bool,
}

/// A module and a recording of it.
#[derive(Clone)]
struct Energy {
    module: String,
    file: PathBuf,
}

impl FromStr for Energy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (module, file) = text.split_once('=').ok_or("MODULE=FILE is what it takes")?;
        Ok(Energy { module: module.into(), file: file.into() })
    }
}

/// What a run works with.
struct Session {
    manifest: Manifest,
    technology: Technology,
    cache: Cache,
}

impl Session {
    fn open(options: &Options) -> Result<Session, Error> {
        let technology = match &options.liberty {
            Some(path) => Technology::load(path)?,
            None => Technology::lanewise45()?,
        };
        let manifest = Manifest::load(&options.verilog)?;
        Ok(Session { manifest, technology, cache: cache::standard() })
    }
}

/// Works on all modules, with a bar on a terminal; results in the order of the modules.
///
/// The heaviest come first, so that no thread is left alone with one at the end.
fn each<T: Send>(
    session: &Session,
    modules: &[&Module],
    work: impl Fn(&Module) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(modules.len() as u64).with_style(style);
    let mut order: Vec<usize> = (0..modules.len()).collect();
    order.sort_by_key(|index| Reverse(session.manifest.weight(modules[*index])));
    let mut results: Vec<(usize, Result<T, Error>)> = order
        .into_iter()
        .par_bridge()
        .map(|index| {
            bar.set_message(modules[index].module.clone());
            let result = work(modules[index]);
            bar.inc(1);
            (index, result)
        })
        .collect();
    bar.finish_and_clear();
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

fn run(options: &Options) -> Result<ExitCode, Error> {
    let session = Session::open(options)?;
    let modules = session.manifest.select(&options.block)?;
    if let Some(path) = &options.mode.report {
        return report(options, &session, path);
    }
    if let Some(folder) = &options.mode.schematics {
        return schematics(options, &session, &modules, folder);
    }
    if let Some(path) = &options.mode.ice40 {
        return ice40(options, &session, &modules, path);
    }
    if !options.mode.energy.is_empty() {
        return energies(options, &session);
    }
    if options.mode.prove {
        return proofs(&session, &modules);
    }
    let costs = each(&session, &modules, |module| {
        Cost::of(&session.manifest.source(&module.module)?, &session.technology, &session.cache)
    })?;
    let text = if options.json { listing::json(&costs) } else { listing::text(&costs) };
    show(options, &text)
}

/// To a file if one was named, else to the terminal.
fn show(options: &Options, text: &str) -> Result<ExitCode, Error> {
    match &options.out {
        Some(path) => write(path, text)?,
        // A reader that has seen enough, such as `head`, is no error.
        None => drop(std::io::stdout().write_all(text.as_bytes())),
    }
    Ok(ExitCode::SUCCESS)
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder {
        fs::create_dir_all(folder).map_err(Error::file("create", folder))?;
    }
    fs::write(path, text).map_err(Error::file("write", path))
}

/// Writes files, or compares them if asked to; the remedy is a command.
fn keep(options: &Options, files: &[(PathBuf, String)], remedy: &str) -> Result<ExitCode, Error> {
    if !options.check {
        for (path, text) in files {
            write(path, text)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let old: Vec<&PathBuf> = files
        .iter()
        .filter(|(path, text)| fs::read_to_string(path).ok().as_ref() != Some(text))
        .map(|(path, _)| path)
        .collect();
    if old.is_empty() {
        println!("up to date");
        return Ok(ExitCode::SUCCESS);
    }
    old.iter().for_each(|path| eprintln!("{} is not what would be written", path.display()));
    eprintln!("run `{remedy}` and commit the result");
    Ok(ExitCode::from(1))
}

fn report(options: &Options, session: &Session, path: &Path) -> Result<ExitCode, Error> {
    let modules: Vec<&Module> = session.manifest.modules().iter().collect();
    let costs = each(session, &modules, |module| {
        Cost::of(&session.manifest.source(&module.module)?, &session.technology, &session.cache)
    })?;
    let report = Report::new(&session.manifest, &session.technology, &session.cache, costs)?;
    keep(options, &[(path.into(), report.markdown())], "scripts/area --report")
}

fn schematics(
    options: &Options,
    session: &Session,
    modules: &[&Module],
    folder: &Path,
) -> Result<ExitCode, Error> {
    let defaults: Vec<&Module> =
        modules.iter().copied().filter(|module| module.is_default()).collect();
    let pictures = each(session, &defaults, |module| {
        schematic::draw(&session.manifest, module, &session.cache)
    })?;
    let files: Vec<_> =
        pictures.into_iter().flatten().map(|(name, text)| (folder.join(name), text)).collect();
    keep(options, &files, "scripts/area --schematics")
}

fn ice40(
    options: &Options,
    session: &Session,
    modules: &[&Module],
    path: &Path,
) -> Result<ExitCode, Error> {
    let small: Vec<&Module> = modules
        .iter()
        .copied()
        .filter(|module| session.manifest.weight(module) < LOGIC_CELLS)
        .collect();
    let fits: Vec<Fit> =
        each(session, &small, |module| fit(&session.manifest, module, &session.cache))?;
    let mut text = serde_json::to_string_pretty(&fits).expect("fits have only names and numbers");
    text.push('\n');
    keep(options, &[(path.into(), text)], "scripts/area --ice40")
}

fn energies(options: &Options, session: &Session) -> Result<ExitCode, Error> {
    let Session { manifest, technology, cache } = session;
    let recorded: Vec<Recorded> = options
        .mode
        .energy
        .par_iter()
        .map(|Energy { module, file }| Recorded::measure(module, file, manifest, technology, cache))
        .collect::<Result<_, _>>()?;
    let text = match options.json {
        true => listing::json(&recorded),
        false => listing::energies(&recorded, CLOCK_MHZ),
    };
    show(options, &text)
}

fn proofs(session: &Session, modules: &[&Module]) -> Result<ExitCode, Error> {
    let verdicts = each(session, modules, |module| {
        let source = session.manifest.source(&module.module)?;
        let rtl = elaborate(&source, &session.cache)?;
        let netlist = session.technology.synthesise(&source, &session.cache)?;
        prove(&rtl, &netlist, &session.technology.library)
    })?;
    let mut equal = true;
    for (module, verdict) in modules.iter().zip(verdicts) {
        match verdict {
            Verdict::Equal => println!("{}: the netlist does what the RTL says", module.module),
            Verdict::Undecided => {
                equal = false;
                eprintln!("{}: abc gave up; prove a smaller variant", module.module);
            }
            Verdict::Different(how) => {
                equal = false;
                eprintln!("{}: the netlist differs from the RTL: {how}", module.module);
            }
        }
    }
    Ok(ExitCode::from(u8::from(!equal)))
}

fn main() -> ExitCode {
    let options = Options::parse();
    // Synthesis runs in other processes; this pool only waits for them.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs.max(1)).build_global();
    let result = match pool {
        Ok(()) => run(&options),
        Err(reason) => {
            eprintln!("area: cannot start {} threads: {reason}", options.jobs);
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("area: {error}");
            ExitCode::from(2)
        }
    }
}
