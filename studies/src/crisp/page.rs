//! The report: accuracy, where the time goes, and what controllers save, beside the paper.

use super::points::Spent;
use super::results::{Elsewhere, Results, Rule};
use super::{Plan, CRISP, OURS, WORK};
use crate::report::{mean, number};
use crate::spread::{Both, Spread};
use crate::{plot, Claim, Lab, Report, StudyError, Table, Units};
use lanewise_sim::dvfs::{predictor, DvfsConfig, Power, Predictor};
use lanewise_sim::machine::config::MachineConfig;

/// Kernels with at least this share of computation count as compute-bound, as in the paper.
const COMPUTE_BOUND: f64 = 0.75;

/// What the page is made from.
struct Page<'a> {
    results: &'a [Results],
    /// Those of at least 10 us, which accuracy is about.
    long: Vec<&'a Results>,
    dvfs: &'a DvfsConfig,
    power: Power,
    controllers: &'a [Rule],
    /// Our controller and the oracle.
    ours: Repeated,
    oracle: Repeated,
}

/// What ran on every machine.
struct Repeated {
    name: String,
    /// The EDP of every kernel on each machine, the study's first, and that of the fastest P-state there.
    runs: Vec<Vec<Both>>,
    /// What it saves of it.
    spread: Spread,
}

/// Writes the report.
pub fn write<U: Units>(
    lab: &Lab<U>,
    machine: &MachineConfig,
    plan: &Plan,
    results: &[Results],
) -> Result<Report, StudyError> {
    let power = Power::new(&machine.power, machine.gpu.sms);
    let repeated = |name, here: fn(&Results) -> &Spent, there: fn(&Elsewhere) -> &Spent| {
        let both = |spent: &Spent, base: &Spent| Both { with: spent.edp(), without: base.edp() };
        let runs = results.iter().map(|r| {
            let here = both(here(r), &r.uncontrolled(&power, &machine.dvfs));
            let there = r.elsewhere.iter().map(|machine| both(there(machine), &machine.base));
            std::iter::once(here).chain(there).collect()
        });
        let runs: Vec<Vec<Both>> = runs.collect();
        Repeated { name, spread: Spread::savings(&runs), runs }
    };
    let page = Page {
        results,
        long: results.iter().filter(|r| r.time() >= 10e-6).collect(),
        dvfs: &machine.dvfs,
        power,
        controllers: plan.controllers,
        ours: repeated(OURS.name(), |r| &r.controlled[&OURS], |there| &there.ours),
        oracle: repeated("oracle".into(), |r| &r.oracle, |there| &there.oracle),
    };
    let mut report = Report::new("crisp", "CRISP: predicting run time, and DVFS that believes it");
    report.text(&format!(
        "`cosim study crisp{}`, units `{}`, machine `{}` with {} SMs. Every kernel runs at size `study` for its \
         first {} us at {} MHz or {} warp instructions, whichever come first{}, and through exactly the same \
         number of warp instructions at every other P-state and under every controller. A time is that of the machine, drains \
         between launches included. {} {} kernels; accuracy is over the {} that take at least 10 us.",
        if lab.options.quick { " --quick" } else { "" },
        lab.units.name(),
        machine.name,
        machine.gpu.sms,
        number(plan.window_us),
        machine.dvfs.highest_mhz,
        WORK,
        if plan.least > 0 { format!(", but for {} at least", plan.least) } else { String::new() },
        page.ends(),
        results.len(),
        page.long.len(),
    ));
    page.claims(&mut report);
    page.accuracy(&mut report);
    page.breakdown(&mut report);
    page.knees(&mut report);
    page.savings(&mut report);
    page.certainty(&mut report);
    page.misses(&mut report);
    report.text(METHOD);
    report.json = serde_json::to_value(results).map_err(|e| StudyError::Input(e.to_string()))?;
    report.csv = page.rows();
    Ok(report)
}

/// How the figures come about, where the paper leaves a choice.
const METHOD: &str = include_str!("method.md");

/// Why ours differ from the paper's.
mod because {
    pub const KERNELS: &str = "other kernels on another simulator: the paper runs the first kernel of each Rodinia \
        benchmark, we run 33 of our own, among them several whose launches leave most SMs without blocks";
    pub const WORST: &str = "a bandwidth-bound kernel at the lowest clock: cycles under loads in which one \
        scheduler issues count as whole cycles of computation; they are filled once memory is relatively \
        fast, so less computation is left than was counted";
    pub const LINEAR: &str =
        "as in the paper the linear models fail where overlapped computation takes over; \
        how far depends on how memory-bound the kernels are";
    pub const CONTROL: &str =
        "near the knee the models take all overlapped computation for hidden and go too low; \
        upwards CRISP takes the load critical path, most of the time of our kernels, for fixed \
        and does not come back; the oracle shows what there is to save under our power model, a \
        calibration";
    pub const STALL: &str =
        "STALL takes hidden computation for exposed and so prefers high clocks, but on the \
        kernels that wait nearly all the time it still finds lower ones";
}

impl Page<'_> {
    fn base_mhz(&self) -> u32 {
        self.dvfs.highest_mhz
    }

    /// Which kernels end within their window.
    fn ends(&self) -> String {
        let ended = self.results.iter().filter(|r| r.base.finished);
        let names: Vec<String> = ended.map(|r| format!("`{}`", r.kernel)).collect();
        match names.as_slice() {
            [] => "No kernel ends within its window.".into(),
            names => format!("Within their window end: {}.", names.join(", ")),
        }
    }

    fn errors<'a>(&'a self, predictor: &'a dyn Predictor) -> impl Iterator<Item = f64> + 'a {
        self.long.iter().flat_map(move |r| {
            (0..r.fixed.len()).map(move |at| r.error(predictor, at, self.base_mhz()))
        })
    }

    fn mape(&self, predictor: &dyn Predictor) -> f64 {
        mean(self.errors(predictor).map(f64::abs))
    }

    fn worst(&self, predictor: &dyn Predictor) -> f64 {
        self.errors(predictor).map(f64::abs).fold(0.0, f64::max)
    }

    fn kernel_error(&self, r: &Results, predictor: &dyn Predictor) -> f64 {
        mean((0..r.fixed.len()).map(|at| r.error(predictor, at, self.base_mhz()).abs()))
    }

    /// Mean saving of a controller over some kernels, in percent.
    fn saving(&self, rule: Rule, what: fn(&Spent) -> f64, of: impl Fn(&Results) -> bool) -> f64 {
        mean(self.results.iter().filter(|r| of(r)).filter_map(|r| {
            Some(r.controlled.get(&rule)?.saves(&r.uncontrolled(&self.power, self.dvfs), what))
        }))
    }

    fn claims(&self, report: &mut Report) {
        let mut claims = vec![];
        let mut claim = |what: &str, paper: f64, ours: f64, because: &str| {
            claims.push(Claim { what: what.into(), paper, ours, because: because.into() });
        };
        for (name, mape, worst) in [
            ("crisp", 4.48, Some(30.0)),
            ("crisp-l", 4.66, None),
            ("lead", 11.0, Some(109.0)),
            ("crit", 11.0, Some(109.0)),
            ("stall", 35.0, Some(288.0)),
        ] {
            let Some(predictor) = predictor::named(name) else { continue };
            let why = if name.starts_with("crisp") { because::KERNELS } else { because::LINEAR };
            claim(&format!("mean absolute error, {name}, %"), mape, self.mape(predictor), why);
            if let Some(worst) = worst {
                let why = if name == "crisp" { because::WORST } else { because::LINEAR };
                claim(&format!("largest error, {name}, %"), worst, self.worst(predictor), why);
            }
        }
        let all = |_: &Results| true;
        let slower = |spent: &Spent| spent.time;
        for (rule, saved) in [
            (Rule::predict("crisp", "edp"), 10.7),
            (Rule::predict("crisp-l", "edp"), 8.38),
            (Rule::predict("lead", "edp"), 6.2),
            (Rule::predict("crit", "edp"), 5.7),
            (Rule::predict("stall", "edp"), 0.0),
            (Rule::predict("crisp", "ed2p"), 9.0),
            (Rule::predict("lead", "ed2p"), 4.9),
            (Rule::predict("crit", "ed2p"), 3.5),
            (Rule::predict("stall", "ed2p"), 0.0),
        ] {
            if !self.controllers.contains(&rule) {
                continue;
            }
            let (name, what): (_, fn(&Spent) -> f64) = match rule.objective {
                "edp" => ("EDP", Spent::edp),
                _ => ("ED2P", Spent::ed2p),
            };
            let why = if rule.predictor == "stall" { because::STALL } else { because::CONTROL };
            claim(
                &format!("{name} saved, {}, %", rule.name()),
                saved,
                self.saving(rule, what, all),
                why,
            );
        }
        claim(
            "energy saved at least EDP, crisp, %",
            12.9,
            self.saving(CRISP, |spent| spent.energy, all),
            because::CONTROL,
        );
        claim(
            "slowdown at least EDP, crisp, %",
            3.4,
            -self.saving(CRISP, slower, all),
            because::CONTROL,
        );
        let (bound, memory) =
            (|r: &Results| self.is_compute_bound(r), |r: &Results| !self.is_compute_bound(r));
        claim(
            "EDP saved, compute-bound kernels, crisp, %",
            0.5,
            self.saving(CRISP, Spent::edp, bound),
            because::CONTROL,
        );
        claim(
            "EDP saved, memory-bound kernels, crisp, %",
            13.9,
            self.saving(CRISP, Spent::edp, memory),
            because::CONTROL,
        );
        report.heading("Beside the paper");
        report.claims(&claims);
        let oracle = mean(
            self.results
                .iter()
                .map(|r| r.oracle.saves(&r.uncontrolled(&self.power, self.dvfs), Spent::edp)),
        );
        let best = mean(self.results.iter().map(|r| {
            let none = r.uncontrolled(&self.power, self.dvfs);
            r.static_best(&self.power, self.dvfs).saves(&none, Spent::edp)
        }));
        let ours = self.saving(CRISP, Spent::edp, all);
        let steady = self.saving(OURS, Spent::edp, all);
        // Kernels that only compute leave it nothing to save.
        let of_it = |saved: f64| match oracle > 0.01 {
            true => format!(" ({} % of the oracle's)", number(100.0 * saved / oracle)),
            false => String::new(),
        };
        report.text(&format!(
            "The oracle, which tries every P-state on a copy of the machine in every interval, saves {} % of EDP; \
             CRISP's controller {} %{}; our predictor `crisp-plus` with our policy `steady` {} %{}. The best single \
             P-state of each kernel, known in advance, saves {} %.",
            number(oracle),
            number(ours),
            of_it(ours),
            number(steady),
            of_it(steady),
            number(best)
        ));
        let (ours, oracle) = (&self.ours.spread, &self.oracle.spread);
        if let (Some(saved), Some(foreseen)) = (ours.error(), oracle.error()) {
            let share = ours.share(oracle).and_then(|share| Some((share.mean(), share.error()?)));
            let share = share.map_or(String::new(), |(mean, error)| {
                format!(", of which the former is {} +- {} %", number(mean), number(error))
            });
            report.text(&format!(
                "Over {} machines that hardly differ, this one among them, `crisp-plus` with `steady` saves {} +- {} % and the \
                 oracle {} +- {} %{share}: means and standard errors, which so few machines tell roughly only.",
                ours.machines().len(),
                number(ours.mean()),
                number(saved),
                number(oracle.mean()),
                number(foreseen),
            ));
        }
    }

    fn is_compute_bound(&self, r: &Results) -> bool {
        let parts = r.breakdown();
        parts.pure + parts.overlapped >= COMPUTE_BOUND
    }

    fn accuracy(&self, report: &mut Report) {
        report.heading("Prediction from the fastest P-state");
        let mut table = Table::new(["model", "mean absolute error, %", "largest, %"]);
        for predictor in predictor::ALL {
            let (mape, worst) = (self.mape(predictor), self.worst(predictor));
            table.row([predictor.name().to_string(), number(mape), number(worst)]);
        }
        report.table(&table);
        let head = ["kernel", "us"].map(String::from).into_iter();
        let Some(first) = self.results.first() else { return };
        let targets = first.fixed.iter().map(|(mhz, _)| format!("{mhz}"));
        let models = predictor::ALL.iter().map(|p| p.name().to_string());
        let mut table = Table::new(head.chain(targets).chain(models));
        for r in self.results {
            let mut row = vec![r.kernel.clone(), number(r.time() * 1e6)];
            for at in 0..r.fixed.len() {
                let error = predictor::named("crisp").map(|p| r.error(p, at, self.base_mhz()));
                row.push(format!("{} ({})", number(r.stretch(at)), number(error.unwrap_or(0.0))));
            }
            row.extend(predictor::ALL.iter().map(|p| number(self.kernel_error(r, *p))));
            table.row(row);
        }
        report.text(
            "Time at each frequency over that at the fastest, in brackets CRISP's error in percent; then every \
             model's mean absolute error over the frequencies.",
        );
        report.table(&table);
        let kernels: Vec<String> = self.results.iter().map(|r| r.kernel.clone()).collect();
        let series: Vec<plot::Series<f64>> = ["crisp", "crisp-plus", "lead", "crit", "stall"]
            .iter()
            .filter_map(|name| predictor::named(name))
            .map(|p| {
                let errors = self.results.iter().map(|r| self.kernel_error(r, p)).collect();
                (p.name().to_string(), errors)
            })
            .collect();
        report.plot(
            "errors",
            "mean absolute error of each model by kernel",
            plot::bars("Mean absolute error over all frequencies", "%", &kernels, &series),
        );
        self.curves(report);
    }

    /// Run time over cycle time of the kernels that span the range.
    fn curves(&self, report: &mut Report) {
        let (Some(crisp), base) = (predictor::named("crisp"), self.base_mhz()) else { return };
        let mut order: Vec<&Results> = self.long.clone();
        order.sort_by(|a, b| a.stretch(a.fixed.len() - 1).total_cmp(&b.stretch(b.fixed.len() - 1)));
        let count = order.len().min(4);
        let mut series = vec![];
        for n in 0..count {
            let r = order[n * (order.len() - 1) / (count - 1).max(1)];
            let period = |mhz: u32| f64::from(base) / f64::from(mhz);
            let line = |value: &dyn Fn(usize) -> f64| {
                let slower = (0..r.fixed.len()).map(|at| (period(r.fixed[at].0), value(at)));
                std::iter::once((1.0, 1.0)).chain(slower).collect::<Vec<_>>()
            };
            series.push((r.kernel.clone(), line(&|at| r.stretch(at))));
            series
                .push((format!("{} by crisp", r.kernel), line(&|at| r.predicted(crisp, at, base))));
        }
        report.plot(
            "curves",
            "run time over cycle time, measured and predicted",
            plot::lines(
                "Run time over cycle time",
                "cycle time, fastest = 1",
                "time, fastest = 1",
                &series,
            ),
        );
    }

    fn breakdown(&self, report: &mut Report) {
        report.heading("Where the time goes");
        report.text(
            "CRISP's four categories at the fastest P-state, in percent of the cycles in which SMs had warps, and \
             static share of the SMs' power there.",
        );
        let head = [
            "kernel",
            "pure computation",
            "overlapped",
            "load stalls",
            "store stalls",
            "SMs empty",
            "static",
        ];
        let mut table = Table::new(head);
        let percent = |share: f64| number(100.0 * share);
        for r in self.results {
            let (parts, read) = (r.breakdown(), r.reading());
            let fastest = self.dvfs.fastest();
            table.row([
                r.kernel.clone(),
                percent(parts.pure),
                percent(parts.overlapped),
                percent(parts.load),
                percent(parts.store),
                percent(1.0 - read.active_cycles as f64 / read.cycles.max(1) as f64),
                percent(self.power.static_share(&r.base.activity, fastest)),
            ]);
        }
        report.table(&table);
        let kernels: Vec<String> = self.results.iter().map(|r| r.kernel.clone()).collect();
        let share = |name: &str, of: fn(&super::Breakdown) -> f64| {
            let values = self.results.iter().map(|r| 100.0 * of(&r.breakdown())).collect();
            (name.to_string(), values)
        };
        let series = [
            share("pure computation", |b| b.pure),
            share("overlapped", |b| b.overlapped),
            share("load stalls", |b| b.load),
            share("store stalls", |b| b.store),
        ];
        report.plot(
            "breakdown",
            "time by category",
            plot::stacked("Time by category at the fastest P-state", "%", &kernels, &series),
        );
    }

    fn knees(&self, report: &mut Report) {
        report.heading("Two slopes");
        report.text(
            "Kernels that are flat at high clocks and linear at low ones: the knee by CRISP's counters (where \
             overlapped computation fills the load critical path), and where the line through the two slowest \
             P-states meets the time of the fastest. The paper's example, lm, has it at 233 MHz by its counters.",
        );
        let mut table = Table::new(["kernel", "knee by counters, MHz", "measured, MHz"]);
        for r in &self.long {
            if let Some((counted, measured)) = r.knee(self.base_mhz()) {
                table.row([r.kernel.clone(), number(counted), number(measured)]);
            }
        }
        report.table(&table);
    }

    fn savings(&self, report: &mut Report) {
        report.heading("What controllers save");
        let mut table =
            Table::new(["controller", "EDP, %", "ED2P, %", "energy, %", "power, %", "slowdown, %"]);
        let mut row = |name: String, of: &dyn Fn(&Results) -> Option<Spent>| {
            let saves = |what: fn(&Spent) -> f64| {
                mean(self.results.iter().filter_map(|r| {
                    Some(of(r)?.saves(&r.uncontrolled(&self.power, self.dvfs), what))
                }))
            };
            table.row([
                name,
                number(saves(Spent::edp)),
                number(saves(Spent::ed2p)),
                number(saves(|spent| spent.energy)),
                number(saves(|spent| spent.energy / spent.time)),
                number(-saves(|spent| spent.time)),
            ]);
        };
        for rule in self.controllers {
            let name = format!("{} for {}", rule.name(), rule.objective);
            row(name, &|r| r.controlled.get(rule).cloned());
        }
        row("best single P-state for edp".into(), &|r| Some(r.static_best(&self.power, self.dvfs)));
        row("oracle for edp".into(), &|r| Some(r.oracle.clone()));
        report.text(
            "Savings against the fastest P-state throughout, means over kernels. Controllers pay for every decision \
             and every switch, the oracle for switches only.",
        );
        report.table(&table);
        let edp: Vec<&Rule> =
            self.controllers.iter().filter(|rule| rule.objective == "edp").collect();
        let names = edp.iter().map(|rule| rule.name());
        let head = std::iter::once("kernel".to_string()).chain(names);
        let ends = ["best single", "MHz", "oracle", "slowdown, crisp"].map(String::from);
        let mut table = Table::new(head.chain(ends));
        for r in self.results {
            let none = r.uncontrolled(&self.power, self.dvfs);
            let best = r.static_best(&self.power, self.dvfs);
            let mut cells = vec![r.kernel.clone()];
            for rule in &edp {
                cells.push(
                    r.controlled
                        .get(rule)
                        .map_or(String::new(), |s| number(s.saves(&none, Spent::edp))),
                );
            }
            cells.push(number(best.saves(&none, Spent::edp)));
            cells.push(best.mhz.iter().map(u32::to_string).collect());
            cells.push(number(r.oracle.saves(&none, Spent::edp)));
            let crisp = r.controlled.get(&CRISP);
            cells.push(crisp.map_or(String::new(), |s| number(-s.saves(&none, |s| s.time))));
            table.row(cells);
        }
        report.text("EDP saved by kernel, in percent, when EDP is the objective:");
        report.table(&table);
        let kernels: Vec<String> = self.results.iter().map(|r| r.kernel.clone()).collect();
        let series: Vec<plot::Series<f64>> = vec![
            ("crisp".into(), self.edp_by_kernel(|r| r.controlled.get(&CRISP).cloned())),
            (OURS.name(), self.edp_by_kernel(|r| r.controlled.get(&OURS).cloned())),
            (
                "best single P-state".into(),
                self.edp_by_kernel(|r| Some(r.static_best(&self.power, self.dvfs))),
            ),
            ("oracle".into(), self.edp_by_kernel(|r| Some(r.oracle.clone()))),
        ];
        report.plot("edp", "EDP saved by kernel", plot::bars("EDP saved", "%", &kernels, &series));
    }

    /// How much savings depend on chance.
    fn certainty(&self, report: &mut Report) {
        let Some(first) = self.results.first().filter(|first| !first.elsewhere.is_empty()) else {
            return;
        };
        report.heading("How sure savings are");
        report.text(
            "Any delay, also a controller's pause of some nanoseconds, changes the order of warps, blocks and memory \
             accesses, and single kernels get slower or faster by percents. So our controller and the oracle also ran on \
             machines that differ in the interconnect's latency only, each against the fastest P-state of the same machine. \
             EDP saved in percent by that latency in cycles, means over kernels; then the mean over machines, that of the sums \
             of EDP with and without the controller, so that a reference that was lucky does not count for more; and its \
             standard error from how machines differ.",
        );
        let both = [&self.ours, &self.oracle];
        let there = first.elsewhere.iter().map(|there| there.latency_cycles.to_string());
        let head = ["controller", "the study's"].map(String::from).into_iter().chain(there);
        let mut table = Table::new(head.chain(["mean", "standard error"].map(String::from)));
        for Repeated { name, runs, spread } in both {
            let machine = |m: usize| mean(runs.iter().map(|kernel| kernel[m].saved()));
            let machines = (0..spread.machines().len()).map(|m| number(machine(m)));
            let error = spread.error().map_or("unknown".into(), number);
            let ends = [number(spread.mean()), error];
            table.row(std::iter::once(name.clone()).chain(machines).chain(ends));
        }
        report.table(&table);
        report
            .text("By kernel: the mean, and in brackets the machines with the least and the most.");
        let names = both.map(|one| one.name.clone());
        let mut table = Table::new(std::iter::once("kernel".to_string()).chain(names));
        let means = both.map(|one| one.spread.kernels());
        for (k, r) in self.results.iter().enumerate() {
            let cells = both.iter().zip(&means).map(|(one, means)| {
                let mut each: Vec<f64> = one.runs[k].iter().map(Both::saved).collect();
                each.sort_by(f64::total_cmp);
                let ends = [each.first(), each.last()]
                    .map(|end| end.map_or("".into(), |end| number(*end)));
                format!("{} ({} to {})", number(means[k]), ends[0], ends[1])
            });
            table.row(std::iter::once(r.kernel.clone()).chain(cells));
        }
        report.table(&table);
    }

    fn edp_by_kernel(&self, of: impl Fn(&Results) -> Option<Spent>) -> Vec<f64> {
        let saved = |r: &Results| {
            of(r).map_or(0.0, |s| s.saves(&r.uncontrolled(&self.power, self.dvfs), Spent::edp))
        };
        self.results.iter().map(saved).collect()
    }

    /// The kernels that CRISP gets most wrong, and in which direction.
    fn misses(&self, report: &mut Report) {
        report.heading("What is predicted worst");
        let Some(crisp) = predictor::named("crisp") else { return };
        let mut order = self.long.clone();
        order.sort_by(|a, b| self.kernel_error(b, crisp).total_cmp(&self.kernel_error(a, crisp)));
        let mut table =
            Table::new(["kernel", "mean error, %", "largest, %", "at, MHz", "crisp-plus, mean, %"]);
        for r in order.iter().take(8) {
            let errors =
                (0..r.fixed.len()).map(|at| (r.error(crisp, at, self.base_mhz()), r.fixed[at].0));
            let Some(worst) = errors.max_by(|a, b| a.0.abs().total_cmp(&b.0.abs())) else {
                continue;
            };
            let plus = predictor::named("crisp-plus").map_or(0.0, |p| self.kernel_error(r, p));
            table.row([
                r.kernel.clone(),
                number(self.kernel_error(r, crisp)),
                number(worst.0),
                worst.1.to_string(),
                number(plus),
            ]);
        }
        report.table(&table);
    }

    /// A row for each kernel and frequency.
    fn rows(&self) -> Table {
        let models =
            predictor::ALL.iter().map(|p| format!("{}_error_percent", p.name().replace('-', "_")));
        let mut table =
            Table::new(["kernel", "mhz", "time_us"].map(String::from).into_iter().chain(models));
        for r in self.results {
            for (at, (mhz, activity)) in r.fixed.iter().enumerate() {
                let head =
                    [r.kernel.clone(), mhz.to_string(), format!("{:.3}", activity.seconds() * 1e6)];
                let errors = predictor::ALL
                    .iter()
                    .map(|p| format!("{:.2}", r.error(*p, at, self.base_mhz())));
                table.row(head.into_iter().chain(errors));
            }
        }
        table
    }
}
