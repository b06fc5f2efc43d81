//! How large the numbers of a machine description may be: what is beyond would fill the memory or never end.

use super::config::MachineConfig;

/// The longest latency or interval, in cycles of any clock.
const LONGEST: i64 = 1_000_000;

/// The largest number that nothing is allocated for, such as a size in bytes.
const LARGEST: i64 = 1 << 30;

/// Lines of all caches together: tags for two gigabytes of cache.
const MOST_LINES: u128 = 1 << 24;

/// Numbers that something is allocated or searched for, by key or by the end of it.
const MOST: [(&str, i64); 18] = [
    ("gpu.sms", 1024),
    ("gpu.partitions", 256),
    ("sm.warps", 64),
    ("sm.schedulers", 64),
    ("sm.instruction_buffer", 64),
    ("sm.fetch_width", 64),
    ("sm.register_banks", 1024),
    ("sm.shared_banks", 1024),
    ("sm.sp_units", 64),
    ("sm.ldst_queue", 65_536),
    ("sm.store_queue", 65_536),
    ("interconnect.credits", 65_536),
    ("dram.banks", 64),
    ("dram.queue", 4096),
    (".sets", 1 << 20),
    (".ways", 4096),
    (".mshrs", 4096),
    (".merges", 4096),
];

/// The key of the first number that is too large, and what is wrong with it.
pub(super) fn fault(config: &MachineConfig) -> Option<(String, String)> {
    let table = toml::Table::try_from(config).ok()?;
    if let Some((key, most)) = walk("", &table) {
        return Some((key, format!("must be at most {most}")));
    }
    let lines = |sets: usize, ways: usize| sets as u128 * ways as u128;
    let l1s = [&config.l1_data, &config.l1_constant, &config.l1_texture, &config.l1_instruction];
    let an_sm: u128 = l1s.iter().map(|cache| lines(cache.sets, cache.ways)).sum();
    let l2 = lines(config.l2.sets, config.l2.ways) * config.gpu.partitions as u128;
    let all = an_sm * config.gpu.sms as u128 + l2;
    (all > MOST_LINES).then(|| {
        let says = format!(
            "all SMs and partitions together have {all} cache lines, at most {MOST_LINES} fit"
        );
        ("gpu".into(), says)
    })
}

fn walk(prefix: &str, table: &toml::Table) -> Option<(String, i64)> {
    table.iter().find_map(|(key, value)| {
        let path = format!("{prefix}{key}");
        match value {
            toml::Value::Table(inner) => walk(&format!("{path}."), inner),
            toml::Value::Integer(value) => {
                let most = most(&path, key);
                (*value > most).then_some((path, most))
            }
            _ => None,
        }
    })
}

fn most(path: &str, key: &str) -> i64 {
    let is_time = key == "latency" || key == "interval";
    if is_time || key.ends_with("_cycles") || key.starts_with("t_") {
        return LONGEST;
    }
    let found = MOST.iter().find(|(name, _)| match name.starts_with('.') {
        true => path.ends_with(name),
        false => path == *name,
    });
    found.map_or(LARGEST, |(_, most)| *most)
}
