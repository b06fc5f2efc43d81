//! Every proof in formal/ holds, and fails as soon as its seeded bug is planted.
//!
//! A proof is `formal/<name>.toml` beside its harness `formal/<name>.v`. The harness states properties of
//! the exported Verilog; each `[[bug]]` is a textual change to one of the files that must be refuted by
//! a counterexample, not merely fail to be proved.

use rayon::prelude::*;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Proof {
    /// What is proved, in a sentence.
    what: String,
    /// The harness module.
    top: String,
    /// Exported files that the harness instantiates, below the project root.
    files: Vec<String>,
    method: Method,
    /// Steps of the base case and the induction.
    #[serde(default)]
    depth: usize,
    bug: Vec<Bug>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Method {
    /// Combinational, by Yosys' SAT solver.
    Sat,
    /// Sequential, by k-induction with Yosys' SAT solver.
    Induct,
    /// Sequential, by k-induction with an SMT solver.
    Smtbmc,
    /// Combinational and wide: the harness output `bad` is never 1, by ABC.
    Abc,
    /// Sequential with much state: ABC's property-directed reachability finds the invariant itself.
    Pdr,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bug {
    file: String,
    find: String,
    replace: String,
}

#[derive(Debug, PartialEq)]
enum Verdict {
    Proved,
    Refuted,
    /// Neither: a tool failed or ran out of steps.
    Unclear(String),
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn proofs() -> Vec<(String, Proof)> {
    let mut proofs: Vec<_> = fs::read_dir(root().join("formal"))
        .expect("formal/ exists")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .map(|path| {
            let text = fs::read_to_string(&path).expect("readable");
            let proof = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            (path.file_stem().expect("a stem").to_string_lossy().into_owned(), proof)
        })
        .collect();
    proofs.sort_by(|a, b| a.0.cmp(&b.0));
    proofs
}

fn run(program: &str, arguments: &[&str]) -> String {
    match Command::new(program).args(arguments).output() {
        Ok(output) => {
            String::from_utf8_lossy(&output.stdout).into_owned()
                + &String::from_utf8_lossy(&output.stderr)
        }
        Err(error) => format!("{program}: {error}; run scripts/setup"),
    }
}

fn verdict(output: String, proved: &[&str], refuted: &[&str]) -> Verdict {
    let lines = || output.lines().map(str::trim);
    if lines().any(|l| refuted.iter().any(|r| l.contains(r))) {
        Verdict::Refuted
    } else if proved.iter().all(|p| lines().any(|l| l.contains(p))) {
        Verdict::Proved
    } else {
        let tail: Vec<_> = output.lines().rev().take(15).collect();
        Verdict::Unclear(tail.into_iter().rev().collect::<Vec<_>>().join("\n"))
    }
}

/// Checks a proof, with `bug` planted if there is one.
fn check(name: &str, proof: &Proof, bug: Option<&Bug>) -> Verdict {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut sources = vec![root().join("formal").join(format!("{name}.v"))];
    for file in &proof.files {
        let mut text = fs::read_to_string(root().join(file))
            .unwrap_or_else(|e| panic!("{name}.toml: {file}: {e}"));
        if let Some(bug) = bug.filter(|b| b.file == *file) {
            assert!(text.contains(&bug.find), "{name}: `{}` is not in {file}", bug.find);
            text = text.replacen(&bug.find, &bug.replace, 1);
        }
        let path = folder.path().join(Path::new(file).file_name().expect("a file name"));
        fs::write(&path, text).expect("writable");
        sources.push(path);
    }
    if let Some(bug) = bug {
        assert!(proof.files.contains(&bug.file), "{name}: {} is not a file of it", bug.file);
    }
    let sources: Vec<_> = sources.iter().map(|s| s.display().to_string()).collect();
    let (top, depth) = (&proof.top, proof.depth.to_string());
    let read = format!("read_verilog -formal {}; prep -flatten -top {top}", sources.join(" "));
    match proof.method {
        Method::Sat => verdict(
            run("yosys", &["-p", &format!("{read}; sat -prove-asserts -set-assumes {top}")]),
            &["SAT proof finished - no model found: SUCCESS!"],
            &["SAT proof finished - model found: FAIL!"],
        ),
        Method::Induct => verdict(
            run(
                "yosys",
                &[
                    "-p",
                    &format!(
                        "{read}; async2sync; dffunmap; sat -prove-asserts -set-assumes -tempinduct \
                         -maxsteps {depth} {top}"
                    ),
                ],
            ),
            &["Induction step proven: SUCCESS!"],
            &["model found for base case: FAIL!"],
        ),
        Method::Smtbmc => {
            let smt2 = folder.path().join("proof.smt2").display().to_string();
            let prepared = run(
                "yosys",
                &["-p", &format!("{read}; async2sync; dffunmap; write_smt2 -wires {smt2}")],
            );
            if !Path::new(&smt2).exists() {
                return Verdict::Unclear(prepared);
            }
            let base = run("yosys-smtbmc", &["-s", "z3", "-t", &depth, &smt2]);
            match verdict(base, &["Status: PASSED"], &["Status: FAILED"]) {
                Verdict::Proved => verdict(
                    run("yosys-smtbmc", &["-s", "z3", "-i", "-t", &depth, &smt2]),
                    &["Temporal induction successful.", "Status: PASSED"],
                    &[],
                ),
                other => other,
            }
        }
        Method::Abc => {
            let blif = folder.path().join("proof.blif").display().to_string();
            let prepared = run(
                "yosys",
                &["-p", &format!("{read}; synth -flatten -top {top}; write_blif {blif}")],
            );
            if !Path::new(&blif).exists() {
                return Verdict::Unclear(prepared);
            }
            let output =
                run("berkeley-abc", &["-c", &format!("read_blif {blif}; strash; fraig; sat")]);
            // ABC ends well whatever it finds: only the literal word counts.
            let word =
                output.split_whitespace().find(|w| w.ends_with("SATISFIABLE")).map(str::to_string);
            match word.as_deref() {
                Some("UNSATISFIABLE") => Verdict::Proved,
                Some("SATISFIABLE") => Verdict::Refuted,
                _ => Verdict::Unclear(output),
            }
        }
        Method::Pdr => {
            let aiger = folder.path().join("proof.aig").display().to_string();
            let prepared = run(
                "yosys",
                &[
                    "-p",
                    &format!(
                        "{read}; async2sync; opt -full; techmap; opt; dffunmap; aigmap; clean; \
                         write_aiger -zinit {aiger}"
                    ),
                ],
            );
            if !Path::new(&aiger).exists() {
                return Verdict::Unclear(prepared);
            }
            let script = format!("read_aiger {aiger}; fold; orpos; dc2; scorr; dc2; pdr");
            verdict(
                run("berkeley-abc", &["-c", &script]),
                &["Property proved."],
                &["was asserted in frame"],
            )
        }
    }
}

#[test]
fn every_proof_holds() {
    let failures: Vec<String> = proofs()
        .par_iter()
        .filter_map(|(name, proof)| match check(name, proof, None) {
            Verdict::Proved => None,
            other => Some(format!("{name}: {}\n{other:?}", proof.what)),
        })
        .collect();
    assert!(failures.is_empty(), "not proved:\n{}", failures.join("\n"));
}

#[test]
fn every_seeded_bug_is_refuted() {
    let proofs = proofs();
    let bugs: Vec<_> = proofs
        .iter()
        .flat_map(|(name, proof)| proof.bug.iter().map(move |bug| (name, proof, bug)))
        .collect();
    let failures: Vec<String> = bugs
        .par_iter()
        .filter_map(|(name, proof, bug)| match check(name, proof, Some(bug)) {
            Verdict::Refuted => None,
            other => Some(format!("{name} with `{}`: {other:?}", bug.replace)),
        })
        .collect();
    assert!(failures.is_empty(), "missed:\n{}", failures.join("\n"));
}

#[test]
fn every_harness_has_a_proof_and_every_proof_a_bug() {
    let proofs = proofs();
    assert!(!proofs.is_empty());
    for (name, proof) in &proofs {
        assert!(!proof.bug.is_empty(), "{name} has no seeded bug");
    }
    for entry in fs::read_dir(root().join("formal")).expect("formal/ exists").flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|e| e == "v") {
            assert!(path.with_extension("toml").exists(), "{} is never run", path.display());
        }
    }
}
