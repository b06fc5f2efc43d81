//! CRISP: how well its counters predict run time at another core clock, and what a DVFS controller saves that
//! believes them.

mod page;
pub mod points;
mod results;
mod window;

pub use results::{Breakdown, Results, Rule};
pub use window::Stop;

use crate::{Lab, Report, StudyError, Units};
use points::{Base, Controlled, Fixed, Foreseen, Setup};

/// What the study runs.
struct Plan {
    /// Microseconds of each kernel at the fastest P-state, at least; the same work at the others.
    window_us: f64,
    /// Warp instructions of each kernel, at least.
    work: u64,
    /// Controllers.
    controllers: &'static [Rule],
}

/// The size of every kernel.
const SIZE: &str = "study";

/// The paper's predictors for EDP, all but CRISP-L for ED2P too, CRISP also for energy, and ours. The paper's 4.8 million
/// instructions are 150,000 full warps.
const FULL: Plan = Plan {
    window_us: 1000.0,
    work: 150_000,
    controllers: &[
        Rule::predict("crisp", "edp"),
        Rule::predict("crisp", "edp").with("steady"),
        Rule::predict("crisp-plus", "edp"),
        Rule::predict("crisp-plus", "edp").with("steady"),
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
};

/// Enough to see whether something broke.
const QUICK: Plan = Plan {
    window_us: 20.0,
    work: 0,
    controllers: &[
        Rule::predict("crisp", "edp"),
        Rule::predict("crisp-plus", "edp").with("steady"),
        Rule::predict("stall", "edp"),
    ],
};

/// Runs the study.
pub fn run<U: Units>(lab: &Lab<U>) -> Result<Report, StudyError> {
    let plan = if lab.options.quick { &QUICK } else { &FULL };
    let machine = lab.machine("gtx480", &["mechanisms.attach=crisp,rivals".into()])?;
    let setups: Vec<Setup> = lab
        .options
        .kernels
        .iter()
        .map(|kernel| Setup { kernel: kernel.clone(), size: SIZE, machine: machine.clone() })
        .collect();
    let stop = Stop::Least { us: plan.window_us, work: plan.work };
    let bases: Vec<_> = setups.iter().map(|setup| Base { setup: setup.clone(), stop }).collect();
    let bases = lab.measure(&bases)?;
    let work: Vec<u64> = bases.iter().map(|base| base.activity.warp_instructions).collect();
    let jobs = || setups.iter().zip(&work).map(|(setup, &work)| (setup.clone(), work));

    let mhz: Vec<u32> = machine.dvfs.pstates().iter().skip(1).map(|state| state.mhz).collect();
    let fixed: Vec<Fixed> = jobs()
        .flat_map(|(setup, work)| {
            mhz.iter().map(move |&mhz| Fixed { setup: setup.clone(), mhz, work })
        })
        .collect();
    let mut fixed = lab.measure(&fixed)?.into_iter();
    let controlled: Vec<Controlled> = jobs()
        .flat_map(|(setup, work)| {
            let controlled = move |&rule| Controlled { setup: setup.clone(), rule, work };
            plan.controllers.iter().map(controlled)
        })
        .collect();
    let mut controlled = lab.measure(&controlled)?.into_iter();
    let foreseen: Vec<_> =
        jobs().map(|(setup, work)| Foreseen { setup, objective: "edp", work }).collect();
    let mut foreseen = lab.measure(&foreseen)?.into_iter();

    let mut results = vec![];
    for (setup, base) in setups.iter().zip(bases) {
        let Some(oracle) = foreseen.next() else { break };
        results.push(Results {
            kernel: setup.kernel.name.clone(),
            base,
            fixed: mhz.iter().copied().zip(fixed.by_ref()).collect(),
            controlled: plan.controllers.iter().copied().zip(controlled.by_ref()).collect(),
            oracle,
        });
    }
    page::write(lab, &machine, plan, &results)
}
