//! The part of `cosim run` that puts mechanisms into the machine.

use crate::clock;
use crate::run::progress;
use clap::Args;
use lanewise_files::Draft;
use lanewise_sim::attach::{self, Attached, AttachedSlice};
use lanewise_sim::dvfs::Controller;
use lanewise_sim::machine::config::{MachineConfig, Mechanism};
use lanewise_sim::machine::{Limits, Machine};
use lanewise_testbenches::cosim::{
    BackEnd, Bench, Choice, Recorded, Recording, WaveRequest, Waves,
};
use lanewise_testbenches::lockstep::Alarm;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

/// What is attached and what stands behind it.
#[derive(Args)]
pub struct Attach {
    /// Mechanisms, separated by commas: lanes, gating, folding, types, groups, crisp, rivals
    /// (beside crisp), dvfs (beside crisp), drowsy, dwl; all but dvfs if only --units is given.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    attach: Vec<String>,
    /// Back end of every unit: model, rtl, verilated, lockstep (model and verilated) or lockstep-all.
    #[arg(long, value_name = "BACK_END")]
    units: Option<BackEnd>,
    /// Back end of one block, for example shift_stage=lockstep; may be given several times.
    #[arg(long, value_name = "BLOCK=BACK_END")]
    unit: Vec<String>,
    /// Takes the Verilog from this directory, one module a file, instead of exporting it.
    #[arg(long, value_name = "DIR")]
    verilog: Option<PathBuf>,
    /// Records what the kernel gives the first instance of a block, with a testbench that replays it.
    #[arg(long, value_name = "BLOCK=FILE")]
    record: Vec<String>,
    /// Writes waveforms of --wave-blocks as VCD.
    #[arg(long, value_name = "FILE", requires = "wave_blocks")]
    wave: Option<PathBuf>,
    /// Blocks in the waveform, separated by commas.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "wave")]
    wave_blocks: Vec<String>,
    /// Core cycles in the waveform.
    #[arg(long, value_name = "FROM..TO", default_value = "0..10000", value_parser = cycles, requires = "wave")]
    wave_cycles: Range<u64>,
}

/// Reads `FROM..TO`.
fn cycles(text: &str) -> Result<Range<u64>, String> {
    let range = text
        .split_once("..")
        .and_then(|(from, to)| Some(from.trim().parse().ok()?..to.trim().parse::<u64>().ok()?));
    match range {
        Some(range) if range.is_empty() => Err("there is no cycle in it; write FROM..TO".into()),
        Some(range) => Ok(range),
        None => Err("write FROM..TO, such as 0..500".into()),
    }
}

impl Attach {
    /// Names in the machine what is attached.
    pub fn apply(&self, config: &mut MachineConfig) -> Result<(), String> {
        for name in self.attach.iter().filter(|name| !name.is_empty()) {
            let mechanism = Mechanism::named(name).ok_or_else(|| {
                let names = Mechanism::ALL.map(Mechanism::name).join(", ");
                format!("--attach: there is no mechanism `{name}`; there are {names}")
            })?;
            config.mechanisms.attach.push(mechanism);
        }
        let wanted = self.units.is_some()
            || !self.unit.is_empty()
            || self.verilog.is_some()
            || !self.record.is_empty()
            || self.wave.is_some();
        if config.mechanisms.attach.is_empty() && wanted {
            // The controller is no unit, and would make cycles of other lengths.
            let units = Mechanism::ALL.into_iter().filter(|m| *m != Mechanism::Dvfs);
            config.mechanisms.attach = units.collect();
        }
        Ok(())
    }

    fn choice(&self, out: Option<&Path>) -> Result<Choice, String> {
        let mut choice = Choice {
            all: self.units.unwrap_or_default(),
            verilog: self.verilog.clone(),
            mismatch_waves: out.unwrap_or(Path::new(".")).into(),
            ..Choice::default()
        };
        for item in &self.unit {
            let (block, back_end) = pair("--unit", item, "shift_stage=lockstep")?;
            let back_end = back_end.parse().map_err(|e| format!("--unit {item}: {e}"))?;
            choice.blocks.insert(block.into(), back_end);
        }
        Ok(choice)
    }

    fn waves(&self) -> Result<Option<Waves>, String> {
        let Some(file) = &self.wave else { return Ok(None) };
        // Known before the run rather than after it.
        drop(Draft::new(file)?);
        let (blocks, cycles) = (self.wave_blocks.clone(), self.wave_cycles.clone());
        Ok(Some(Waves::new(WaveRequest { blocks, cycles })))
    }
}

/// Splits `a=b`.
fn pair<'a>(option: &str, item: &'a str, example: &str) -> Result<(&'a str, &'a str), String> {
    item.split_once('=').ok_or_else(|| format!("{option} {item}: write {example}"))
}

/// A bench with its listeners.
pub struct Attachment {
    bench: Arc<Bench>,
    alarm: Alarm,
    waves: Option<(Waves, PathBuf)>,
    recordings: Vec<Arc<Recording>>,
    /// What changes the core clock.
    controller: Option<Arc<Mutex<Controller>>>,
}

impl Attachment {
    /// Prepares what the command line and the machine's description ask for.
    pub fn new(
        attach: &Attach,
        config: &MachineConfig,
        out: Option<&Path>,
    ) -> Result<Self, String> {
        let controlled = config.mechanisms.attach.contains(&Mechanism::Dvfs);
        let controller = controlled.then(|| Controller::of(config)).transpose();
        let controller = controller.map_err(|e| e.to_string())?;
        let alarm = Alarm::default();
        let waves = attach.waves()?;
        let mut recordings = vec![];
        for item in &attach.record {
            let (block, file) = pair("--record", item, "shift_stage=shift_stage.hex")?;
            recordings.push(Arc::new(Recording::new(block, Path::new(file))?));
        }
        let choice = attach.choice(out)?;
        let bench = Bench::new(choice, &alarm, waves.clone(), recordings.clone())?;
        let waves = waves.zip(attach.wave.clone());
        let controller = controller.map(|controller| Arc::new(Mutex::new(controller)));
        Ok(Attachment { bench: Arc::new(bench), alarm, waves, recordings, controller })
    }

    /// A machine with everything attached; it stops at the end of the quantum in which two back ends differ.
    pub fn machine(
        &self,
        config: &Arc<MachineConfig>,
        limits: Limits,
        threads: usize,
    ) -> Result<Machine<Attached, AttachedSlice>, String> {
        let interrupt = limits.interrupt.clone();
        let machine = attach::machine(config, limits, threads, &*self.bench);
        let machine = machine.map_err(|e| e.to_string())?;
        self.bench.check()?;
        let (alarm, mut progress) = (self.alarm.clone(), progress());
        let controller = self.controller.clone();
        Ok(machine.between(Box::new(move |gpu| {
            progress(gpu);
            if let Some(controller) = &controller {
                controller.lock().unwrap_or_else(PoisonError::into_inner).step(gpu);
            }
            if alarm.raised().is_some() {
                interrupt.store(true, Ordering::Relaxed);
            }
        })))
    }

    /// Prints what the core clock did and what the run cost, and writes it into a directory; where somebody counts.
    pub fn clock(
        &self,
        machine: &Machine<Attached, AttachedSlice>,
        out: Option<&Path>,
    ) -> Result<(), String> {
        let Some(gpu) = machine.gpu() else { return Ok(()) };
        if gpu.sms.iter().all(|sm| sm.hooks.crisp.is_none()) {
            return Ok(());
        }
        let mut controller = self
            .controller
            .as_ref()
            .map(|controller| controller.lock().unwrap_or_else(PoisonError::into_inner));
        let joules = clock::print(controller.as_deref_mut(), gpu);
        let Some(directory) = out else { return Ok(()) };
        if let Some(joules) = joules {
            clock::write_energy(joules, gpu, directory)?;
        }
        controller.map_or(Ok(()), |controller| clock::write(&controller, gpu, directory))
    }

    /// Whether a kernel may fail because of what is attached.
    pub fn is_beyond_models(&self) -> bool {
        self.bench.is_beyond_models()
    }

    /// Writes what was listened to, however the run came to its end. Prints what two back ends differ in, and
    /// says whether they do: that outweighs anything that goes wrong here.
    pub fn finish(&self) -> (bool, Result<(), String>) {
        let mismatch = self.alarm.raised();
        if let Some(mismatch) = &mismatch {
            eprintln!("cosim: {mismatch}");
        }
        let recordings = self.recordings.iter().map(|recording| -> Result<(), String> {
            let Recorded { bench, cycles, resets, is_full } = recording.write()?;
            let resets = match resets {
                0 => String::new(),
                1 => " and 1 reset".into(),
                more => format!(" and {more} resets"),
            };
            let bench = bench.display();
            say!("recorded {cycles} cycles{resets} of {}: {bench}", recording.block());
            if is_full {
                eprintln!(
                    "cosim: the recording of {} is full and ends before the kernel",
                    recording.block()
                );
            }
            Ok(())
        });
        let waves = self.waves.iter().map(|(waves, file)| waves.write(file));
        let failed: Vec<String> = recordings.chain(waves).filter_map(Result::err).collect();
        let written = if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) };
        (mismatch.is_some(), written)
    }
}
