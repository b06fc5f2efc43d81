//! Makes units for a machine, each from the back end that was chosen for its block.

use super::back_end::BackEnd;
use super::replay::Recording;
use super::tap::Tap;
use super::waves::Waves;
use crate::lockstep::{Alarm, Lockstep};
use crate::rtl::RtlUnit;
use crate::verilated::{Source, Start, Verilated};
use lanewise_hw::catalogue;
use lanewise_sim::attach::{AttachError, Boxed, UnitSource};
use lanewise_sim::units::Unit;
use lanewise_studies::Units;
use std::any::Any;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Which back end each block has.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Where nothing else is said.
    pub all: BackEnd,
    /// By block; parameters do not matter.
    pub blocks: HashMap<String, BackEnd>,
    /// Takes Verilog from this directory instead of exporting it.
    pub verilog: Option<PathBuf>,
    /// Where the waveform of a mismatch goes.
    pub mismatch_waves: PathBuf,
}

/// See the module's text.
pub struct Bench {
    choice: Choice,
    alarm: Alarm,
    waves: Option<Waves>,
    recordings: Vec<Arc<Recording>>,
    /// Built Verilog by catalogue entry.
    built: Mutex<HashMap<String, Box<dyn Any + Send>>>,
}

/// The block of a catalogue entry: its name without parameters.
fn block_of(entry: &str) -> &str {
    entry.split("__").next().unwrap_or(entry)
}

/// A name that the catalogue knows as a block.
fn known(block: &str) -> Result<(), String> {
    if catalogue::entries().iter().any(|entry| block_of(&entry.name) == block) {
        return Ok(());
    }
    Err(format!("there is no block `{block}`; export-verilog --list names them"))
}

impl Bench {
    /// A bench; differences between back ends raise `alarm`.
    pub fn new(
        choice: Choice,
        alarm: &Alarm,
        waves: Option<Waves>,
        recordings: Vec<Arc<Recording>>,
    ) -> Result<Self, String> {
        let blocks = choice.blocks.keys().map(String::as_str);
        let recorded = recordings.iter().map(|recording| recording.block());
        blocks.chain(recorded).try_for_each(known)?;
        let built = Mutex::default();
        Ok(Bench { choice, alarm: alarm.clone(), waves, recordings, built })
    }

    fn verilated<U: Unit + 'static>(&self, entry: &str) -> Result<Boxed<U>, String> {
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = built.get(entry) {
            if let Some(known) = known.downcast_ref::<Verilated<U::In, U::Out>>() {
                return Ok(Box::new(known.unit(Start::Reset)));
            }
        }
        let modules = catalogue::find(entry)
            .ok_or_else(|| format!("the catalogue has no entry {entry}"))?
            .modules()
            .map_err(|error| error.to_string())?;
        let mut modules: Vec<Source> = modules.into_iter().map(Source::from).collect();
        if let Some(directory) = &self.choice.verilog {
            for module in &mut modules {
                *module = read(directory, &module.name)?;
            }
        }
        let verilated =
            Verilated::<U::In, U::Out>::build(&modules).map_err(|error| error.to_string())?;
        let unit = verilated.unit(Start::Reset);
        built.insert(entry.into(), Box::new(verilated));
        Ok(Box::new(unit))
    }

    fn rtl<U: Unit + 'static>(&self, entry: &str) -> Result<Boxed<U>, String> {
        let found =
            catalogue::find(entry).ok_or_else(|| format!("the catalogue has no entry {entry}"))?;
        let unit = RtlUnit::<U::In, U::Out>::new((found.build)()).map_err(|e| e.to_string())?;
        Ok(Box::new(unit))
    }

    fn make<U: Unit + 'static>(
        &self,
        entry: &str,
        instance: &str,
        model: U,
    ) -> Result<Boxed<U>, String> {
        let block = block_of(entry);
        let back_end = self.choice.blocks.get(block).copied().unwrap_or(self.choice.all);
        let lockstep =
            || Lockstep::new(entry, instance, &self.alarm).waves_to(&self.choice.mismatch_waves);
        let mut unit: Boxed<U> = match back_end {
            BackEnd::Model => Box::new(model),
            BackEnd::Rtl => self.rtl::<U>(entry)?,
            BackEnd::Verilated => self.verilated::<U>(entry)?,
            BackEnd::Lockstep => Box::new(
                lockstep()
                    .with("model", Box::new(model))
                    .with("verilated", self.verilated::<U>(entry)?),
            ),
            BackEnd::LockstepAll => Box::new(
                lockstep()
                    .with("model", Box::new(model))
                    .with("rtl", self.rtl::<U>(entry)?)
                    .with("verilated", self.verilated::<U>(entry)?),
            ),
        };
        let recording = self.recordings.iter().find(|r| r.claim::<U::In, U::Out>(block, entry));
        let wave = self.waves.as_ref().filter(|waves| waves.wants(block));
        let wave = wave.map(|waves| waves.track::<U::In, U::Out>(entry, instance));
        if recording.is_some() || wave.is_some() {
            unit = Box::new(Tap::new(unit, recording.cloned(), wave));
        }
        Ok(unit)
    }
}

/// Reads one module from a directory of Verilog files.
fn read(directory: &Path, module: &str) -> Result<Source, String> {
    Source::read(&directory.join(format!("{module}.v"))).map_err(|error| error.to_string())
}

impl UnitSource for Bench {
    fn unit<U: Unit + 'static>(
        &self,
        entry: &str,
        instance: &str,
        model: U,
    ) -> Result<Boxed<U>, AttachError> {
        self.make(entry, instance, model)
            .map_err(|message| AttachError(format!("{instance}: {message}")))
    }
}

impl Units for Bench {
    fn name(&self) -> String {
        let mut names = vec![self.choice.all.name().to_string()];
        let blocks = self.choice.blocks.iter();
        names.extend(blocks.map(|(block, back_end)| format!("{block}={}", back_end.name())));
        // The order of a map is another one in every run.
        names[1..].sort();
        names.join(", ")
    }

    fn mismatch(&self) -> Option<String> {
        self.alarm.raised().map(ToString::to_string)
    }
}
