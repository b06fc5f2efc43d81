//! Inputs of a block, cycle by cycle: recorded from a kernel, or random.

use std::collections::BTreeMap;
use std::path::Path;

use crate::manifest::{Direction, Module, Port};
use crate::netlist::Netlist;
use crate::Error;

/// The bits of every input port, cycle by cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stimulus {
    /// For each cycle, ports by name, bits lowest first. A port that is missing is zero.
    pub cycles: Vec<BTreeMap<String, Vec<bool>>>,
}

impl Stimulus {
    /// Reads what `cosim run --record` wrote of a module: a hexadecimal number a clocked cycle, in it reset, if the
    /// module has a clock, the inputs, the first port leftmost, then the outputs, then which bits of the outputs
    /// mean something.
    pub fn recorded(text: &str, module: &Module, path: &Path) -> Result<Stimulus, Error> {
        // Reset is the first of the inputs.
        let data = |port: &&Port| port.name != "clk_i";
        let inputs: Vec<&Port> = module.ports_of(Direction::Input).filter(data).collect();
        let input_bits: usize = inputs.iter().map(|port| port.width).sum();
        let output_bits: usize = module.ports_of(Direction::Output).map(|port| port.width).sum();
        let digits = (input_bits + 2 * output_bits).div_ceil(4);
        let cycles = text
            .lines()
            .enumerate()
            .map(|(index, line)| {
                let wrong =
                    |reason: String| Error::Stimulus { path: path.into(), line: index + 1, reason };
                if line.len() != digits {
                    let name = &module.module;
                    return Err(wrong(format!("{} digits, {name} has {digits}", line.len())));
                }
                let bits = hexadecimal(line).ok_or_else(|| wrong("not hexadecimal".into()))?;
                let mut top = input_bits + 2 * output_bits;
                let cut = |port: &&Port| {
                    top -= port.width;
                    (port.name.clone(), bits[top..top + port.width].to_vec())
                };
                Ok(inputs.iter().map(cut).collect())
            })
            .collect::<Result<_, _>>()?;
        Ok(Stimulus { cycles })
    }

    /// Cycles in which a warp comes in: those with the module's first `*_valid_i` set.
    pub fn warps(&self, module: &Module) -> usize {
        let mut inputs = module.ports_of(Direction::Input);
        let Some(valid) = inputs.find(|port| port.name.ends_with("_valid_i")) else { return 0 };
        let comes_in = |cycle: &&BTreeMap<String, Vec<bool>>| {
            cycle.get(&valid.name).is_some_and(|bits| bits.contains(&true))
        };
        self.cycles.iter().filter(comes_in).count()
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

/// Bits of a number, lowest first.
fn hexadecimal(text: &str) -> Option<Vec<bool>> {
    let mut bits = Vec::new();
    for digit in text.chars().rev() {
        let digit = digit.to_digit(16)?;
        bits.extend((0..4).map(|bit| digit >> bit & 1 == 1));
    }
    Some(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module with reset, 1 + 6 bits in and 2 bits out: twelve bits a row.
    fn module() -> Module {
        serde_json::from_str(
            r#"{"module": "m", "block": "m", "family": "f", "file": "m.v", "parameters": {},
                "clocked": true, "flip_flops": 0, "instantiates": [], "ports": [
                {"name": "clk_i", "direction": "input", "width": 1},
                {"name": "rst_i", "direction": "input", "width": 1},
                {"name": "issue_valid_i", "direction": "input", "width": 1},
                {"name": "data_i", "direction": "input", "width": 6},
                {"name": "data_o", "direction": "output", "width": 2}]}"#,
        )
        .expect("a module")
    }

    #[test]
    fn a_row_is_cut_into_ports() {
        // rst 0 | valid 1 | data 000101 | out 11 | mask 11, the same without valid, and a reset.
        let rows = "45f\n05f\n800\n";
        let stimulus = Stimulus::recorded(rows, &module(), Path::new("x.hex")).expect("good");
        assert_eq!(stimulus.cycles.len(), 3);
        assert_eq!([0, 1, 2].map(|n| stimulus.cycles[n]["rst_i"][0]), [false, false, true]);
        assert_eq!(stimulus.cycles[0]["issue_valid_i"], [true]);
        assert_eq!(stimulus.cycles[0]["data_i"], [true, false, true, false, false, false]);
        assert_eq!(stimulus.cycles[1]["issue_valid_i"], [false]);
        assert_eq!(stimulus.warps(&module()), 1);
    }

    #[test]
    fn a_bad_row_is_named() {
        let said = |text: &str| {
            let error = Stimulus::recorded(text, &module(), Path::new("x.hex"));
            error.expect_err("refused").to_string()
        };
        assert!(said("45f\nxyz\n").starts_with("x.hex:2: not hexadecimal"));
        assert!(said("45\n").starts_with("x.hex:1: 2 digits, m has 3"));
    }
}
