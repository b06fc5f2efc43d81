//! Finds the entries that a command line asks for, or says what to ask for instead.

use super::Error;
use crate::catalogue::{entries, Entry};

/// The entries for `--block` and `--param`; all of them if no block is named.
///
/// A block is named by its own name, which means its default combination with `params` on top, or by a
/// full module name.
pub fn select(blocks: &[String], params: &[(String, String)]) -> Result<Vec<Entry>, Error> {
    let all = entries();
    if blocks.is_empty() {
        if let Some((name, _)) = params.first() {
            return Err(Error::Param(format!(
                "--param {name}=.. needs --block: name the block whose parameter it is"
            )));
        }
        return Ok(all);
    }
    blocks.iter().map(|name| one(&all, name, params)).collect()
}

fn one(all: &[Entry], name: &str, params: &[(String, String)]) -> Result<Entry, Error> {
    let Some(base) = all.iter().find(|e| e.name == name) else {
        let near = all
            .iter()
            .map(|e| (distance(&e.name, name), &e.name))
            .min()
            .filter(|(distance, _)| *distance <= 3);
        let hint = near.map_or(String::new(), |(_, n)| format!(" (did you mean `{n}`?)"));
        return Err(Error::UnknownBlock { name: name.into(), hint });
    };
    let mut wanted = base.params.clone();
    for (param, value) in params {
        let Some(slot) = wanted.iter_mut().find(|(n, _)| n == param) else {
            let known: Vec<_> = base.params.iter().map(|(n, _)| *n).collect();
            return Err(Error::Param(if known.is_empty() {
                format!("`{}` has no parameters; drop --param {param}", base.block)
            } else {
                format!("`{}` has no parameter `{param}`; it has {}", base.block, known.join(", "))
            }));
        };
        slot.1.clone_from(value);
    }
    all.iter().find(|e| e.block == base.block && e.params == wanted).cloned().ok_or_else(|| {
        let listed: Vec<_> =
            all.iter().filter(|e| e.block == base.block).map(|e| text(&e.params)).collect();
        Error::Param(format!(
            "`{}` is not exported with {}; the catalogue has: {}",
            base.block,
            text(&wanted),
            listed.join("; ")
        ))
    })
}

fn text(params: &[(&'static str, String)]) -> String {
    params.iter().map(|(n, v)| format!("{n}={v}")).collect::<Vec<_>>().join(" ")
}

/// A line for each entry: module, parameters, paper and what it does.
pub fn list() -> String {
    let all = entries();
    let names = all.iter().map(|e| e.name.len()).max().unwrap_or(0);
    let params = all.iter().map(|e| text(&e.params).len()).max().unwrap_or(0);
    all.iter().fold(String::new(), |lines, entry| {
        let info = (entry.build)().info();
        let first = info.promise.split(". ").next().unwrap_or_default().trim_end_matches('.');
        lines
            + &format!(
                "{:names$}  {:params$}  {:8} {first}\n",
                entry.name,
                text(&entry.params),
                info.family
            )
    })
}

/// Edits between two names (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
