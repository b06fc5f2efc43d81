//! Makes units for a machine, each from the back end that was chosen for its block.

use super::back_end::BackEnd;
use super::recording::Recording;
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
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
    made: Mutex<Made>,
}

/// The units that were made.
#[derive(Default)]
struct Made {
    /// Their blocks.
    blocks: BTreeSet<String>,
    /// Some are more than a model.
    beyond_models: bool,
    /// Some have Verilog in them.
    verilog: bool,
}

/// The block of a catalogue entry: its name without parameters.
fn block_of(entry: &str) -> &str {
    entry.split("__").next().unwrap_or(entry)
}

/// A name that the catalogue knows as a block.
fn known(block: &str) -> Result<(), String> {
    let entries = catalogue::entries();
    let blocks: BTreeSet<&str> = entries.iter().map(|entry| block_of(&entry.name)).collect();
    if blocks.contains(block) {
        return Ok(());
    }
    let blocks: Vec<&str> = blocks.into_iter().collect();
    Err(format!("there is no block `{block}`; there are {}", blocks.join(", ")))
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
        let watched = waves.iter().flat_map(|waves| waves.blocks()).map(String::as_str);
        blocks.chain(recorded).chain(watched).try_for_each(known)?;
        let (built, made) = Default::default();
        Ok(Bench { choice, alarm: alarm.clone(), waves, recordings, built, made })
    }

    fn made(&self) -> MutexGuard<'_, Made> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the machine's units can be wrong in a way that their models are not.
    pub fn is_beyond_models(&self) -> bool {
        self.made().beyond_models
    }

    /// To be asked once the machine is made: everything that was wished for was found in it.
    pub fn check(&self) -> Result<(), String> {
        let made = self.made();
        let chosen = self.choice.blocks.keys().map(|block| ("--unit", block.as_str()));
        let recorded = self.recordings.iter().map(|recording| ("--record", recording.block()));
        let watched = self.waves.iter().flat_map(|waves| waves.blocks());
        let watched = watched.map(|block| ("--wave-blocks", block.as_str()));
        let wishes = chosen.chain(recorded).chain(watched);
        // The smallest, because the order of a map is another one in every run.
        let missing = wishes.filter(|(_, block)| !made.blocks.contains(*block)).min();
        if let Some((option, block)) = missing {
            let blocks: Vec<&str> = made.blocks.iter().map(String::as_str).collect();
            let blocks = if blocks.is_empty() { "no block".into() } else { blocks.join(", ") };
            return Err(format!(
                "{option}: no {block} is attached to this machine, which has {blocks}; --attach names mechanisms"
            ));
        }
        if self.choice.verilog.is_some() && !made.verilog {
            let remedy = "add --units verilated or lockstep";
            return Err(format!("--verilog: no unit of this machine uses Verilog; {remedy}"));
        }
        Ok(())
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
        {
            let mut made = self.made();
            made.blocks.insert(block.into());
            made.beyond_models |= back_end != BackEnd::Model;
            made.verilog |= back_end.has_verilog();
        }
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
        self.alarm.raised().map(|mismatch| mismatch.to_string())
    }
}
