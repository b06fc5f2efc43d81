//! The stimulus that a real kernel gave a block, row by row into a file.
//!
//! The vectors are a text file for `$readmemh`: a line a clocked cycle, all as one hexadecimal number: reset
//! (if the block has a clock), the inputs, the outputs, and a mask of the output bits that mean something. A
//! line with reset holds nothing else. Beside it lies `<file>_tb.v`, which replays it.

use super::replay::testbench;
use crate::image::Layout;
use lanewise_files::{whole, Draft};
use lanewise_hw::catalogue;
use lanewise_sim::units::Io;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Rows after which a recording is full.
const MOST_ROWS: usize = 200_000;

/// What is known once an instance has been chosen.
pub(super) struct Shape {
    pub entry: String,
    pub clocked: bool,
    pub inputs: Layout,
    pub outputs: Layout,
}

/// How far a recording is.
struct Progress {
    /// Rows go to the disk as they come: those of a wide block would fill the memory.
    draft: Draft,
    rows: usize,
    resets: usize,
    is_full: bool,
    /// The first row that could not be written, and why.
    failed: Option<String>,
}

/// The inputs and outputs of the first instance of a block.
pub struct Recording {
    block: String,
    file: PathBuf,
    shape: OnceLock<Shape>,
    progress: Mutex<Option<Progress>>,
}

/// What a recording has become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The testbench that replays it.
    pub bench: PathBuf,
    /// Cycles in it.
    pub cycles: usize,
    /// Resets among them.
    pub resets: usize,
    /// The kernel went on after the last of them.
    pub is_full: bool,
}

impl Recording {
    /// Records `block` into `file`, or says why that cannot be written.
    pub fn new(block: &str, file: &Path) -> Result<Self, String> {
        drop(Draft::new(&bench_of(file))?);
        let draft = Draft::new(file)?;
        let progress = Progress { draft, rows: 0, resets: 0, is_full: false, failed: None };
        Ok(Recording {
            block: block.into(),
            file: file.into(),
            shape: OnceLock::new(),
            progress: Mutex::new(Some(progress)),
        })
    }

    /// The block that is recorded.
    pub fn block(&self) -> &str {
        &self.block
    }

    /// Whether the instance now made is the one to record: the first of its block.
    pub(super) fn claim<I: Io, O: Io>(&self, block: &str, entry: &str) -> bool {
        if block != self.block {
            return false;
        }
        let clocked = catalogue::find(entry).is_none_or(|found| (found.build)().info().clocked);
        let (inputs, outputs) = (Layout::of::<I>(), Layout::of::<O>());
        self.shape.set(Shape { entry: entry.into(), clocked, inputs, outputs }).is_ok()
    }

    /// A cycle.
    pub(super) fn row(&self, inputs: &[u32], outputs: &[u32]) {
        let Some(shape) = self.shape.get() else { return };
        let mut bits = String::new();
        if shape.clocked {
            bits.push('0');
        }
        let meaning = shape.outputs.meaning(outputs);
        // The first field of the inputs is leftmost.
        for (layout, image) in
            [(&shape.inputs, inputs), (&shape.outputs, outputs), (&shape.outputs, &meaning[..])]
        {
            for (index, field) in layout.fields().iter().enumerate() {
                let words = layout.field(index, image);
                for bit in (0..field.bits()).rev() {
                    bits.push(if words[bit / 32] >> (bit % 32) & 1 != 0 { '1' } else { '0' });
                }
            }
        }
        self.write_row(&hex(&bits), 0);
    }

    /// A clock edge with reset held.
    pub(super) fn reset(&self) {
        let Some(shape) = self.shape.get().filter(|shape| shape.clocked) else { return };
        let bits = format!("1{:0>width$}", "", width = shape.bits() - 1);
        self.write_row(&hex(&bits), 1);
    }

    fn write_row(&self, row: &str, resets: usize) {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(progress) = &mut *progress else { return };
        progress.is_full |= progress.rows == MOST_ROWS;
        if progress.is_full || progress.failed.is_some() {
            return;
        }
        match writeln!(progress.draft, "{row}") {
            Ok(()) => {
                (progress.rows, progress.resets) = (progress.rows + 1, progress.resets + resets)
            }
            Err(e) => progress.failed = Some(format!("{}: {e}", self.file.display())),
        }
    }

    /// Finishes the vectors and writes the testbench.
    pub fn write(&self) -> Result<Recorded, String> {
        let progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (Some(shape), Some(progress)) = (self.shape.get(), progress) else {
            return Err(format!("no {} was recorded", self.block));
        };
        let Progress { draft, rows, resets, is_full, failed } = progress;
        failed.map_or(Ok(()), Err)?;
        draft.finish()?;
        let bench = bench_of(&self.file);
        let text = testbench(shape, &self.file, rows);
        whole(&bench, |out| out.write_all(text.as_bytes()))?;
        Ok(Recorded { bench, cycles: rows - resets, resets, is_full })
    }
}

impl Shape {
    /// Bits of a row.
    pub fn bits(&self) -> usize {
        usize::from(self.clocked) + bits(&self.inputs) + 2 * bits(&self.outputs)
    }
}

/// Bits of all fields.
pub(super) fn bits(layout: &Layout) -> usize {
    layout.fields().iter().map(|field| field.bits()).sum()
}

/// The testbench beside a file of vectors.
fn bench_of(file: &Path) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    file.with_file_name(format!("{stem}_tb.v"))
}

/// Binary digits as hexadecimal ones.
fn hex(bits: &str) -> String {
    let missing = (4 - bits.len() % 4) % 4;
    let padded = "0".repeat(missing) + bits;
    let digit =
        |nibble: &[u8]| nibble.iter().fold(0, |value, bit| value * 2 + u32::from(bit - b'0'));
    padded
        .as_bytes()
        .chunks(4)
        .map(|nibble| char::from_digit(digit(nibble), 16).unwrap_or('0'))
        .collect()
}
