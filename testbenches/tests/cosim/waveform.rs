//! Reads VCD files back.

use std::path::Path;

/// Time units of a cycle.
const PERIOD: u64 = 10;

/// A VCD file.
pub struct Waveform {
    header: vcd::Header,
    /// Every value of every variable, by cycle; of a wide one its low 64 bits.
    values: Vec<(u64, vcd::IdCode, u64)>,
    /// The first cycle behind its end.
    pub end: u64,
}

impl Waveform {
    /// Reads a file.
    pub fn read(path: &Path) -> Waveform {
        let text = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut parser = vcd::Parser::new(&text[..]);
        let header = parser.parse_header().expect("a VCD header");
        let (mut values, mut time) = (vec![], 0);
        for command in parser {
            match command.expect("a VCD command") {
                vcd::Command::Timestamp(now) => time = now,
                vcd::Command::ChangeVector(id, value) => {
                    let bit = |sum, bit| sum << 1 | u64::from(bit == vcd::Value::V1);
                    values.push((time / PERIOD, id, value.iter().fold(0, bit)));
                }
                _ => {}
            }
        }
        Waveform { header, values, end: time / PERIOD }
    }

    /// The names of its outermost scopes.
    pub fn scopes(&self) -> Vec<&str> {
        let items = self.header.items.iter();
        items
            .filter_map(|item| match item {
                vcd::ScopeItem::Scope(scope) => Some(scope.identifier.as_str()),
                _ => None,
            })
            .collect()
    }

    /// A variable's value in every cycle that the file has.
    pub fn values(&self, path: &[&str]) -> Vec<(u64, u64)> {
        let id = self.header.find_var(path).unwrap_or_else(|| panic!("no {path:?}")).code;
        let mine = self.values.iter().filter(|(_, other, _)| *other == id);
        mine.map(|(cycle, _, value)| (*cycle, *value)).collect()
    }
}
