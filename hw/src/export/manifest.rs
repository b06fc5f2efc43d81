//! `manifest.json`: what is in an export, for programs.

use super::file_of;
use crate::catalogue::Entry;
use crate::emit::{Module, PortShape};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The whole manifest.
#[derive(Serialize)]
pub struct Manifest {
    project: &'static str,
    version: &'static str,
    modules: Vec<Item>,
}

#[derive(Serialize)]
struct Item {
    module: String,
    block: &'static str,
    family: &'static str,
    file: String,
    parameters: BTreeMap<&'static str, String>,
    promise: &'static str,
    paper: &'static str,
    section: &'static str,
    clocked: bool,
    flip_flops: usize,
    #[serde(skip_serializing_if = "is_zero")]
    ram_bits: usize,
    instantiates: Vec<String>,
    ports: Vec<PortShape>,
}

/// What is read back of an earlier manifest.
#[derive(Deserialize)]
struct Earlier {
    modules: Vec<EarlierItem>,
}

#[derive(Deserialize)]
struct EarlierItem {
    module: String,
}

/// Modules without memory do not mention it.
fn is_zero(bits: &usize) -> bool {
    *bits == 0
}

impl Manifest {
    /// The manifest of these modules.
    pub fn of(modules: &[(Entry, Module)]) -> Self {
        let item = |(entry, module): &(Entry, Module)| {
            let info = (entry.build)().info();
            Item {
                module: entry.name.clone(),
                block: entry.block,
                family: info.family,
                file: file_of(&entry.name),
                parameters: entry.params.iter().cloned().collect(),
                promise: info.promise,
                paper: info.paper.title(),
                section: info.section,
                clocked: info.clocked,
                flip_flops: module.state_bits,
                ram_bits: module.ram_bits,
                instantiates: module.children.clone(),
                ports: module.ports.clone(),
            }
        };
        Manifest {
            project: "lanewise",
            version: env!("CARGO_PKG_VERSION"),
            modules: modules.iter().map(item).collect(),
        }
    }

    /// The text of the file.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self)
            .expect("the manifest is plain data with string keys");
        text.push('\n');
        text
    }

    /// The modules that an earlier export left in a folder; none if there is no readable manifest.
    pub fn modules_in(folder: &Path) -> Vec<String> {
        std::fs::read_to_string(folder.join("manifest.json"))
            .ok()
            .and_then(|text| serde_json::from_str::<Earlier>(&text).ok())
            .map(|m| m.modules.into_iter().map(|i| i.module).collect())
            .unwrap_or_default()
    }
}
