//! The block under contract: a binding with what the catalogue holds under its name.

use std::fmt;

use lanewise_hw::catalogue;
use lanewise_hw::rtl::RtlBlock;
use lanewise_sim::units::Io;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::Binding;
use crate::rtl::RtlUnit;
use crate::verilated::{Source, Start, Verilated};
use crate::BoxedUnit;

/// A broken contract.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The check that failed, by its module's name.
    pub check: &'static str,
    /// The catalogue entry.
    pub entry: String,
    /// What was found, for people.
    pub message: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} breaks its contract ({}): {}", self.entry, self.check, self.message)
    }
}

impl std::error::Error for Failure {}

/// A back end and its name.
pub type BackEnd<I, O> = (&'static str, BoxedUnit<I, O>);

/// A binding with its RTL and its exported Verilog. Tests of the harness plant bugs here.
pub struct Subject<'a, I, O> {
    /// Model, stimulus and exceptions.
    pub binding: &'a Binding<I, O>,
    /// Makes the rust-hdl block.
    pub build: fn() -> Box<dyn RtlBlock>,
    /// The exported Verilog, the block's own module first.
    pub modules: Vec<Source>,
    /// Cycles of the lockstep run.
    pub cycles: usize,
    /// From which all random choices follow.
    pub seed: u64,
}

impl<'a, I: Io, O: Io> Subject<'a, I, O> {
    /// Finds the binding's entry in the catalogue and exports it.
    ///
    /// 100,000 cycles from a fixed seed, ten times as many if `LANEWISE_FULL` is set, unless
    /// `LANEWISE_CYCLES` and `LANEWISE_SEED` say otherwise.
    pub fn of(binding: &'a Binding<I, O>) -> Result<Self, Failure> {
        let failure =
            |message| Failure { check: "catalogue", entry: binding.entry.into(), message };
        let entry = catalogue::find(binding.entry)
            .ok_or_else(|| failure("the catalogue has no such entry".into()))?;
        let modules = entry.modules().map_err(|error| failure(error.to_string()))?;
        let usual = if std::env::var_os("LANEWISE_FULL").is_some() { 1_000_000 } else { 100_000 };
        let cycles = number("LANEWISE_CYCLES", usual).map_err(failure)?;
        let seed = number("LANEWISE_SEED", 1).map_err(failure)?;
        let modules = modules.into_iter().map(Source::from).collect();
        Ok(Self { binding, build: entry.build, modules, cycles: cycles as usize, seed })
    }

    /// A failure of `check`.
    pub fn failure(&self, check: &'static str, message: impl fmt::Display) -> Failure {
        Failure { check, entry: self.binding.entry.into(), message: message.to_string() }
    }

    /// The stepped RTL.
    pub fn rtl(&self, check: &'static str) -> Result<RtlUnit<I, O>, Failure> {
        RtlUnit::new((self.build)()).map_err(|error| self.failure(check, error))
    }

    /// The verilated export.
    pub fn verilated(&self, check: &'static str) -> Result<Verilated<I, O>, Failure> {
        Verilated::build(&self.modules).map_err(|error| self.failure(check, error))
    }

    /// Model, stepped RTL and verilated export, each in its reset state.
    pub fn back_ends(&self, check: &'static str) -> Result<[BackEnd<I, O>; 3], Failure> {
        Ok([
            ("model", (self.binding.model)()),
            ("rtl", Box::new(self.rtl(check)?)),
            ("verilated", Box::new(self.verilated(check)?.unit(Start::Reset))),
        ])
    }

    /// A proptest runner whose choices follow from the seed and `salt` alone.
    pub fn runner(&self, salt: u8, cases: u32) -> TestRunner {
        let mut seed = [salt; 32];
        seed[..8].copy_from_slice(&self.seed.to_le_bytes());
        let config = Config {
            cases,
            failure_persistence: None,
            max_shrink_iters: 4_000,
            max_shrink_time: 10_000,
            ..Config::default()
        };
        TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed))
    }
}

fn number(variable: &str, default: u64) -> Result<u64, String> {
    std::env::var(variable).map_or(Ok(default), |text| {
        text.parse().map_err(|_| format!("{variable} is {text:?}, which is not a number"))
    })
}
