//! CRISP: how well its counters predict run time at another core clock, and what a DVFS controller saves that
//! believes them.

mod page;
pub mod points;
mod results;
mod window;

pub use results::{Breakdown, Elsewhere, Results, Rule};
pub use window::Stop;

use crate::spread::neighbours;
use crate::{Kernel, Lab, Report, StudyError, Units};
use lanewise_sim::dvfs::Goal;
use lanewise_sim::machine::config::MachineConfig;
use points::{Base, Controlled, Fixed, Foreseen, Setup, Spent};
use std::collections::BTreeMap;

/// What the study runs.
struct Plan {
    /// Microseconds of each kernel at the fastest P-state; the same work at the others.
    window_us: f64,
    /// Warp instructions of each kernel, at least.
    least: u64,
    /// Controllers.
    controllers: &'static [Rule],
    /// Cycles that the interconnects of further machines are slower than the study's; our controller and the oracle run
    /// on those too.
    offsets: &'static [i64],
}

/// The paper's controller for EDP, and ours.
const CRISP: Rule = Rule::predict("crisp", "edp");
const PLUS: Rule = Rule::predict("crisp-plus", "edp");
const OURS: Rule = PLUS.with("steady");

/// The size of every kernel.
const SIZE: &str = "study";

/// Warp instructions after which a window is over at the latest: fewer than any of our kernels has that does not take longer
/// than the window. At a kernel's end SMs run empty one after the other. In windows as short as these that would weigh
/// far more than in a program, and whichever SM is given the last block would move it by a tenth.
const WORK: u64 = 3_500_000;

/// The paper's predictors for EDP, all but CRISP-L for ED2P too, CRISP also for energy, and ours. The paper's 4.8 million
/// instructions are 150,000 full warps.
const FULL: Plan = Plan {
    window_us: 1000.0,
    least: 150_000,
    controllers: &[
        CRISP,
        CRISP.with("steady"),
        PLUS,
        OURS,
        Rule::predict("crisp-l", "edp"),
        Rule::predict("lead", "edp"),
        Rule::predict("crit", "edp"),
        Rule::predict("stall", "edp"),
        Rule::predict("crisp", "ed2p"),
        Rule::predict("crisp-plus", "ed2p").with("steady"),
        Rule::predict("lead", "ed2p"),
        Rule::predict("crit", "ed2p"),
        Rule::predict("stall", "ed2p"),
        Rule::predict("crisp", "energy"),
        Rule::predict("crisp-plus", "energy").with("steady"),
    ],
    offsets: &[-1, 1],
};

/// Enough to see whether something broke.
const QUICK: Plan = Plan {
    window_us: 20.0,
    least: 0,
    controllers: &[CRISP, OURS, Rule::predict("stall", "edp")],
    offsets: &[1],
};

/// The machine of the study, or one that differs in this.
fn machine<U: Units>(lab: &Lab<U>, set: Option<String>) -> Result<MachineConfig, StudyError> {
    let attached = "mechanisms.attach=crisp,rivals".to_string();
    let machine =
        lab.machine("gtx480", &std::iter::once(attached).chain(set).collect::<Vec<_>>())?;
    // Whether it can be controlled is known before anything is measured.
    Goal::of(&machine).map_err(|e| StudyError::Input(e.to_string()))?;
    Ok(machine)
}

/// Every kernel on a machine.
fn setups<U: Units>(lab: &Lab<U>, machine: &MachineConfig) -> Vec<Setup> {
    let setup =
        |kernel: &Kernel| Setup { kernel: kernel.clone(), size: SIZE, machine: machine.clone() };
    lab.options.kernels.iter().map(setup).collect()
}

/// A kernel under a controller, through so many warp instructions.
fn point((setup, work): &(Setup, u64), rule: Rule) -> Controlled {
    Controlled { setup: setup.clone(), rule, work: *work }
}

/// Kernels under controllers, each through so many warp instructions.
fn under<U: Units>(
    lab: &Lab<U>,
    jobs: &[(Setup, u64)],
    rules: &[Rule],
) -> Result<Vec<BTreeMap<Rule, Spent>>, StudyError> {
    let points: Vec<_> =
        jobs.iter().flat_map(|job| rules.iter().map(|rule| point(job, *rule))).collect();
    let mut spent = lab.measure(&points)?.into_iter();
    Ok(jobs.iter().map(|_| rules.iter().copied().zip(spent.by_ref()).collect()).collect())
}

/// Kernels under the oracle, each through so many warp instructions.
fn foreseen<U: Units>(lab: &Lab<U>, jobs: &[(Setup, u64)]) -> Result<Vec<Spent>, StudyError> {
    let point = |(setup, work): &(Setup, u64)| Foreseen {
        setup: setup.clone(),
        objective: "edp",
        work: *work,
    };
    lab.measure(&jobs.iter().map(point).collect::<Vec<_>>())
}

/// Every kernel on each of the further machines, at the fastest P-state, under our controller and under the oracle: kernel
/// by kernel.
fn elsewhere<U: Units>(
    lab: &Lab<U>,
    plan: &Plan,
    here: &MachineConfig,
    work: &[u64],
) -> Result<Vec<Vec<Elsewhere>>, StudyError> {
    let mut jobs = vec![];
    for cycles in neighbours(here, plan.offsets) {
        let there = machine(lab, Some(format!("interconnect.latency_cycles={cycles}")))?;
        let setups = setups(lab, &there);
        jobs.extend(setups.into_iter().zip(work.iter().copied()));
    }
    let fastest = |(setup, work): &(Setup, u64)| Fixed {
        setup: setup.clone(),
        mhz: setup.machine.dvfs.highest_mhz,
        work: *work,
    };
    let bases = lab.measure(&jobs.iter().map(fastest).collect::<Vec<_>>())?;
    let ours: Vec<_> = jobs.iter().map(|job| point(job, OURS)).collect();
    let ours = lab.measure(&ours)?;
    let oracles = foreseen(lab, &jobs)?;
    let mut kernels: Vec<_> = work.iter().map(|_| vec![]).collect();
    let measured = bases.into_iter().zip(ours).zip(oracles);
    for (n, ((setup, _), ((base, ours), oracle))) in jobs.iter().zip(measured).enumerate() {
        let machine = &setup.machine;
        kernels[n % work.len()].push(Elsewhere {
            latency_cycles: machine.interconnect.latency_cycles,
            base: Spent::at(&base, &setup.power(), machine.dvfs.fastest()),
            ours,
            oracle,
        });
    }
    Ok(kernels)
}

/// Runs the study.
pub fn run<U: Units>(lab: &Lab<U>) -> Result<Report, StudyError> {
    let plan = if lab.options.quick { &QUICK } else { &FULL };
    let machine = machine(lab, None)?;
    let setups = setups(lab, &machine);
    let stop = Stop::Around { us: plan.window_us, least: plan.least, most: WORK };
    let bases: Vec<_> = setups.iter().map(|setup| Base { setup: setup.clone(), stop }).collect();
    let bases = lab.measure(&bases)?;
    let work: Vec<u64> = bases.iter().map(|base| base.activity.warp_instructions).collect();
    let jobs: Vec<(Setup, u64)> = setups.into_iter().zip(work.iter().copied()).collect();

    let mhz: Vec<u32> = machine.dvfs.pstates().iter().skip(1).map(|state| state.mhz).collect();
    let fixed: Vec<Fixed> = jobs
        .iter()
        .flat_map(|(setup, work)| {
            mhz.iter().map(|&mhz| Fixed { setup: setup.clone(), mhz, work: *work })
        })
        .collect();
    let mut fixed = lab.measure(&fixed)?.into_iter();
    let controlled = under(lab, &jobs, plan.controllers)?;
    let foreseen = foreseen(lab, &jobs)?;
    let elsewhere = elsewhere(lab, plan, &machine, &work)?;

    let measured = bases.into_iter().zip(controlled).zip(foreseen).zip(elsewhere);
    let results: Vec<Results> = jobs
        .iter()
        .zip(measured)
        .map(|((setup, _), (((base, controlled), oracle), elsewhere))| Results {
            kernel: setup.kernel.name.clone(),
            base,
            fixed: mhz.iter().copied().zip(fixed.by_ref()).collect(),
            controlled,
            oracle,
            elsewhere,
        })
        .collect();
    page::write(lab, &machine, plan, &results)
}
