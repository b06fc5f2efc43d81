//! What a mismatch says, and the alarm that carries it to whoever can stop the machine.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The outputs of one member at the mismatch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// The member.
    pub name: &'static str,
    /// Every output, name and value.
    pub outputs: Vec<(&'static str, String)>,
}

/// The first difference between two back ends of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The block's name.
    pub block: String,
    /// Where it sits in the machine.
    pub instance: String,
    /// The cycle in which the outputs differed.
    pub cycle: u64,
    /// The outputs that differed.
    pub differing: Vec<&'static str>,
    /// Every input, name and value.
    pub inputs: Vec<(&'static str, String)>,
    /// The members and their outputs, the reference first.
    pub sides: Vec<Side>,
    /// The waveform, or why there is none, if one was asked for.
    pub waveform: Option<Result<PathBuf, String>>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { block, instance, cycle, .. } = self;
        writeln!(
            f,
            "{block} ({instance}) differs in cycle {cycle}: {}",
            self.differing.join(", ")
        )?;
        for (name, value) in &self.inputs {
            writeln!(f, "  input  {name} = {value}")?;
        }
        let outputs = self.sides.first().map_or(0, |side| side.outputs.len());
        for index in 0..outputs {
            for side in &self.sides {
                let (name, value) = &side.outputs[index];
                let mark = if self.differing.contains(name) { "  <--" } else { "" };
                writeln!(f, "  output {name} = {value} in {}{mark}", side.name)?;
            }
        }
        match &self.waveform {
            None => Ok(()),
            Some(Ok(path)) => writeln!(f, "  waveform: {}", path.display()),
            Some(Err(reason)) => writeln!(f, "  no waveform: {reason}"),
        }
    }
}

impl std::error::Error for Mismatch {}

/// Raised by a mismatch; cheap to look at every cycle and shared by cloning.
///
/// Of several mismatches it keeps the one with the smallest cycle, and among those the one whose instance comes
/// first: the same one in whatever order the threads of a machine find them.
#[derive(Clone, Debug, Default)]
pub struct Alarm(Arc<State>);

#[derive(Debug, Default)]
struct State {
    is_raised: AtomicBool,
    first: Mutex<Option<Box<Mismatch>>>,
}

impl Alarm {
    /// The first mismatch of any block that shares this alarm.
    pub fn raised(&self) -> Option<Mismatch> {
        self.check().err().map(|mismatch| *mismatch)
    }

    /// For `?`: an error as soon as some block has differed.
    pub fn check(&self) -> Result<(), Box<Mismatch>> {
        if !self.0.is_raised.load(Ordering::Acquire) {
            return Ok(());
        }
        self.first().clone().map_or(Ok(()), Err)
    }

    fn first(&self) -> MutexGuard<'_, Option<Box<Mismatch>>> {
        self.0.first.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the mismatch that `found` describes if it is the first. Only its waveform is of use then: that of
    /// the one it replaces is removed.
    pub(super) fn raise(&self, cycle: u64, instance: &str, found: impl FnOnce() -> Mismatch) {
        let mut first = self.first();
        if let Some(known) = &*first {
            if (known.cycle, known.instance.as_str()) <= (cycle, instance) {
                return;
            }
            if let Some(Ok(waveform)) = &known.waveform {
                // One that stays does no harm.
                let _ = std::fs::remove_file(waveform);
            }
        }
        *first = Some(Box::new(found()));
        self.0.is_raised.store(true, Ordering::Release);
    }
}
