//! What is measured: every machine on every kernel, and one value after the other on a few of them.

use super::machines::{self, Machine};
use super::point::Run;
use crate::{Kernel, Lab, Units};

/// Kernels of the sweeps and of a quick study: divergent, stencil, special functions, memory, few threads.
const FEW: [&str; 5] = ["bfs", "hotspot", "mriq", "reduce", "track"];

/// One value of a sweep.
pub struct Step {
    /// Its name in a table.
    pub name: String,
    /// Where it stands on an axis.
    pub at: f64,
    /// Origami with this value.
    pub machine: Machine,
}

/// A parameter and its values.
pub struct Sweep {
    /// What is varied.
    pub title: &'static str,
    /// Name of its plot; a list of choices has none.
    pub plot: Option<&'static str>,
    /// Its values.
    pub steps: Vec<Step>,
}

/// See the module's text.
pub struct Plan {
    /// Kernels of the comparison.
    pub kernels: Vec<Kernel>,
    /// Machines of the comparison, the baseline first.
    pub machines: Vec<Machine>,
    /// Kernels of the sweeps.
    pub swept: Vec<Kernel>,
    /// Sizes of the comparison and of the sweeps.
    pub sizes: [&'static str; 2],
    /// The sweeps.
    pub sweeps: Vec<Sweep>,
    /// A short study.
    pub quick: bool,
    base: (String, Vec<String>),
}

impl Plan {
    /// The plan of a study.
    pub fn new<U: Units>(lab: &Lab<U>) -> Plan {
        let options = lab.options;
        let few = |kernels: &[Kernel]| -> Vec<Kernel> {
            let some: Vec<Kernel> =
                kernels.iter().filter(|k| FEW.contains(&k.name.as_str())).cloned().collect();
            if some.is_empty() {
                kernels.to_vec()
            } else {
                some
            }
        };
        let mut machines = machines::compared();
        machines.extend([machines::look_ahead(), machines::tempered(), machines::gates()]);
        let swept = few(&options.kernels);
        Plan {
            kernels: if options.quick { swept.clone() } else { options.kernels.clone() },
            machines,
            swept,
            sizes: if options.quick { ["default", "odd"] } else { ["default", "default"] },
            sweeps: sweeps(options.quick),
            quick: options.quick,
            base: (options.config.clone().unwrap_or_else(|| "gtx480".into()), options.set.clone()),
        }
    }

    fn run(&self, kernel: &Kernel, size: usize, machine: &Machine) -> Run {
        Run {
            kernel: kernel.clone(),
            size: self.sizes[size],
            machine: machine.clone(),
            base: self.base.clone(),
        }
    }

    /// The points of the comparison, machine by machine.
    pub fn compared(&self) -> Vec<Run> {
        let of = |machine| self.kernels.iter().map(move |kernel| self.run(kernel, 0, machine));
        self.machines.iter().flat_map(of).collect()
    }

    /// The points of the sweeps, the baseline first, then step by step.
    pub fn swept(&self) -> Vec<Run> {
        let baseline = machines::baseline();
        let steps = self.sweeps.iter().flat_map(|sweep| &sweep.steps).map(|step| &step.machine);
        let machines: Vec<&Machine> = std::iter::once(&baseline).chain(steps).collect();
        let of = |machine| self.swept.iter().map(move |kernel| self.run(kernel, 1, machine));
        machines.into_iter().flat_map(of).collect()
    }
}

/// Origami with each of these values of a key.
fn values(title: &'static str, plot: &'static str, key: &str, values: &[u32]) -> Sweep {
    let step = |value: &u32| Step {
        name: value.to_string(),
        at: f64::from(*value),
        machine: machines::origami().with(&format!("{key}={value}")),
    };
    Sweep { title, plot: Some(plot), steps: values.iter().map(step).collect() }
}

fn sweeps(quick: bool) -> Vec<Sweep> {
    let some = |all: &'static [u32]| -> Vec<u32> {
        let ends = |n: usize| n == 0 || n + 1 == all.len();
        all.iter().enumerate().filter(|(n, _)| !quick || ends(*n)).map(|(_, v)| *v).collect()
    };
    let phases = some(&[150, 200, 250, 300, 400, 500]);
    let folding = |key: &str| format!("mechanisms.folding.{key}");
    let gating = |key: &str| format!("mechanisms.gating.{key}");
    vec![
        values("phase length, cycles", "phase", &folding("phase_cycles"), &phases),
        values("break-even time, cycles", "break_even", &gating("break_even"), &some(&[9, 14, 19])),
        values("wake-up delay, cycles", "wake_up", &gating("wake_up"), &some(&[3, 6, 9])),
        values(
            "aggressive folding, % of a phase",
            "aggressive",
            &folding("aggressive_percent"),
            &some(&[40, 70, 100]),
        ),
        values(
            "conservative folding, % of a phase",
            "conservative",
            &folding("conservative_percent"),
            &some(&[10, 40, 70]),
        ),
        values(
            "adaptive off, % of the possible issues",
            "adaptive_off",
            &folding("adaptive_off_percent"),
            &some(&[5, 10, 20, 90]),
        ),
        choices(),
    ]
}

/// Choices that have no axis.
fn choices() -> Sweep {
    let steps = [
        ("as the paper", "mechanisms.folding.max_phases=2"),
        ("elision none", "mechanisms.lanes.elision=none"),
        ("elision literal half", "mechanisms.lanes.elision=literal-half"),
        ("elision cluster (ours)", "mechanisms.lanes.elision=cluster"),
        ("variant fold", "mechanisms.lanes.variant=fold"),
        ("no extra stages", "mechanisms.lanes.extra_stages=false"),
        ("stages bypassed (ours)", "mechanisms.lanes.bypass=true"),
        ("not eager", "mechanisms.gating.eager=false"),
        ("look-ahead (ours)", "mechanisms.gating.look_ahead=true"),
        ("double-pumped lanes", "mechanisms.gating.granularity=pair"),
        ("whole pipelines gated", "mechanisms.gating.granularity=unit"),
        ("folding while waking (ours)", "mechanisms.folding.while_waking=true"),
        ("M = 1", "mechanisms.folding.max_phases=1"),
        ("M = 4", "mechanisms.folding.max_phases=4"),
    ];
    let step = |(at, (name, set)): (usize, (&str, &str))| Step {
        name: name.into(),
        at: at as f64,
        machine: machines::origami().with(set),
    };
    let steps = steps.into_iter().enumerate().map(step).collect();
    Sweep { title: "choice", plot: None, steps }
}
