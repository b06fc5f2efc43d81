//! Why a kernel was stopped: kernel, instruction, source line, thread, address, and what to look at.

use std::fmt;

use super::launch::Launch;
use super::memory::{BadAddress, BadReason, GlobalMemory};
use crate::ptx::Space;

/// The kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// An address outside every allocation of its space.
    OutOfRange,
    /// An address that is not a multiple of the access size.
    Misaligned,
    /// A store to constants or parameters.
    ReadOnly,
    /// A `tex` whose handle or reference is not bound to a texture.
    NotATexture,
    /// A barrier number above 15, or a thread count that is not a multiple of 32.
    BadBarrier,
    /// Every running warp waits at a barrier that nobody else can reach.
    Deadlock,
    /// The `trap` instruction.
    Trap,
    /// The instruction budget is used up.
    Runaway,
}

/// A stopped kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What happened.
    pub kind: FaultKind,
    /// The kernel.
    pub kernel: String,
    /// Program counter: index of the instruction.
    pub pc: u32,
    /// The PTX file.
    pub file: String,
    /// Its line, from 1.
    pub line: u32,
    /// What that line says.
    pub text: String,
    /// Coordinates of the block.
    pub block: [u32; 3],
    /// Coordinates of the thread in its block, where one is to blame.
    pub thread: Option<[u32; 3]>,
    /// The address, its space and the bytes wanted, where there is one.
    pub address: Option<(u64, Space, u32)>,
    /// What to look at.
    pub hint: String,
}

impl Fault {
    /// A fault at an instruction of a block.
    pub(super) fn new(
        launch: &Launch,
        kind: FaultKind,
        pc: u32,
        block: [u32; 3],
        hint: impl Into<String>,
    ) -> Box<Fault> {
        let kernel = launch.kernel();
        let source = &launch.module().source;
        let line = kernel.insts.get(pc as usize).map_or(0, |i| i.line);
        Box::new(Fault {
            kind,
            kernel: kernel.name.clone(),
            pc,
            file: source.name().to_string(),
            line,
            text: source.line(line).trim().to_string(),
            block,
            thread: None,
            address: None,
            hint: hint.into(),
        })
    }

    /// Names the thread.
    pub(super) fn of_thread(mut self: Box<Self>, thread: [u32; 3]) -> Box<Self> {
        self.thread = Some(thread);
        self
    }

    /// A fault about an address.
    pub(super) fn of_address(
        launch: &Launch,
        global: &GlobalMemory,
        bad: BadAddress,
        (pc, block, warp): (u32, [u32; 3], usize),
    ) -> Box<Fault> {
        let BadAddress { lane, address, space, bytes, reason } = bad;
        let kernel = launch.kernel();
        let of = |what: &str, size: u32| format!("{what} has {size} bytes");
        let (kind, hint) = match reason {
            BadReason::Misaligned => {
                (FaultKind::Misaligned, format!("it must be a multiple of {bytes}"))
            }
            BadReason::ReadOnly => (FaultKind::ReadOnly, format!("{space} memory is read-only")),
            BadReason::NotATexture => (
                FaultKind::NotATexture,
                "bind the .texref with [textures.NAME], or pass { texture = \"NAME\" }".into(),
            ),
            BadReason::OutOfRange => (
                FaultKind::OutOfRange,
                match space {
                    Space::Shared => of("shared memory of this block", launch.shared_bytes()),
                    Space::Local => of("local memory of this thread", kernel.local_bytes),
                    Space::Param => of("parameter space", kernel.param_bytes),
                    Space::Const => {
                        of("constant memory", launch.module().image.constant.len() as u32)
                    }
                    _ => global.describe(address),
                },
            ),
        };
        let mut fault = Fault::new(launch, kind, pc, block, hint);
        fault.thread = Some(launch.thread_index(warp as u32 * 32 + lane as u32));
        if kind != FaultKind::NotATexture {
            fault.address = Some((address, space, bytes));
        }
        fault
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            FaultKind::OutOfRange => "out-of-range access",
            FaultKind::Misaligned => "misaligned access",
            FaultKind::ReadOnly => "store to read-only memory",
            FaultKind::NotATexture => "no texture is bound",
            FaultKind::BadBarrier => "bad barrier",
            FaultKind::Deadlock => "barrier that can never complete",
            FaultKind::Trap => "trap",
            FaultKind::Runaway => "instruction limit reached",
        };
        writeln!(f, "{}:{}: {what} in kernel `{}`", self.file, self.line, self.kernel)?;
        writeln!(f, "  instruction: {} (pc {})", self.text, self.pc)?;
        write!(f, "  block {:?}", self.block)?;
        if let Some(thread) = self.thread {
            write!(f, ", thread {thread:?}")?;
        }
        if let Some((address, space, bytes)) = self.address {
            write!(f, ", {bytes} bytes at {space} address {address:#x}")?;
        }
        write!(f, "\n  hint: {}", self.hint)
    }
}

impl std::error::Error for Fault {}
