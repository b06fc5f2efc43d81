//! Reading a machine description: shipped ones by name, others from a file, single values overridden.

use super::config::MachineConfig;
use super::config_bounds;
use super::sm::scheduler;
use std::fmt;
use std::path::Path;

/// The descriptions that come with Lanewise.
pub const SHIPPED: [(&str, &str); 2] = [
    ("gtx480", include_str!("../../../configs/gtx480.toml")),
    ("thesis", include_str!("../../../configs/thesis.toml")),
];

/// What is wrong with a machine description, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError(String);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}

impl MachineConfig {
    /// Reads a machine by name (`gtx480`, `thesis`) or from a file, then overrides values.
    ///
    /// An override is `section.key=value`; the key must exist.
    pub fn read(name: &str, overrides: &[String]) -> Result<Self, ConfigError> {
        let text = match SHIPPED.iter().find(|(shipped, _)| *shipped == name) {
            Some((_, text)) => text.to_string(),
            None => std::fs::read_to_string(Path::new(name)).map_err(|error| {
                let shipped = SHIPPED.map(|(name, _)| name).join(", ");
                ConfigError(format!("{name}: {error}; give a file, or one of {shipped}"))
            })?,
        };
        Self::parse(name, &text, overrides)
    }

    /// Reads a machine from text; `name` is for messages.
    pub fn parse(name: &str, text: &str, overrides: &[String]) -> Result<Self, ConfigError> {
        let at = |error: toml::de::Error, text: &str| {
            let line = error.span().map_or(1, |s| text[..s.start].matches('\n').count() + 1);
            ConfigError(format!("{name}:{line}: {}", error.message()))
        };
        let mut table: toml::Table = toml::from_str(text).map_err(|error| at(error, text))?;
        // Errors of the file itself are reported with its lines, before anything is overridden.
        let checked: MachineConfig = toml::from_str(text).map_err(|error| at(error, text))?;
        if overrides.is_empty() {
            checked.check(name)?;
            return Ok(checked);
        }
        for item in overrides {
            set(&mut table, item)?;
        }
        let config: MachineConfig = table.try_into().map_err(|error: toml::de::Error| {
            ConfigError(format!("--set {}: {}", overrides.join(" --set "), error.message()))
        })?;
        config.check(name)?;
        Ok(config)
    }

    /// Refuses what no machine can be.
    fn check(&self, name: &str) -> Result<(), ConfigError> {
        let fail = |key: &str, message: &str| Err(ConfigError(format!("{name}: {key}: {message}")));
        let positive = [
            ("gpu.sms", self.gpu.sms),
            ("gpu.partitions", self.gpu.partitions),
            ("sm.warps", self.sm.warps),
            ("sm.blocks", self.sm.blocks),
            ("sm.schedulers", self.sm.schedulers),
            ("sm.two_level_active", self.sm.two_level_active),
            ("sm.fetch_width", self.sm.fetch_width),
            ("sm.instruction_buffer", self.sm.instruction_buffer),
            ("sm.instruction_bytes", self.sm.instruction_bytes as usize),
            ("sm.register_unit", self.sm.register_unit),
            ("sm.register_banks", self.sm.register_banks),
            ("sm.sp_collectors", self.sm.sp_collectors),
            ("sm.sfu_collectors", self.sm.sfu_collectors),
            ("sm.ldst_collectors", self.sm.ldst_collectors),
            ("sm.sp_units", self.sm.sp_units),
            ("sm.ldst_queue", self.sm.ldst_queue),
            ("sm.store_queue", self.sm.store_queue),
            ("sm.shared_banks", self.sm.shared_banks),
            ("interconnect.latency_cycles", self.interconnect.latency_cycles as usize),
            ("interconnect.sm_port_bytes", self.interconnect.sm_port_bytes),
            ("interconnect.partition_port_bytes", self.interconnect.partition_port_bytes),
            ("interconnect.credits", self.interconnect.credits),
            ("dram.banks", self.dram.banks),
            ("dram.bytes_per_clock", self.dram.bytes_per_clock),
            ("dram.queue", self.dram.queue),
        ];
        for (key, value) in positive {
            if value == 0 {
                return fail(key, "must be at least 1");
            }
        }
        if let Some((key, says)) = config_bounds::fault(self) {
            return fail(&key, &says);
        }
        if self.sm.operand_cycles < 2 {
            return fail(
                "sm.operand_cycles",
                "must be at least 2: a bank is read, then a unit starts",
            );
        }
        if self.dram.queue < 2 {
            return fail("dram.queue", "a read and the write-back it causes need at least 2");
        }
        let (bytes, line) = (self.sm.instruction_bytes, self.l1_instruction.line_bytes as u64);
        if !bytes.is_power_of_two() || bytes > line {
            return fail("sm.instruction_bytes", "must be a power of two, at most a line");
        }
        if let Some((key, most)) = self.mechanisms.out_of_range() {
            return fail(key, &format!("must be at most {most}"));
        }
        if let Some((key, says)) = self.mechanisms.caches.fault() {
            return fail(&key, says);
        }
        if let Some((key, says)) = self.dvfs.fault() {
            return fail(&format!("dvfs.{key}"), &says);
        }
        if let Some((key, says)) = self.power.fault() {
            return fail(&format!("power.{key}"), &says);
        }
        if let Err(error) = scheduler::by_name(&self.sm) {
            return fail("sm.scheduler", &error.to_string());
        }
        for (key, mhz) in [
            ("clocks.core_mhz", self.clocks.core_mhz),
            ("clocks.interconnect_mhz", self.clocks.interconnect_mhz),
            ("clocks.l2_mhz", self.clocks.l2_mhz),
            ("clocks.dram_mhz", self.clocks.dram_mhz),
        ] {
            if !(1.0..=100_000.0).contains(&mhz) {
                return fail(key, "must be from 1 to 100000");
            }
        }
        for (key, c) in [
            ("l1_data", &self.l1_data),
            ("l1_constant", &self.l1_constant),
            ("l1_texture", &self.l1_texture),
            ("l1_instruction", &self.l1_instruction),
        ] {
            let bad_line = !c.line_bytes.is_power_of_two() || !(4..=128).contains(&c.line_bytes);
            if c.sets == 0 || c.ways == 0 || c.mshrs == 0 || c.merges == 0 || bad_line {
                let message =
                    "sets, ways, mshrs and merges must be at least 1, line_bytes a power of \
                               two from 4 to 128";
                return fail(key, message);
            }
        }
        let l2 = &self.l2;
        if l2.sets == 0 || l2.ways == 0 || l2.mshrs == 0 || l2.merges == 0 || l2.line_bytes != 128 {
            return fail("l2", "sets, ways, mshrs and merges must be at least 1, line_bytes 128");
        }
        if self.l1_data.line_bytes != l2.line_bytes {
            return fail("l1_data", "line_bytes must be that of the l2, where stores go");
        }
        if self.dram.line_bytes != l2.line_bytes || self.dram.row_bytes < l2.line_bytes {
            return fail("dram", "line_bytes must be that of the l2, row_bytes at least as much");
        }
        if self.dram.write_low > self.dram.write_high || self.dram.write_high >= self.dram.queue {
            return fail("dram", "write_low must be at most write_high, and that less than queue");
        }
        if self.gpu.partition_bytes < l2.line_bytes {
            return fail("gpu.partition_bytes", "must hold at least a line of the l2");
        }
        Ok(())
    }
}

/// Sets one value of a table; the key must be there already.
fn set(table: &mut toml::Table, item: &str) -> Result<(), ConfigError> {
    let bad = |message: String| ConfigError(format!("--set {item}: {message}"));
    let Some((path, value)) = item.split_once('=') else {
        return Err(bad("write section.key=value, for example gpu.sms=1".into()));
    };
    let mut keys: Vec<&str> = path.trim().split('.').collect();
    let last = keys.pop().unwrap_or_default();
    let mut inner = table;
    for key in keys {
        let known = inner.keys().cloned().collect::<Vec<_>>().join(", ");
        inner = match inner.get_mut(key) {
            Some(toml::Value::Table(table)) => table,
            _ => return Err(bad(format!("there is no section `{key}`; there are {known}"))),
        };
    }
    let known = inner.keys().cloned().collect::<Vec<_>>().join(", ");
    let Some(old) = inner.get_mut(last) else {
        return Err(bad(format!("there is no key `{last}`; there are {known}")));
    };
    let value = value.trim();
    *old = match (&*old, value.parse::<i64>(), value.parse::<f64>()) {
        (toml::Value::Boolean(_), ..) if matches!(value, "true" | "false") => {
            toml::Value::Boolean(value == "true")
        }
        (toml::Value::Array(_), ..) => toml::Value::Array(
            value.split(',').filter(|item| !item.is_empty()).map(|i| i.trim().into()).collect(),
        ),
        (toml::Value::String(_), ..) => toml::Value::String(value.into()),
        (toml::Value::Float(_), _, Ok(number)) => toml::Value::Float(number),
        (toml::Value::Integer(_), Ok(number), _) => toml::Value::Integer(number),
        (old, ..) => {
            return Err(bad(format!("`{value}` is not {} {}", article(old), old.type_str())))
        }
    };
    Ok(())
}

fn article(value: &toml::Value) -> &'static str {
    if matches!(value, toml::Value::Integer(_) | toml::Value::Array(_)) {
        "an"
    } else {
        "a"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::config::Mechanism;

    #[test]
    fn every_shipped_machine_is_whole() {
        for (name, _) in SHIPPED {
            assert_eq!(MachineConfig::read(name, &[]).unwrap().name, name);
        }
    }

    #[test]
    fn values_are_overridden_by_name_and_mistakes_are_explained() {
        let read = |set: &str| MachineConfig::read("gtx480", &[set.to_string()]);
        assert_eq!(read("gpu.sms=1").unwrap().gpu.sms, 1);
        assert_eq!(read("sm.scheduler=gto").unwrap().sm.scheduler, "gto");
        assert_eq!(read("clocks.core_mhz = 350").unwrap().clocks.core_mhz, 350.0);
        assert_eq!(read("latency.int.add.latency=9").unwrap().latency.int.add.latency, 9);
        let attached = read("mechanisms.attach=lanes,gating").unwrap().mechanisms.attach;
        assert_eq!(attached, [Mechanism::Lanes, Mechanism::Gating]);
        assert!(read("mechanisms.gating.blackout=true").unwrap().mechanisms.gating.blackout);
        for (wrong, says) in [
            ("gpu.sm=1", "there is no key `sm`; there are sms"),
            ("gpus.sms=1", "there is no section `gpus`"),
            ("gpu.sms", "write section.key=value"),
            ("gpu.sms=many", "`many` is not an integer"),
            ("gpu.sms=0", "must be at least 1"),
            ("sm.instruction_bytes=24", "must be a power of two"),
            ("sm.instruction_bytes=256", "at most a line"),
            ("sm.instruction_buffer=65", "must be at most 64"),
            ("sm.operand_cycles=1", "must be at least 2"),
            ("sm.scheduler=fifo", "there is no scheduler `fifo`; there are lrr"),
            ("gpu.sms=-3", "--set gpu.sms=-3"),
            ("l1_data.line_bytes=64", "line_bytes must be that of the l2"),
            ("dram.write_low=25", "write_low must be at most write_high"),
            ("dram.write_high=32", "and that less than queue"),
            ("mechanisms.attach=lanes,wings", "unknown variant `wings`"),
            ("mechanisms.gating.idle_detect=8", "must be at most 7"),
            ("mechanisms.caches.l2.region_blocks=3", "l2.region_blocks: must be 1, 2, 4"),
            ("mechanisms.caches.shared.wake_up_cycles=0", "must be from 1 to 3"),
            ("mechanisms.caches.l1_data.drowsy_mv=350", "must be 200, 300 or 400"),
            ("dvfs.step_mhz=0", "dvfs.step_mhz: must be at least 1"),
            ("dvfs.step_mhz=1", "at most 100 P-states"),
            ("dvfs.lowest_mhz=0", "must be from 1 to highest_mhz"),
            ("dvfs.lowest_mhz=800", "must be from 1 to highest_mhz"),
            ("dvfs.highest_mhz=200000", "dvfs.highest_mhz: must be from 1"),
            ("dvfs.lowest_volts=1.1", "must be from 0.01 to highest_volts"),
            ("dvfs.highest_volts=nan", "dvfs.highest_volts: must be from"),
            ("dvfs.interval_us=0", "dvfs.interval_us: must be from"),
            ("dvfs.switch_ns=-1", "dvfs.switch_ns: must be from"),
            ("dvfs.software_mhz=0", "dvfs.software_mhz: must be from"),
            ("dvfs.software_mhz=10", "dvfs.interval_us: must be longer than a decision"),
            ("dvfs.switch_ns=10000", "dvfs.interval_us: must be longer than a decision"),
            ("dvfs.slowdown_bound=-0.1", "dvfs.slowdown_bound: must be from"),
            ("dvfs.predictor=crips", "no predictor 'crips'; known: crisp, crisp-plus"),
            ("dvfs.objective=edq", "no objective 'edq'; known: edp, ed2p, energy"),
            (
                "dvfs.policy=stedy",
                "dvfs.policy: there is no policy 'stedy'; known: predict, steady",
            ),
            ("power.cycle_nj=-1", "power.cycle_nj: must be from 0"),
        ] {
            let error = read(wrong).unwrap_err().to_string();
            assert!(error.contains(says), "{wrong}: {error}");
        }
    }

    #[test]
    fn an_unknown_key_of_a_file_is_refused_with_its_line() {
        let text = SHIPPED[0].1.replace("schedulers = 2", "schedulers = 2\nturbo = true");
        let error = MachineConfig::parse("my.toml", &text, &[]).unwrap_err().to_string();
        let line = text.lines().position(|l| l == "turbo = true").unwrap() + 1;
        assert!(error.starts_with(&format!("my.toml:{line}: unknown field `turbo`")), "{error}");
    }
}
