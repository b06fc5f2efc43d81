//! The study's page: tables, plots, our figures beside the paper's, and what they say.

use super::paper::{self, Rows};
use super::plan::{Plan, Sweep};
use super::point::{percent, Measured, Run};
use super::results::Row;
use crate::plot::{bars, lines, stacked, Series};
use crate::report::number;
use crate::{Report, Table};

const PIPES: [&str; 2] = ["INT", "FP"];

/// A figure of one pipeline.
type Figure = fn(&Measured, usize) -> f64;

/// Writes the page from what the plan's points measured.
pub fn write(plan: &Plan, ours: &[Measured], sweeps: &[Measured], units: &str) -> Report {
    let mut report = Report::new("origami", "Origami on the machine");
    let count = plan.kernels.len().max(1);
    let baseline = &ours[..plan.kernels.len()];
    let rows: Vec<Row> = plan
        .machines
        .iter()
        .zip(ours.chunks(count))
        .map(|(machine, runs)| Row::new(&machine.name, runs, baseline))
        .collect();
    introduction(&mut report, plan, units);
    let named = |name: &str| rows.iter().find(|row| row.name == name);
    if let (
        Some(baseline),
        Some(gates),
        Some(conventional),
        Some(warped_gates),
        Some(folding),
        Some(origami),
        Some(look_ahead),
        Some(tempered),
    ) = (
        named("two-level"),
        named("gates"),
        named("conventional"),
        named("warped-gates"),
        named("folding"),
        named("origami"),
        named("look-ahead"),
        named("tempered"),
    ) {
        let rows = Rows {
            baseline,
            gates,
            conventional,
            warped_gates,
            folding,
            origami,
            look_ahead,
            tempered,
        };
        beside_the_paper(&mut report, plan, &rows);
        order(&mut report, &rows);
    }
    averages(&mut report, &rows);
    by_kernel(&mut report, plan, &rows);
    workloads(&mut report, plan, &rows);
    sensitivity(&mut report, plan, sweeps);
    report
}

fn introduction(report: &mut Report, plan: &Plan, units: &str) {
    let names = |kernels: &[crate::Kernel]| -> String {
        kernels.iter().map(|kernel| kernel.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    report.text(&format!(
        "Every machine runs {} kernels at size `{}` (the sweeps {} at size `{}`), units: `{units}`; each kernel's results \
         are checked on each machine. The base is the GTX480 description with 15 SMs. An SP has 32 logical lanes and each \
         has a gate for INT and one for FP; double-pumped lanes, one gate for lanes l and l + 16, are among the choices \
         below. Leakage saved is net: gated lane-cycles less break-even for every switch, as a share of all \
         lane-cycles of the pipeline, averaged over the kernels that use it. INT-only kernels do not count for FP. \
         The two extra stages are charged against a baseline without them.",
        plan.kernels.len(),
        plan.sizes[0],
        names(&plan.swept),
        plan.sizes[1],
    ));
    report.text(&format!(
        "This page is written by `cosim study origami {}--out docs/studies`. A machine of it runs any job with \
         `cosim run JOB` and its values:",
        if plan.quick { "--quick " } else { "" },
    ));
    let mut table = Table::new(["machine", "`--set` values"]);
    for machine in &plan.machines {
        table.row([machine.name.clone(), format!("`{}`", machine.command())]);
    }
    report.table(&table);
    report.text(
        "`gates` is the scheduler of `warped-gates` alone. `look-ahead` and `tempered` are ours. Their gates look \
         ahead to decoded instructions that wait only for arithmetic or a hit's data. In `tempered`, Origami's scheduler and \
         folding are added: what does not fold goes around the shift stages, and \
         an SM folds only after a phase with a miss outstanding all the time and less than 5 % of the possible issues. \
         Both are calibrations to our kernels' load; the paper has 90 % of the issues and no other condition. \
         The look-ahead has no RTL block yet: it is the machine's model that asks the gates.",
    );
}

fn beside_the_paper(report: &mut Report, plan: &Plan, rows: &Rows) {
    report.heading("Beside the paper");
    let mut claims = paper::claims(rows);
    let at = |name: &str| plan.kernels.iter().position(|kernel| kernel.name == name);
    if let Some(mriq) = at("mriq").map(|k| &rows.origami.runs[k]) {
        claims.push(paper::kernel_claim("INT warps folded, mriq, %", 60.0, mriq.folded(0)));
        claims.push(paper::kernel_claim("FP warps folded, mriq, %", 35.0, mriq.folded(1)));
    }
    if let Some(track) = at("track").map(|k| &rows.baseline.runs[k]) {
        let [few, some, all] = track.activity.threads.map(|count| count as f64);
        let partial = percent(few + some, few + some + all);
        let what = "issued warps that are not full, track (the paper's heartwall), %";
        claims.push(paper::kernel_claim(what, 40.0, partial));
    }
    report.claims(&claims);
}

/// Says which of the paper's orderings hold.
fn order(report: &mut Report, rows: &Rows) {
    report.heading("The paper's ordering");
    let mut table = Table::new(["claim", "left", "right", "holds"]);
    let mut more = |claim: String, left: f64, right: f64| {
        let holds = if left > right { "yes" } else { "no" };
        table.row([claim, number(left), number(right), holds.into()]);
    };
    for (pipe, name) in PIPES.iter().enumerate() {
        let conventional = rows.conventional.saved(pipe);
        for row in [rows.folding, rows.origami, rows.tempered] {
            more(
                format!("{name} saved: {} > conventional", row.name),
                row.saved(pipe),
                conventional,
            );
        }
        more(
            format!("{name} saved: origami > warped-gates"),
            rows.origami.saved(pipe),
            rows.warped_gates.saved(pipe),
        );
    }
    let slow = rows.warped_gates.slower(0);
    for row in [rows.origami, rows.look_ahead, rows.tempered] {
        more(format!("time: warped-gates > {}", row.name), slow, row.slower(0));
    }
    report.table(&table);
    report.text(
        "Where an ordering fails it is for one of two reasons. Folding trades idle lanes for time: an SP that folds is busy for two \
         initiation intervals, so a pipeline that would have slept between instructions stays on in its lower half; \
         that pays where short bubbles are common, as in the paper, and not where conventional gating already finds long \
         ones, as here. And our operations are short, so that the two extra stages weigh more than blackout does.",
    );
}

fn averages(report: &mut Report, rows: &[Row]) {
    report.heading("Averages");
    let mut table = Table::new([
        "machine",
        "INT saved, %",
        "FP saved, %",
        "INT saved of baseline, %",
        "FP saved of baseline, %",
        "INT overhead, %",
        "FP overhead, %",
        "INT events",
        "FP events",
        "time, all, %",
        "time, FP kernels, %",
        "INT folded, %",
        "FP folded, %",
    ]);
    for row in rows {
        let both = |figure: &dyn Fn(usize) -> f64| [figure(0), figure(1)];
        let figures = [
            both(&|pipe| row.saved(pipe)),
            both(&|pipe| row.saved_of_baseline(pipe)),
            both(&|pipe| row.overhead(pipe)),
            both(&|pipe| row.events(pipe)),
            both(&|pipe| row.slower(pipe)),
            both(&|pipe| row.folded(pipe)),
        ];
        let cells = figures.iter().flatten().map(|figure| number(*figure));
        table.row(std::iter::once(row.name.to_string()).chain(cells));
    }
    report.table(&table);
    report.text(
        "Overhead is the switching energy as a share of the pipeline's leakage; events are those of a lane in a thousand \
         cycles. `saved of baseline` also charges the leakage of the longer run. Time is that over `two-level`.",
    );
}

/// A plot with a bar for every kernel and machine.
fn kernels_plot(
    report: &mut Report,
    plan: &Plan,
    rows: &[&Row],
    (file, title, unit): (&str, &str, &str),
    figure: impl Fn(&Measured, &Measured) -> f64 + Copy,
) {
    let names: Vec<String> = plan.kernels.iter().map(|kernel| kernel.name.clone()).collect();
    let series: Vec<Series<f64>> =
        rows.iter().map(|row| (row.name.to_string(), row.each(figure))).collect();
    report.plot(file, title, bars(title, unit, &names, &series));
}

fn by_kernel(report: &mut Report, plan: &Plan, rows: &[Row]) {
    report.heading("Kernel by kernel");
    let only = |names: &[&str]| -> Vec<&Row> {
        rows.iter().filter(|row| names.contains(&row.name)).collect()
    };
    let gated =
        only(&["conventional", "warped-gates", "folding", "origami", "look-ahead", "tempered"]);
    for (pipe, name) in PIPES.iter().enumerate() {
        let low = name.to_lowercase();
        let plots: [(&str, &str, Figure); 3] = [
            ("leakage saved", "%", |run, pipe| run.saved(pipe)),
            ("gating overhead", "% of leakage", |run, pipe| run.overhead(pipe)),
            ("gating events", "in 1000 lane-cycles", |run, pipe| run.events(pipe)),
        ];
        for (what, unit, figure) in plots {
            let file = format!("{low}_{}", what.replace(' ', "_"));
            let title = format!("{name} {what}");
            kernels_plot(report, plan, &gated, (&file, &title, unit), |run, base| {
                if base.uses(pipe) {
                    figure(run, pipe)
                } else {
                    0.0
                }
            });
        }
    }
    let timed = only(&[
        "gto",
        "conventional",
        "warped-gates",
        "folding",
        "origami",
        "look-ahead",
        "tempered",
    ]);
    let title = ("time", "Execution time over two-level", "%");
    kernels_plot(report, plan, &timed, title, Measured::slower_than);
    let schedulers = only(&["gto", "two-level", "gates"]);
    for (pipe, name) in PIPES.iter().enumerate() {
        let file = format!("{}_bubbles", name.to_lowercase());
        let title = format!("{name} bubbles shorter than 10 cycles");
        let figure = |run: &Measured, _: &Measured| run.short_bubbles(pipe);
        kernels_plot(report, plan, &schedulers, (&file, &title, "% of time"), figure);
    }
}

fn workloads(report: &mut Report, plan: &Plan, rows: &[Row]) {
    report.heading("What the kernels issue, and what folds");
    let names: Vec<String> = plan.kernels.iter().map(|kernel| kernel.name.clone()).collect();
    let shares =
        |row: &Row, labels: &[&str], counts: fn(&Measured) -> Vec<u64>| -> Vec<Series<f64>> {
            let share = |at: usize| {
                move |run: &Measured, _: &Measured| {
                    let all = counts(run);
                    percent(all[at] as f64, all.iter().sum::<u64>() as f64)
                }
            };
            let series = labels.iter().enumerate();
            series.map(|(at, label)| (label.to_string(), row.each(share(at)))).collect()
        };
    if let Some(row) = rows.iter().find(|row| row.name == "two-level") {
        let mix = shares(row, &["INT", "FP", "SFU", "LD/ST"], |run| run.activity.issued.to_vec());
        let title = "Instruction mix";
        report.plot("mix", title, stacked(title, "% of warp instructions", &names, &mix));
        let labels = ["1 to 15 threads", "16 to 31", "32"];
        let threads = shares(row, &labels, |run| run.activity.threads.to_vec());
        let title = "Active threads of issued warps";
        report.plot("threads", title, stacked(title, "% of warp instructions", &names, &threads));
    }
    if let Some(row) = rows.iter().find(|row| row.name == "origami") {
        let of = |what: &str, figure: &dyn Fn(&Measured, usize) -> f64| -> Vec<Series<f64>> {
            let series = PIPES.iter().enumerate();
            series
                .map(|(pipe, name)| {
                    (format!("{name} {what}"), row.each(|run, _| figure(run, pipe)))
                })
                .collect()
        };
        let mut folded = of("warps folded", &|run, pipe| run.folded(pipe));
        // Two SPs: twice as many pipeline cycles as SM cycles.
        folded.extend(of("folding on", &|run, pipe| {
            percent(2.0 * run.folding_cycles[pipe] as f64, run.pipeline_cycles as f64)
        }));
        let title = "Folding with origami: warps that folded, and time in which folding was on";
        report.plot("folded", title, bars(title, "%", &names, &folded));
    }
}

fn sensitivity(report: &mut Report, plan: &Plan, sweeps: &[Measured]) {
    report.heading("Sensitivity");
    let count = plan.swept.len().max(1);
    let baseline = &sweeps[..plan.swept.len()];
    let mut rest = sweeps[plan.swept.len()..].chunks(count);
    let mut claims = vec![];
    for sweep in &plan.sweeps {
        let rows: Vec<Row> = sweep
            .steps
            .iter()
            .zip(rest.by_ref())
            .map(|(step, runs)| Row::new(&step.name, runs, baseline))
            .collect();
        sweep_section(report, sweep, &rows);
        if let (Some(first), Some(last)) = (rows.first(), rows.last()) {
            let slower = last.slower(0) - first.slower(0);
            match sweep.plot {
                Some("wake_up") => claims.push(paper::wake_up_claim(slower)),
                Some("break_even") => claims.push(paper::break_even_claim(slower)),
                _ => {}
            }
        }
    }
    report.claims(&claims);
    report.text("The paper's best phase is 250 to 400 cycles.");
}

fn sweep_section(report: &mut Report, sweep: &Sweep, rows: &[Row]) {
    let mut table = Table::new([sweep.title, "INT saved, %", "FP saved, %", "time, %"]);
    for row in rows {
        let figures = [row.saved(0), row.saved(1), row.slower(0)].map(number);
        table.row(std::iter::once(row.name.to_string()).chain(figures));
    }
    report.table(&table);
    if let Some(file) = sweep.plot {
        let series = |name: &str, figure: &dyn Fn(&Row) -> f64| -> Series<(f64, f64)> {
            let at = sweep.steps.iter().map(|step| step.at);
            (name.into(), at.zip(rows.iter().map(figure)).collect())
        };
        let series = [
            series("INT saved", &|row| row.saved(0)),
            series("FP saved", &|row| row.saved(1)),
            series("time over baseline", &|row| row.slower(0)),
        ];
        let title = format!("Origami by {}", sweep.title);
        report.plot(file, &title, lines(&title, sweep.title, "%", &series));
    }
}

/// Everything that was measured, for programs.
pub fn record(report: &mut Report, points: &[Run], measured: &[Measured]) {
    let mut table = Table::new([
        "kernel",
        "size",
        "machine",
        "set",
        "cycles",
        "int_saved_percent",
        "fp_saved_percent",
        "int_gating_events",
        "fp_gating_events",
        "int_folded_percent",
        "fp_folded_percent",
        "int_short_bubbles_percent",
        "fp_short_bubbles_percent",
    ]);
    let mut all = vec![];
    for (run, m) in points.iter().zip(measured) {
        let events = |pipe: usize| m.lanes.map_or(0, |lanes| lanes[pipe].gating_events).to_string();
        let both =
            |figure: &dyn Fn(usize) -> f64| [figure(0), figure(1)].map(|f| format!("{f:.3}"));
        let [int_saved, fp_saved] = both(&|pipe| m.saved(pipe));
        let [int_folded, fp_folded] = both(&|pipe| m.folded(pipe));
        let [int_bubbles, fp_bubbles] = both(&|pipe| m.short_bubbles(pipe));
        table.row([
            run.kernel.name.clone(),
            run.size.into(),
            run.machine.name.clone(),
            run.machine.set.join(" "),
            m.cycles.to_string(),
            int_saved,
            fp_saved,
            events(0),
            events(1),
            int_folded,
            fp_folded,
            int_bubbles,
            fp_bubbles,
        ]);
        all.push(serde_json::json!({
            "kernel": run.kernel.name,
            "size": run.size,
            "machine": run.machine,
            "base": run.base,
            "measured": m,
        }));
    }
    report.csv = table;
    report.json = serde_json::Value::Array(all);
}
