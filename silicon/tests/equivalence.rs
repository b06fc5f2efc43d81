//! Each netlist does what its RTL says; a netlist with a bug does not.
//!
//! The normal run takes the modules that are proved in seconds, `LANEWISE_FULL=1` takes all.

use std::path::Path;

use lanewise_silicon::cache::{self, Cache};
use lanewise_silicon::equivalence::{prove, Verdict};
use lanewise_silicon::manifest::{Manifest, Module};
use lanewise_silicon::netlist::Netlist;
use lanewise_silicon::synthesis::{elaborate, Technology};
use rayon::prelude::*;

/// Flip-flops and port bits of the largest module in the normal run; larger ones take minutes.
const QUICK: usize = 200;

/// No solver compares wide products that ABC has rewritten. The profiler's are proved in its small variant, the
/// same source with fewer bits; the reference lane has none and is left to simulation.
fn has_wide_product(module: &Module) -> bool {
    match module.block.as_str() {
        "warp_profiler" => module.module != "warp_profiler__warps_4__count_3",
        "simt_lane" => true,
        _ => false,
    }
}

struct Bench {
    manifest: Manifest,
    technology: Technology,
    cache: Cache,
}

impl Bench {
    fn new() -> Bench {
        let verilog = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../verilog_out"));
        Bench {
            manifest: Manifest::load(verilog).expect("the exported Verilog"),
            technology: Technology::lanewise45().expect("the project's library"),
            cache: cache::standard(),
        }
    }

    /// What the RTL means, and what synthesis made of it.
    fn sides(&self, module: &str) -> (Netlist, Netlist) {
        let source = self.manifest.source(module).expect("in the manifest");
        let rtl = elaborate(&source, &self.cache).expect("elaborated");
        (rtl, self.technology.synthesise(&source, &self.cache).expect("synthesised"))
    }

    fn prove(&self, rtl: &Netlist, netlist: &Netlist) -> Verdict {
        prove(rtl, netlist, &self.technology.library).expect("a verdict")
    }
}

#[test]
fn every_netlist_does_what_its_rtl_says() {
    let bench = Bench::new();
    let full = std::env::var_os("LANEWISE_FULL").is_some();
    let modules: Vec<_> = bench
        .manifest
        .modules()
        .iter()
        .filter(|module| full || bench.manifest.weight(module) <= QUICK)
        .filter(|module| !has_wide_product(module))
        .collect();
    assert!(modules.len() > 20, "the manifest has lost its modules");
    let verdicts: Vec<(&Module, Verdict)> = modules
        .par_iter()
        .map(|module| {
            let (rtl, netlist) = bench.sides(&module.module);
            (*module, bench.prove(&rtl, &netlist))
        })
        .collect();
    // Where ABC gives up on a large module, a smaller one of the same source must have been proved.
    let proved = |block: &str| {
        verdicts.iter().any(|(module, verdict)| module.block == block && *verdict == Verdict::Equal)
    };
    let failed: Vec<String> = verdicts
        .iter()
        .filter(|(module, verdict)| match verdict {
            Verdict::Equal => false,
            Verdict::Undecided => !proved(&module.block),
            Verdict::Different(_) => true,
        })
        .map(|(module, verdict)| format!("{}: {verdict:?}", module.module))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Another gate with the same pins.
fn mistaken(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "NAND2_X1" => "NOR2_X1",
        "NOR2_X1" => "NAND2_X1",
        "NAND3_X1" => "NOR3_X1",
        "NOR3_X1" => "NAND3_X1",
        "AOI21_X1" => "OAI21_X1",
        "OAI21_X1" => "AOI21_X1",
        "AND2_X1" => "OR2_X1",
        "OR2_X1" => "AND2_X1",
        "INV_X1" => "BUF_X1",
        _ => return None,
    })
}

#[test]
fn each_wrong_gate_is_caught() {
    let bench = Bench::new();
    let (rtl, netlist) = bench.sides("crisp_classifier");
    let mut seeded = 0;
    for (index, cell) in netlist.cells.iter().enumerate() {
        let Some(kind) = mistaken(&cell.kind) else {
            continue;
        };
        let mut wrong = netlist.clone();
        wrong.cells[index].kind = kind.into();
        let verdict = bench.prove(&rtl, &wrong);
        assert!(matches!(verdict, Verdict::Different(_)), "{} as {kind}: {verdict:?}", cell.name);
        seeded += 1;
    }
    assert!(seeded >= 8, "only {seeded} bugs were seeded");
}

#[test]
fn a_register_that_takes_its_neighbours_value_is_caught() {
    let bench = Bench::new();
    let (rtl, netlist) = bench.sides("idle_counters");
    let registers: Vec<usize> =
        (0..netlist.cells.len()).filter(|cell| netlist.cells[*cell].kind == "DFF_X1").collect();
    let next = |cell: usize| netlist.cells[cell].bit("D").expect("a flip-flop has data");
    let [first, .., last] = registers[..] else {
        panic!("idle_counters has lost its registers");
    };
    assert_ne!(next(first), next(last));
    let mut wrong = netlist.clone();
    for (pin, bit) in &mut wrong.cells[first].pins {
        if pin == "D" {
            *bit = next(last);
        }
    }
    assert!(matches!(bench.prove(&rtl, &wrong), Verdict::Different(_)));
}

#[test]
fn a_lost_register_is_caught() {
    let bench = Bench::new();
    let (rtl, netlist) = bench.sides("group_counters");
    let mut wrong = netlist.clone();
    let lost = wrong.cells.iter().position(|cell| cell.kind == "DFF_X1").expect("a register");
    wrong.cells[lost].kind = "BUF_X1".into();
    for (pin, _) in &mut wrong.cells[lost].pins {
        match pin.as_str() {
            "D" => *pin = "A".into(),
            "Q" => *pin = "Y".into(),
            _ => {}
        }
    }
    let error = prove(&rtl, &wrong, &bench.technology.library).expect_err("no proof");
    assert!(error.to_string().contains("became a gate"), "{error}");
}
