//! From Verilog text to a shared object: Verilator, one compiler call, a cached runtime.

use std::fs;
use std::path::{Path, PathBuf};

use lanewise_files::{digest, Cache};
use lanewise_sim::units::Io;

use super::shim;
use super::source::Source;
use super::tools::{args, flags, Toolchain, VerilatedError, Word};

/// Hidden symbols and no unique ones: every shared object keeps its own `Vunit` and its own runtime.
/// The precompiled header serves only calls with these same flags, and g++ is silent when it does not:
/// -Winvalid-pch with -Werror makes that a failure.
const CXX_FLAGS: &[&str] = &[
    "-std=gnu++17",
    "-O2",
    "-fPIC",
    "-fvisibility=hidden",
    "-fno-gnu-unique",
    "-pthread",
    "-Winvalid-pch",
    "-Werror=invalid-pch",
    "-DVM_COVERAGE=0",
    "-DVM_SC=0",
    "-DVM_TRACE=0",
];

/// The files of Verilator's C++ runtime that a module without threads or traces needs.
const RUNTIME_PARTS: [&str; 2] = ["verilated", "verilated_threads"];

/// `unique` makes uninitialised state a run-time choice: zero, or random from a seed.
const VERILATOR_FLAGS: &[&str] =
    &["--cc", "--prefix", "Vunit", "-O3", "--x-assign", "unique", "--x-initial", "unique"];

/// The shared object of the first module; the others are what it instantiates.
pub(super) fn shared_object<I: Io, O: Io>(
    tools: &Toolchain,
    modules: &[Source],
) -> Result<PathBuf, VerilatedError> {
    let top = modules.first().map_or("", |module| module.name.as_str());
    let versions = tools.versions()?;
    let generator = shim::source::<I, O>(&[]);
    let options = [VERILATOR_FLAGS, CXX_FLAGS].concat().join(" ");
    let key = digest(
        [versions.as_str(), &options, &generator]
            .into_iter()
            .chain(modules.iter().flat_map(|module| [module.name.as_str(), &module.text])),
    );
    let runtime = runtime(tools, &versions)?;
    let entry = Cache::new(&tools.cache).entry(&format!("{top}-{key}"), |directory| {
        verilate::<I, O>(tools, modules, directory, &runtime)
    })?;
    Ok(entry.join("unit.so"))
}

fn verilate<I: Io, O: Io>(
    tools: &Toolchain,
    modules: &[Source],
    directory: &Path,
    runtime: &Path,
) -> Result<(), VerilatedError> {
    let top = modules.first().map_or("", |module| module.name.as_str());
    let files = write_sources(modules, directory)?;
    let objects = directory.join("obj");
    let mut command = flags(VERILATOR_FLAGS);
    command.extend(args([&"--top-module" as Word, &top, &"--Mdir", &objects]));
    command.extend(files.iter().map(Into::into));
    tools.verilator(&command, top)?;

    let mut sources = vec!["Vunit.h".to_string()];
    sources.extend(cpp_files(&objects)?);
    let shim = directory.join("shim.cpp");
    write(&shim, &shim::source::<I, O>(&sources))?;
    let include = include_directory(tools)?;
    let header = runtime.join("runtime.h");
    let mut command = flags(CXX_FLAGS);
    command.extend(args([&"-I" as Word, &include, &"-I", &objects, &"-include", &header, &shim]));
    command.extend(RUNTIME_PARTS.map(|part| runtime.join(format!("{part}.o")).into()));
    command.extend(flags(&["-shared", "-Wl,-Bsymbolic", "-o"]));
    command.push(directory.join("unit.so").into());
    tools.cxx(&command, top)?;
    // What Verilator wrote is ten times the size of the result and can be had again at any time.
    fs::remove_dir_all(&objects).map_err(VerilatedError::file("tidy", &objects))
}

/// Writes each module to a file of its own and returns their paths.
pub(super) fn write_sources(
    modules: &[Source],
    directory: &Path,
) -> Result<Vec<PathBuf>, VerilatedError> {
    modules
        .iter()
        .map(|module| {
            let path = directory.join(format!("{}.v", module.name));
            write(&path, &module.text)?;
            Ok(path)
        })
        .collect()
}

/// Verilator's C++ runtime, compiled once, and its headers, parsed once.
fn runtime(tools: &Toolchain, versions: &str) -> Result<PathBuf, VerilatedError> {
    let key = digest([versions, &CXX_FLAGS.join(" ")]);
    Cache::new(&tools.cache).entry(&format!("runtime-{key}"), |directory| {
        let include = include_directory(tools)?;
        let header = directory.join("runtime.h");
        write(&header, "#include \"verilated.h\"\n")?;
        let compile = |kind: &[&str], from: &Path, to: &str| {
            let mut command = flags(CXX_FLAGS);
            command.extend(flags(kind));
            command.extend(args([&"-I" as Word, &include, &from, &"-o", &directory.join(to)]));
            tools.cxx(&command, &from.to_string_lossy()).map(drop)
        };
        compile(&["-x", "c++-header"], &header, "runtime.h.gch")?;
        std::thread::scope(|scope| {
            let parts = RUNTIME_PARTS.map(|part| {
                let compile = &compile;
                let from = include.join(format!("{part}.cpp"));
                // Nothing here is on the path of a step: -O1 halves the wait.
                scope.spawn(move || compile(&["-O1", "-c"], &from, &format!("{part}.o")))
            });
            parts.into_iter().try_for_each(|part| match part.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })
    })
}

fn include_directory(tools: &Toolchain) -> Result<PathBuf, VerilatedError> {
    let root = tools.verilator(&flags(&["--getenv", "VERILATOR_ROOT"]), "--getenv")?;
    Ok(Path::new(root.trim()).join("include"))
}

fn cpp_files(directory: &Path) -> Result<Vec<String>, VerilatedError> {
    let mut files = Vec::new();
    for file in fs::read_dir(directory).map_err(VerilatedError::file("read", directory))? {
        let name = file.map_err(VerilatedError::file("read", directory))?.file_name();
        let name = name.to_string_lossy();
        if name.ends_with(".cpp") {
            files.push(name.into_owned());
        }
    }
    files.sort();
    Ok(files)
}

fn write(path: &Path, text: &str) -> Result<(), VerilatedError> {
    fs::write(path, text).map_err(VerilatedError::file("write", path))
}
