//! Missing programs, refused Verilog, and the cache.

use lanewise_sim::units::idle_counters::{In, Out};
use lanewise_testbenches::bindings::idle_counters::binding;
use lanewise_testbenches::contract::Subject;
use lanewise_testbenches::verilated::{Source, Toolchain, Verilated};

fn sources() -> Vec<Source> {
    Subject::of(&binding()).expect("a subject").modules
}

fn error(tools: &Toolchain, sources: &[Source]) -> String {
    match Verilated::<In, Out>::build_with(tools, sources) {
        Ok(_) => panic!("the build must fail"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_missing_program_is_one_line_with_the_remedy() {
    let usual = Toolchain::from_env();
    let verilator = Toolchain { verilator: "no-such-verilator".into(), ..usual.clone() };
    assert_eq!(
        error(&verilator, &sources()),
        "no-such-verilator is not installed: run `apt-get install verilator`"
    );
    let cxx = Toolchain { cxx: "no-such-compiler".into(), ..usual };
    assert_eq!(
        error(&cxx, &sources()),
        "no-such-compiler is not installed: run `apt-get install g++`"
    );
}

#[test]
fn a_warning_of_verilator_is_an_error() {
    let mut sources = sources();
    sources[0].text = sources[0].text.replacen("limit_0 = 32'd0", "limit_0 = 31'd0", 1);
    let text = error(&Toolchain::from_env(), &sources);
    assert!(text.starts_with("verilator failed on idle_counters:"), "{text}");
    assert!(text.contains("%Warning-WIDTH"), "{text}");
}

#[test]
fn a_cache_that_cannot_be_written_is_named() {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    let tools = Toolchain { cache: file.path().join("below"), ..Toolchain::from_env() };
    let text = error(&tools, &sources());
    assert!(text.contains(&file.path().display().to_string()), "{text}");
    assert!(text.contains("set LANEWISE_CACHE"), "{text}");
}
