//! The report's second half: how often and when blocks are accessed, and by how many threads.

use super::plan::Results;
use super::thesis::{self, REPORTED};
use crate::plot;
use crate::report::{number, Claim, Report, Table};
use lanewise_sim::attach::caches::{ArrayCounts, BUCKETS};
use lanewise_sim::machine::config::ArrayKind;

/// Histogram buckets that a plot puts together: the first of each group and its name.
const GROUPS: [(usize, &str); 8] = [
    (0, "0"),
    (1, "1"),
    (2, "2-7"),
    (4, "8-31"),
    (6, "32-127"),
    (8, "128-1023"),
    (11, "1024-8191"),
    (14, ">= 8192"),
];

/// Writes the patterns of the machine without drowsy regions.
pub fn write(results: &Results, report: &mut Report) {
    utilisation(results, report);
    accesses(results, report);
    intervals(results, report);
}

/// A kind's counts, kernel by kernel, of those that use it.
fn users(results: &Results, kind: ArrayKind) -> Vec<(String, ArrayCounts)> {
    let each = results.all().map(|k| {
        let counts = results.reference.run(k).measured.counts[kind];
        (results.kernels[k].name.clone(), counts)
    });
    each.filter(|(_, counts)| counts.accesses() > 0).collect()
}

fn percent(part: u64, all: u64) -> f64 {
    part as f64 / all.max(1) as f64 * 100.0
}

/// Active threads of the instructions that asked, in percent; none if nobody did.
fn active(counts: &ArrayCounts) -> Option<f64> {
    (counts.requests > 0).then(|| percent(counts.active_threads, counts.requests * 32))
}

fn utilisation(results: &Results, report: &mut Report) {
    report.heading("Utilisation");
    report.text(
        "Threads that are active in the instructions that access an array, in percent, as in the thesis' table \
         3-1; in brackets its figure for the benchmark of that name (`srad`: srad_v1). A dash: not used. The \
         instruction cache always moves whole lines. *Words* are those of a line that a hit in the L1 data \
         cache touches: what enabling by word opens.",
    );
    let head = ["kernel"].into_iter().chain(REPORTED.map(ArrayKind::name)).chain(["L1 words"]);
    let mut table = Table::new(head);
    for k in results.all() {
        let counts = &results.reference.run(k).measured.counts;
        let theirs = thesis::utilisation(&results.kernels[k].name);
        let cells = REPORTED.iter().enumerate().map(|(n, kind)| {
            let ours = active(&counts[*kind]).map_or("-".into(), |a| format!("{a:.1}"));
            match theirs.map(|theirs| theirs[n]) {
                None => ours,
                Some(0.0) => format!("{ours} (-)"),
                Some(theirs) => format!("{ours} ({theirs:.1})"),
            }
        });
        let data = &counts[ArrayKind::L1Data].read_segments;
        let words = match data.all {
            0 => "-".into(),
            all => format!("{:.1}", percent(data.word, all)),
        };
        table.row([results.kernels[k].name.clone()].into_iter().chain(cells).chain([words]));
    }
    report.table(&table);
}

/// A histogram's share by group of buckets, in percent.
fn grouped(buckets: &[u64; BUCKETS]) -> Vec<f64> {
    let all: u64 = buckets.iter().sum();
    let ends = GROUPS.iter().skip(1).map(|(first, _)| *first).chain([BUCKETS]);
    let groups = GROUPS.iter().zip(ends).map(|((first, _), end)| *first..end);
    groups.map(|range| percent(buckets[range].iter().sum(), all)).collect()
}

fn stacked(
    title: &str,
    of: impl Fn(&ArrayCounts) -> [u64; BUCKETS],
    users: &[(String, ArrayCounts)],
) -> String {
    let names: Vec<String> = users.iter().map(|(name, _)| name.clone()).collect();
    let shares: Vec<Vec<f64>> = users.iter().map(|(_, counts)| grouped(&of(counts))).collect();
    let series: Vec<plot::Series<f64>> = GROUPS
        .iter()
        .enumerate()
        .map(|(g, (_, name))| (name.to_string(), shares.iter().map(|s| s[g]).collect()))
        .collect();
    plot::stacked(title, "%", &names, &series)
}

fn accesses(results: &Results, report: &mut Report) {
    report.heading("Accesses to a block");
    report.text(
        "Blocks of all SMs or slices by how often the array was read or written there, in percent of the blocks, \
         mean of the kernels that use the array. Column 2 is 2 or 3 accesses, 4 is 4 to 7, and so on; the first \
         is blocks never accessed.",
    );
    report.table(&histogram(results, |counts| counts.by_accesses));
    for kind in ArrayKind::ALL {
        let users = users(results, kind);
        if !users.is_empty() {
            let title = format!("Accesses to a block: {}", kind.name());
            let svg = stacked(&title, |counts| counts.by_accesses, &users);
            report.plot(&format!("accesses_{}", kind.name()), &title, svg);
        }
    }
}

/// A row for each kind of array and a column for each bucket.
fn histogram(results: &Results, of: impl Fn(&ArrayCounts) -> [u64; BUCKETS]) -> Table {
    let buckets = (0..BUCKETS).map(|n| if n == 0 { 0 } else { 1u64 << (n - 1) }.to_string());
    let mut table = Table::new(["array".to_string()].into_iter().chain(buckets));
    for kind in ArrayKind::ALL {
        let users = users(results, kind);
        let share = |n: usize| {
            let each = users.iter().map(|(_, counts)| {
                let buckets = of(counts);
                percent(buckets[n], buckets.iter().sum())
            });
            format!("{:.1}", crate::report::mean(each))
        };
        table.row([kind.name().to_string()].into_iter().chain((0..BUCKETS).map(share)));
    }
    table
}

fn intervals(results: &Results, report: &mut Report) {
    report.heading("Cycles between accesses to a block");
    report.text(
        "Accesses by the cycles since the one before to the same block, in percent, mean of the kernels that use \
         the array.",
    );
    report.table(&histogram(results, |counts| counts.by_interval));
    let claims: Vec<Claim> = ArrayKind::ALL
        .into_iter()
        .filter(|kind| !users(results, *kind).is_empty())
        .map(|kind| {
            let means = users(results, kind).into_iter().filter_map(|(_, counts)| {
                let intervals: u64 = counts.by_interval.iter().sum();
                (intervals > 0).then(|| counts.interval_cycles as f64 / intervals as f64)
            });
            Claim {
                what: format!("{}: cycles between accesses to a block, mean", kind.name()),
                paper: thesis::interval(kind),
                ours: crate::report::mean(means),
                because: "other programs and other counting, see below".into(),
            }
        })
        .collect();
    report.claims(&claims);
    report.text(
        "Our kernels are other programs and run for a hundredth of the time of the thesis' benchmarks; we count \
         accesses to the array, not requests that end at the tags; and few long pauses, such as those between \
         launches, weigh heavily in such a mean.",
    );
    let never: Vec<String> = ArrayKind::ALL
        .into_iter()
        .map(|kind| {
            let shares = results.all().map(|k| {
                let counts = &results.reference.run(k).measured.counts[kind];
                percent(counts.by_accesses[0], counts.blocks)
            });
            format!("{} {}", kind.name(), number(crate::report::mean(shares)))
        })
        .collect();
    report.text(&format!(
        "Blocks never accessed, mean of all kernels, in percent: {}. The thesis names 93 % of shared memory and \
         27 % of the instruction cache.",
        never.join(", ")
    ));
    for kind in ArrayKind::ALL {
        let users = users(results, kind);
        if !users.is_empty() {
            let title = format!("Cycles between accesses to a block: {}", kind.name());
            let svg = stacked(&title, |counts| counts.by_interval, &users);
            report.plot(&format!("intervals_{}", kind.name()), &title, svg);
        }
    }
}
