//! Everything that was measured, for programs: a row for each kernel and setting.

use super::plan::Results;
use super::setting::Setting;
use crate::report::{Report, Table};
use lanewise_sim::attach::caches::ArrayCounts;
use lanewise_sim::machine::config::ArrayKind;
use serde_json::{json, Map, Value};

/// Fills the record's JSON and CSV.
pub fn write(results: &Results, report: &mut Report) {
    report.csv = rows(results);
    let mut reference = Map::new();
    for k in results.all() {
        let run = results.reference.run(k);
        let arrays: Map<String, Value> = ArrayKind::ALL
            .into_iter()
            .map(|kind| (kind.name().to_string(), json!(run.measured.counts[kind])))
            .collect();
        let entry = json!({ "cycles": run.measured.cycles, "arrays": arrays });
        reference.insert(results.kernels[k].name.clone(), entry);
    }
    let settings: Vec<Value> = results
        .columns
        .iter()
        .filter_map(|column| {
            let Setting { region, wake_up, variant } = column.setting?;
            let saved: Map<String, Value> = ArrayKind::ALL
                .into_iter()
                .map(|kind| {
                    let leakage = |k| column.run(k).saved(&results.reference.run(k), kind).leakage;
                    let mean = crate::report::mean(results.all().map(leakage));
                    (kind.name().to_string(), json!(mean))
                })
                .collect();
            Some(json!({
                "region_blocks": region,
                "wake_up_cycles": wake_up,
                "variant": variant.name(),
                "slow_down_percent": results.slow_down(column),
                "static_saved_percent": saved,
            }))
        })
        .collect();
    let by_kernel = |values: Vec<f64>| -> Map<String, Value> {
        let names = results.kernels.iter().map(|kernel| kernel.name.clone());
        names.zip(values.into_iter().map(Value::from)).collect()
    };
    let repeated: Vec<Value> = results
        .repeated
        .iter()
        .map(|repeated| {
            let Setting { region, wake_up, variant } = repeated.setting;
            json!({
                "region_blocks": region,
                "wake_up_cycles": wake_up,
                "variant": variant.name(),
                "machines": repeated.slow_downs.machines().len(),
                "slow_down_percent": repeated.slow_downs.mean(),
                "standard_error_percent": repeated.slow_downs.error(),
                "kernels_percent": by_kernel(repeated.slow_downs.kernels()),
            })
        })
        .collect();
    report.json = json!({
        "study": "caches",
        "machine": results.reference.machine,
        "size": results.size,
        "reference": reference,
        "settings": settings,
        "repeated": repeated,
    });
}

fn rows(results: &Results) -> Table {
    let head =
        ["kernel", "region_blocks", "wake_up_cycles", "variant", "cycles", "slow_down_percent"];
    let arrays = ArrayKind::ALL.map(|kind| {
        [
            "awake_percent",
            "accesses",
            "wake_ups",
            "delay_cycles",
            "stall_cycles",
            "static_saved_percent",
            "dynamic_lane_saved_percent",
            "dynamic_word_saved_percent",
            "total_word_saved_percent",
        ]
        .map(|name| format!("{}_{name}", kind.name()))
    });
    let mut table =
        Table::new(head.map(String::from).into_iter().chain(arrays.into_iter().flatten()));
    for column in &results.columns {
        let Some(setting) = column.setting else { continue };
        for k in results.all() {
            let (run, reference) = (column.run(k), results.reference.run(k));
            let mut row = vec![
                results.kernels[k].name.clone(),
                setting.region.to_string(),
                setting.wake_up.to_string(),
                setting.variant.name().to_string(),
                run.measured.cycles.to_string(),
                format!("{:.3}", run.slow_down(&reference)),
            ];
            for kind in ArrayKind::ALL {
                let counts: &ArrayCounts = &run.measured.counts[kind];
                let saved = run.saved(&reference, kind);
                let awake = counts.awake_word_cycles as f64 / counts.word_cycles.max(1) as f64;
                row.push(format!("{:.3}", awake * 100.0));
                let whole =
                    [counts.accesses(), counts.wake_ups, counts.delay_cycles, counts.stall_cycles];
                row.extend(whole.map(|n| n.to_string()));
                let saved =
                    [saved.leakage, saved.dynamic_lane, saved.dynamic_word, saved.total_word];
                row.extend(saved.map(|s| format!("{s:.3}")));
            }
            table.row(row);
        }
    }
    table
}
