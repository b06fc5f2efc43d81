//! Hostile text: known-good PTX and job files, damaged in every way, must give a result or an error, never a
//! panic, a hang or a memory blow-up. cargo-fuzz targets over the same entry points are in fuzz/.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lanewise_sim::exec::{run, GlobalMemory, Launch};
use lanewise_sim::job::{Job, LoadOptions};
use lanewise_sim::ptx::Module;

use super::random::Random;

fn corpus(extension: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels");
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(root).into_iter().flatten().flatten() {
        for file in std::fs::read_dir(entry.path()).into_iter().flatten().flatten() {
            if file.path().extension().is_some_and(|e| e == extension) {
                texts.extend(std::fs::read_to_string(file.path()));
            }
        }
    }
    texts.sort();
    texts
}

/// Pieces that break parsers: limits, nesting, half tokens, other alphabets.
const PIECES: [&str; 24] = [
    "4294967296",
    "-1",
    "99999999999999999999",
    "0x",
    "{",
    "}",
    "[",
    "(((((((((((((",
    "<1000000>",
    ";",
    "\"",
    "/*",
    ".reg .b32 %r<1048576>;",
    ".align 3",
    "@",
    "\u{1F9EA}",
    "\0",
    "= {",
    ".shared .b8 x[1073741824];",
    "call k, ();",
    "[1 << 62]",
    "n * n * n * n",
    "until_zero",
    "%r4000000000",
];

fn damage(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len().max(1));
        let end = (at + random.below(80)).min(bytes.len());
        match random.below(6) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let copy = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, copy);
            }
            2 => {
                let piece = PIECES[random.below(PIECES.len())].bytes();
                bytes.splice(at..at, piece);
            }
            3 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            4 => bytes.truncate(at),
            _ => {
                let line =
                    bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| at + n);
                let piece = PIECES[random.below(PIECES.len())].bytes();
                bytes.splice(at..line, piece);
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Runs `f` on damaged texts and checks that none takes long; returns how many were accepted.
fn hammer(texts: &[String], rounds: usize, f: impl Fn(&str) -> bool) -> usize {
    assert!(!texts.is_empty());
    let mut random = Random(7);
    let mut accepted = 0;
    for n in 0..rounds {
        let text = damage(&texts[n % texts.len()], &mut random);
        let start = Instant::now();
        accepted += usize::from(f(&text));
        let time = start.elapsed();
        assert!(time < Duration::from_secs(10), "{time:?} for\n{text}");
    }
    accepted
}

/// Runs whatever was accepted for a while; with null pointers most kernels fault, and none may panic.
fn execute(module: Module) {
    let module = Arc::new(module);
    for kernel in &module.kernels {
        if let Ok(launch) = Launch::new(&module, &kernel.name, [1, 1, 1], [33, 1, 1]) {
            let mut memory = GlobalMemory::new(&module.image.global);
            let counts = run(&launch, &mut memory, 2_000);
            assert!(counts.map_or(true, |c| c.warp_instructions <= 2_000));
        }
    }
}

fn rounds() -> usize {
    if std::env::var_os("LANEWISE_FULL").is_some() {
        50_000
    } else {
        2_000
    }
}

#[test]
fn damaged_ptx_never_breaks_the_loader() {
    let accepted = hammer(&corpus("ptx"), rounds(), |text| match Module::load("f.ptx", text) {
        Ok(module) => {
            execute(module);
            true
        }
        Err(_) => false,
    });
    // Some damage falls into comments or keeps the text valid: both outcomes must be met.
    assert!(accepted > 0 && accepted < rounds(), "{accepted}");
}

#[test]
fn damaged_jobs_never_break_the_loader() {
    let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.entry k() { ret; }";
    let options = LoadOptions { size: Some("tiny1".into()), seed: None };
    let accepted = hammer(&corpus("toml"), rounds(), |text| {
        let result = Job::from_text(text, ptx, Path::new("."), &options);
        // The kernels are not in this module, so a good job gets as far as their names.
        result.is_err_and(|e| e.to_string().contains("has no kernel"))
    });
    assert!(accepted > 0 && accepted < rounds(), "{accepted}");
}
