//! Recorded inputs of a block, one row a cycle.

use std::collections::BTreeMap;
use std::path::Path;

use crate::manifest::Direction;
use crate::netlist::Netlist;
use crate::Error;

/// The bits of every input port, cycle by cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stimulus {
    /// For each cycle, ports by name, bits lowest first. A port that is missing is zero.
    pub cycles: Vec<BTreeMap<String, Vec<bool>>>,
}

impl Stimulus {
    /// Reads comma-separated values: port names in the first line, hexadecimal numbers below.
    pub fn parse(text: &str, path: &Path) -> Result<Stimulus, Error> {
        let mut lines = text.lines().enumerate();
        let names: Vec<&str> =
            lines.next().map_or(Vec::new(), |(_, line)| line.split(',').map(str::trim).collect());
        let cycles = lines
            .filter(|(_, line)| !line.trim().is_empty())
            .map(|(index, line)| {
                let wrong =
                    |reason: String| Error::Stimulus { path: path.into(), line: index + 1, reason };
                let values: Vec<&str> = line.split(',').map(str::trim).collect();
                if values.len() != names.len() {
                    return Err(wrong(format!(
                        "{} values for {} ports",
                        values.len(),
                        names.len()
                    )));
                }
                names
                    .iter()
                    .zip(values)
                    .map(|(name, value)| {
                        let bits = hexadecimal(value)
                            .ok_or_else(|| wrong(format!("{value:?} is not hexadecimal")))?;
                        Ok((name.to_string(), bits))
                    })
                    .collect()
            })
            .collect::<Result<_, _>>()?;
        Ok(Stimulus { cycles })
    }

    /// New random data in every cycle, always the same; settings are drawn once and reset comes first.
    pub fn random(netlist: &Netlist, cycles: usize) -> Stimulus {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut bit = move || {
            // Marsaglia's xorshift with 64 bits.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state >> 63 == 1
        };
        let ports: Vec<_> =
            netlist.ports.iter().filter(|port| port.direction == Direction::Input).collect();
        let mut inputs: BTreeMap<String, Vec<bool>> = BTreeMap::new();
        let cycles = (0..cycles)
            .map(|cycle| {
                for port in &ports {
                    let is_setting = port.name.starts_with("cfg_");
                    // The clock is not data: its pins are counted apart.
                    let value = |drawn: bool| match port.name.as_str() {
                        "clk_i" => false,
                        "rst_i" => cycle == 0,
                        _ => drawn,
                    };
                    if cycle == 0 || !is_setting {
                        let bits = port.bits.iter().map(|_| value(bit())).collect();
                        inputs.insert(port.name.clone(), bits);
                    }
                }
                inputs.clone()
            })
            .collect();
        Stimulus { cycles }
    }
}

fn hexadecimal(text: &str) -> Option<Vec<bool>> {
    let mut bits = Vec::new();
    for digit in text.chars().rev().filter(|digit| *digit != '_') {
        let digit = digit.to_digit(16)?;
        bits.extend((0..4).map(|bit| digit >> bit & 1 == 1));
    }
    Some(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_bits() {
        let stimulus = Stimulus::parse("a_i,b_i\n1,5\n0,f0\n", Path::new("x.csv")).expect("good");
        assert_eq!(stimulus.cycles.len(), 2);
        assert_eq!(stimulus.cycles[0]["b_i"], [true, false, true, false]);
        assert!(stimulus.cycles[1]["b_i"][4..].iter().all(|bit| *bit));
    }

    #[test]
    fn a_bad_row_is_named() {
        let line = |text: &str| {
            let error = Stimulus::parse(text, Path::new("x.csv")).expect_err("refused");
            error.to_string()
        };
        assert!(line("a_i\n1\nxyz\n").starts_with("x.csv:3: \"xyz\" is not hexadecimal"));
        assert!(line("a_i,b_i\n1\n").starts_with("x.csv:2: 1 values for 2 ports"));
    }
}
