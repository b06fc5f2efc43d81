//! The report: savings, slow-down and what enabling by thread would have broken.

use super::plan::Results;
use super::savings::Saved;
use super::setting::{Variant, FILTER_LINES};
use super::thesis::{self, REPORTED};
use crate::report::{mean, Claim, Report, Table};
use crate::{plot, Kernel};
use lanewise_sim::machine::config::ArrayKind;

/// Writes everything but the access patterns.
pub fn write(results: &Results, units: &str, report: &mut Report) {
    introduction(results, units, report);
    claims(results, report);
    savings(results, report);
    supplies(results, report);
    slow_down(results, report);
    instruction_cache(results, report);
    filter(results, report);
    wrong_bytes(results, report);
    choices(report);
}

fn introduction(results: &Results, units: &str, report: &mut Report) {
    let machine = &results.reference.machine;
    report.text(&format!(
        "Made by `cosim study caches{}`: {} kernels at size `{}`, each on {} machines (`{}`, {} SMs, {} L2 \
         slices, scheduler `{}`; blocks: {units}). The paper is *Power-Aware Caches for GPGPUs*, called the \
         thesis here; its benchmarks are others than our kernels, also where they share a name.",
        if results.quick { " --quick" } else { "" },
        results.kernels.len(),
        results.size,
        results.columns.len() + 1,
        machine.name,
        machine.gpu.sms,
        machine.gpu.partitions,
        machine.sm.scheduler,
    ));
    report.text(
        "A cache is cut into regions of G blocks; only the region accessed last is awake (0.9 V), all others \
         are drowsy (0.4 V) and need W cycles to wake. Word lines are divided into segments of 4 bytes. Means \
         are over kernels, each counting the same; *all* takes in kernels that never touch the cache, whose \
         blocks then sleep from start to end, *users* only those that do. Every kernel's results were checked \
         at every setting.",
    );
}

/// What a kind of array saves at G = 1, W = 1, over all kernels or those that use it.
fn mean_saved(results: &Results, kind: ArrayKind, users: bool, of: fn(&Saved) -> f64) -> f64 {
    let main = results.main();
    let kernels = results.all().filter(|k| !users || results.reference.run(*k).uses(kind));
    mean(kernels.map(|k| of(&main.run(k).saved(&results.reference.run(k), kind))))
}

fn claims(results: &Results, report: &mut Report) {
    report.heading("Ours beside the thesis");
    let mut claims = vec![];
    for kind in REPORTED {
        let Some((leakage, dynamic)) = thesis::saved(kind) else { continue };
        let name = kind.name();
        claims.push(Claim {
            what: format!("{name}: static energy saved, % (G = 1, W = 1, all)"),
            paper: leakage,
            ours: mean_saved(results, kind, false, |s| s.leakage),
            because: String::new(),
        });
        claims.push(Claim {
            what: format!("{name}: dynamic energy saved by thread, % (users)"),
            paper: dynamic,
            ours: mean_saved(results, kind, true, |s| s.dynamic_lane),
            because: "the share of threads that are active is the kernels' own (see Utilisation)"
                .into(),
        });
    }
    for region in [1, 32] {
        let columns = results.column(region, 1, Variant::Plain).zip(thesis::slow_down(region));
        if let Some((column, paper)) = columns {
            claims.push(Claim {
                what: format!("mean slow-down, % (G = {region}, W = 1)"),
                paper,
                ours: results.repeated(region, Variant::Plain).map_or_else(
                    || results.slow_down(column),
                    |repeated| repeated.slow_downs.mean(),
                ),
                because: "an upper bound there; which kernels lose is under Slow-down".into(),
            });
        }
    }
    report.claims(&claims);
    report.text(
        "The thesis' savings are \"more than\", its slow-downs \"less than\"; it does not say whether its means \
         include benchmarks that do not use a cache. Dynamic energy saved by thread follows from how many \
         threads are active, which is the kernels' own; ours is net of wake-ups, of the divided line itself and \
         of refills, which open whole lines.",
    );
}

fn savings(results: &Results, report: &mut Report) {
    report.heading("Saved at G = 1, W = 1");
    let mut table = Table::new([
        "array",
        "users",
        "bound %",
        "static all %",
        "static users %",
        "dynamic thread %",
        "dynamic word %",
        "wake-ups %",
        "total word all %",
        "total word users %",
    ]);
    for kind in REPORTED {
        let power = results.main().machine.mechanisms.caches.array(kind);
        let bound = (1.0 - power.drowsy_power() / power.static_power.mv900) * 100.0;
        let users = results.all().filter(|k| results.reference.run(*k).uses(kind)).count();
        let of = |users, f: fn(&Saved) -> f64| two(mean_saved(results, kind, users, f));
        table.row([
            kind.name().to_string(),
            users.to_string(),
            two(bound),
            of(false, |s| s.leakage),
            of(true, |s| s.leakage),
            of(true, |s| s.dynamic_lane),
            of(true, |s| s.dynamic_word),
            of(true, |s| s.wake_ups),
            of(false, |s| s.total_word),
            of(true, |s| s.total_word),
        ]);
    }
    report.table(&table);
    report.text(
        "*Bound* is a cache that is drowsy all the time. A cache in use always keeps one block awake, so one of \
         N blocks costs 1/N of what there is to save: the 96 blocks of the texture cache cannot save 98 % in a \
         kernel that uses it. Dynamic energy is that of users, *thread* with segments enabled by active thread \
         (the thesis), *word* by touched word (ours, exact); energy of wake-ups is contained in it and given in \
         percent of the dynamic energy without either technique.",
    );
    report.text(
        "By kernel: static / dynamic by word / total by word saved, in percent; a dash where the kernel does not use \
         the array (it then saves the bound).",
    );
    let mut table = Table::new(["kernel"].into_iter().chain(REPORTED.map(ArrayKind::name)));
    for k in results.all() {
        let reference = results.reference.run(k);
        let cells = REPORTED.map(|kind| {
            let saved = results.main().run(k).saved(&reference, kind);
            match reference.uses(kind) {
                true => format!(
                    "{:.1} / {:.1} / {:.1}",
                    saved.leakage, saved.dynamic_word, saved.total_word
                ),
                false => "-".into(),
            }
        });
        table.row([results.kernels[k].name.clone()].into_iter().chain(cells));
    }
    report.table(&table);
    let names = kernel_names(results);
    let by_kernel = |kind: ArrayKind, f: fn(&Saved) -> f64| -> Vec<f64> {
        let main = results.main();
        results.all().map(|k| f(&main.run(k).saved(&results.reference.run(k), kind))).collect()
    };
    let series = |f: fn(&Saved) -> f64| -> Vec<plot::Series<f64>> {
        REPORTED.map(|kind| (kind.name().to_string(), by_kernel(kind, f))).into()
    };
    for (file, title, f) in [
        (
            "dynamic_word",
            "Dynamic energy saved, by touched word",
            (|s| s.dynamic_word) as fn(&Saved) -> f64,
        ),
        ("dynamic_lane", "Dynamic energy saved, by active thread", |s| s.dynamic_lane),
        ("total", "Static and dynamic energy saved, by touched word", |s| s.total_word),
    ] {
        report.plot(file, title, plot::bars(title, "%", &names, &series(f)));
    }
    let mut lines: Vec<plot::Series<(f64, f64)>> = vec![];
    for kind in REPORTED {
        let at = |region: u8| {
            let column = results.column(region, 1, Variant::Plain)?;
            let saved = |k| column.run(k).saved(&results.reference.run(k), kind).leakage;
            let users = results.all().filter(|k| results.reference.run(*k).uses(kind));
            Some((f64::from(region), mean(users.map(saved))))
        };
        lines.push((kind.name().into(), [1, 2, 4, 8, 16, 32].into_iter().filter_map(at).collect()));
    }
    let title = "Static energy saved in kernels that use the array, W = 1";
    report.plot("static_by_region", title, plot::lines(title, "blocks a region (G)", "%", &lines));
}

fn supplies(results: &Results, report: &mut Report) {
    report.heading("Supply of drowsy regions");
    let mut table = Table::new([
        "array",
        "200 mV %",
        "300 mV %",
        "400 mV %",
        "static share %",
        "thesis' share %",
    ]);
    let machine = &results.main().machine;
    let share = |kind: ArrayKind| {
        let copies = if kind == ArrayKind::L2 { 1 } else { machine.gpu.sms };
        copies as f64 * machine.mechanisms.caches.array(kind).static_power.mv900
    };
    let all: f64 = ArrayKind::ALL.map(share).iter().sum();
    for kind in ArrayKind::ALL {
        let mut row = vec![kind.name().to_string()];
        for at in 0..3 {
            let main = results.main();
            let saved = |k| main.run(k).saved_by_supply(&results.reference.run(k), kind)[at];
            row.push(match kind {
                ArrayKind::L1Instruction => "-".into(),
                _ => two(mean(results.all().map(saved))),
            });
        }
        row.push(two(share(kind) / all * 100.0));
        row.push(two(thesis::static_share(kind)));
        table.row(row);
    }
    report.table(&table);
    report.text(&format!(
        "Static energy saved at G = 1, W = 1, mean of all kernels, by the supply that drowsy cells keep their \
         state at, from the same runs. The shares are those of the awake machine with {} SMs; the thesis' \
         come out with 15.",
        machine.gpu.sms
    ));
}

fn slow_down(results: &Results, report: &mut Report) {
    report.heading("Slow-down");
    let mut regions: Vec<u8> =
        results.columns.iter().filter_map(|c| c.setting).map(|s| s.region).collect();
    regions.sort_unstable();
    regions.dedup();
    let head = ["setting".to_string(), "W".to_string()];
    let mut table = Table::new(head.into_iter().chain(regions.iter().map(|g| format!("G = {g}"))));
    let mut lines: Vec<plot::Series<(f64, f64)>> = vec![];
    for variant in Variant::ALL {
        for wake_up in [1, 2] {
            let at = |region: &u8| {
                results.column(*region, wake_up, variant).map(|c| results.slow_down(c))
            };
            let means: Vec<Option<f64>> = regions.iter().map(at).collect();
            if means.iter().all(Option::is_none) {
                continue;
            }
            let cells = means.iter().map(|m| m.map_or("-".into(), |m| format!("{m:.2}")));
            table.row([variant.name().to_string(), wake_up.to_string()].into_iter().chain(cells));
            let line: Vec<_> = regions
                .iter()
                .zip(&means)
                .filter_map(|(region, mean)| Some((f64::from(*region), (*mean)?)))
                .collect();
            if line.len() > 1 {
                lines.push((format!("{}, W = {wake_up}", variant.name()), line));
            }
        }
    }
    report.text("Mean over all kernels of the cycles a setting takes more, in percent:");
    report.table(&table);
    report.text(
        "With look-ahead, a block is known as many cycles before its array is read as a wake-up takes, but never \
         before its instruction has issued (two cycles before the LD/ST unit has its operands), and its region \
         cannot take over before the array has served the access in front of it. So it hides a wake-up after \
         a pause, and of accesses in a row only the first cycle of each. An L2 request is known since it \
         waits in its slice; a fetch or a line that arrives is not known before.",
    );
    if !lines.is_empty() {
        let title = "Mean slow-down by region size";
        report.plot("slow_down", title, plot::lines(title, "blocks a region (G)", "%", &lines));
    }
    let series: Vec<plot::Series<f64>> = Variant::ALL
        .into_iter()
        .filter_map(|variant| {
            let column = results.column(1, 1, variant)?;
            let slow = |k| column.run(k).slow_down(&results.reference.run(k));
            Some((variant.name().to_string(), results.all().map(slow).collect()))
        })
        .collect();
    let title = "Slow-down at G = 1, W = 1";
    report.plot(
        "slow_down_kernels",
        title,
        plot::bars(title, "%", &kernel_names(results), &series),
    );
    report.text(
        "The order of warps and of lines in the L2 and DRAM changes with every delay, so a kernel may also get \
         faster; of single kernels on one machine only differences of more than about two percent mean \
         something.",
    );
    repeats(results, report);
}

/// Slow-downs on several machines.
fn repeats(results: &Results, report: &mut Report) {
    let Some(first) = results.repeated.first() else { return };
    report.text(&format!(
        "So the settings that the thesis speaks of were measured on {} machines whose interconnect is up to four \
         cycles faster or three slower, each against its own reference. Mean of kernels and machines, and its \
         standard error from how the machines differ; then the kernels that lose most and least:",
        first.slow_downs.machines().len(),
    ));
    let mut table =
        Table::new(["setting", "G", "slow-down, %", "standard error, %", "most", "least"]);
    for repeated in &results.repeated {
        let mut kernels: Vec<_> =
            results.kernels.iter().zip(repeated.slow_downs.kernels()).collect();
        kernels.sort_by(|a, b| b.1.total_cmp(&a.1));
        let list = |some: &[(&Kernel, f64)]| {
            let each = some.iter().map(|(kernel, slow)| format!("{} {}", kernel.name, two(*slow)));
            each.collect::<Vec<_>>().join(", ")
        };
        table.row([
            repeated.setting.variant.name().to_string(),
            repeated.setting.region.to_string(),
            two(repeated.slow_downs.mean()),
            repeated.slow_downs.error().map_or("unknown".into(), two),
            list(&kernels[..kernels.len().min(4)]),
            list(&kernels[kernels.len().saturating_sub(2)..]),
        ]);
    }
    report.table(&table);
}

/// What the instruction cache saves where it sleeps too.
fn instruction_cache(results: &Results, report: &mut Report) {
    let kind = ArrayKind::L1Instruction;
    let at = |region: u8| {
        let column = results.column(region, 1, Variant::Instruction)?;
        let saved = |k| column.run(k).saved(&results.reference.run(k), kind).leakage;
        Some(format!("{} at G = {region}", two(mean(results.all().map(saved)))))
    };
    let saved: Vec<String> = [1, 2, 4, 8, 16].into_iter().filter_map(at).collect();
    report.text(&format!(
        "With the instruction cache drowsy too, its static energy saved is, in percent, {} (W = 1, mean of all \
         kernels): with 16 blocks a region it is one region, so that it neither saves nor costs \
         anything. What it costs below that is in the row above; it is left out everywhere else, as in \
         the thesis.",
        saved.join(", ")
    ));
}

fn filter(results: &Results, report: &mut Report) {
    let Some(column) = results.column(1, 1, Variant::Filter) else { return };
    report.heading("Filter cache");
    report.text(&format!(
        "{FILTER_LINES} lines of words that were last read from the L1 data cache, found beside its tags; \
         always awake. What it finds neither wakes a region nor opens a word line. Mean of the kernels \
         that use the L1 data cache, G = 1, W = 1:"
    ));
    let kind = ArrayKind::L1Data;
    let users: Vec<usize> =
        results.all().filter(|k| results.reference.run(*k).uses(kind)).collect();
    let plain = results.main();
    let mut table = Table::new(["l1_data", "without", "with"]);
    let mut row = |name: &str, f: &dyn Fn(&super::Column, usize) -> f64| {
        let cells = [plain, column].map(|c| two(mean(users.iter().map(|k| f(c, *k)))));
        table.row([name.to_string()].into_iter().chain(cells));
    };
    let saved = |c: &super::Column, k: usize| c.run(k).saved(&results.reference.run(k), kind);
    row("reads that the filter serves, %", &|c, k| {
        let counts = &c.run(k).measured.counts[kind];
        counts.filter_hits as f64 / counts.filter_looks.max(1) as f64 * 100.0
    });
    row("wake-ups per 1000 cycles and SM", &|c, k| {
        let run = c.run(k);
        let counts = &run.measured.counts[kind];
        let sm_cycles =
            counts.word_cycles as f64 / counts.words.max(1) as f64 * run.machine.gpu.sms as f64;
        counts.wake_ups as f64 / sm_cycles.max(1.0) * 1000.0
    });
    row("static saved, %", &|c, k| saved(c, k).leakage);
    row("dynamic saved by word, %", &|c, k| saved(c, k).dynamic_word);
    row("total saved by word, %", &|c, k| saved(c, k).total_word);
    row("slow-down, %", &|c, k| c.run(k).slow_down(&results.reference.run(k)));
    report.table(&table);
    let total = |c: &super::Column| mean(users.iter().map(|k| saved(c, *k).total_word));
    report.text(match total(column) < total(plain) {
        true => {
            "It does not pay: its lines are always awake, and that costs more than the reads it keeps \
                 away from the array would have; most of what it finds lies in the region that is awake anyway."
        }
        false => "It pays: what it keeps away from the array is more than its own lines leak.",
    });
}

fn wrong_bytes(results: &Results, report: &mut Report) {
    report.heading("What enabling by thread would have read wrong");
    report.text(
        "The thesis opens segment i of a line when thread i is active. That is right only if thread i wants word \
         i. Accesses of instructions for which a word that is wanted would have stayed closed, of all accesses \
         to the array (the L2 sends whole lines to an L1, so every thread that is idle leaves a word out):",
    );
    let mut table =
        Table::new(["array", "accesses", "wrong", "%", "kernels with wrong accesses", "of users"]);
    for kind in REPORTED {
        let counts = |k: usize| results.reference.run(k).measured.counts[kind];
        let accesses: u64 = results.all().map(|k| counts(k).accesses()).sum();
        let wrong: u64 = results.all().map(|k| counts(k).wrong_by_lane).sum();
        let hit = results.all().filter(|k| counts(*k).wrong_by_lane > 0).count();
        let users = results.all().filter(|k| counts(*k).accesses() > 0).count();
        table.row([
            kind.name().to_string(),
            accesses.to_string(),
            wrong.to_string(),
            two(wrong as f64 / accesses.max(1) as f64 * 100.0),
            hit.to_string(),
            users.to_string(),
        ]);
    }
    report.table(&table);
    let mut table = Table::new(["kernel"].into_iter().chain(REPORTED.map(ArrayKind::name)));
    for k in results.all() {
        let wrong =
            REPORTED.map(|kind| results.reference.run(k).measured.counts[kind].wrong_by_lane);
        if wrong.iter().any(|w| *w > 0) {
            let cells = wrong.map(|w| w.to_string());
            table.row([results.kernels[k].name.clone()].into_iter().chain(cells));
        }
    }
    report.text("**Warning**: wrong accesses by kernel, had segments been enabled by thread:");
    report.table(&table);
}

fn choices(report: &mut Report) {
    report.heading("How it is modelled");
    report.text(
        "- The tags are never drowsy and decide alone: a miss, one that joins a miss, and a store that drops the \
         line (write-evict) do not touch the array. Hits, refills, and at the L2 also stores and write-backs do.\n\
         - Reading tags and reading the array are two stages. A drowsy region delays its access by W; the stages \
         in between hold W accesses, so that with W = 1 accesses to ever new regions still go one a cycle, and \
         with W = 2 every second cycle, since only one region is awake. An array serves one access a cycle; a \
         refill takes such a cycle, which it does not in the machine without drowsy regions.\n\
         - An access to shared memory that touches rows of several regions is served region by region (`row`), \
         or bank by bank, each with a region of its own awake (`bank`).\n\
         - Static energy is table 4-2 of the thesis, its unit taken as milliwatts, which it does not say; how \
         static and dynamic weigh against each other, and so every total, depends on that. A region counts as awake from the cycle after \
         it was asked for, while its supply still rises.\n\
         - Dynamic energy is decoder, word lines, bit lines and sense amplifiers of the arrays, from estimates of \
         ours (`[mechanisms.caches.energy]` of the machine), none fitted to a result; tags, data buses and the \
         drowsy bits themselves are not in it. The thesis' share of the whole GPU's power (4.26 %) needs its \
         power model and is not reproduced.",
    );
}

fn kernel_names(results: &Results) -> Vec<String> {
    results.kernels.iter().map(|kernel| kernel.name.clone()).collect()
}

/// A percentage with two digits behind the point.
fn two(value: f64) -> String {
    let text = format!("{value:.2}");
    if text == "-0.00" {
        "0.00".into()
    } else {
        text
    }
}
