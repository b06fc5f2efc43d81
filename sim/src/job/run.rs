//! Running a job: its steps in order on one global memory, then its expectations.

use super::buffer;
use super::compare::{differences, Failure};
use super::engine::{Engine, Functional, Order, Stop};
use super::error::JobError;
use super::expr::Variables;
use super::load::Job;
use super::record::{KernelRecord, Record};
use super::schema::{ArgSpec, Extent, Number, SetSpec, StepSpec};
use super::validate::{kind, StepKind};
use crate::exec::{GlobalMemory, Launch, SAMPLER_HANDLE, TEXTURE_HANDLE};
use serde::Serialize;

/// Limits of a run.
#[derive(Debug, Clone, Copy)]
pub struct RunOptions {
    /// The most warp instructions of the whole job.
    pub max_instructions: u64,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions { max_instructions: 10_000_000_000 }
    }
}

/// How a run came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// Every step was run.
    Complete,
    /// The cycle limit was reached; expectations were not checked.
    MaxCycles,
    /// The user asked to stop; expectations were not checked.
    Interrupted,
}

/// What a job did.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Expectations that do not hold.
    pub failures: Vec<Failure>,
    /// What was executed, by kernel.
    pub record: Record,
    buffers: Vec<(String, Vec<u8>)>,
}

impl Outcome {
    /// Whether every step was run and every expectation holds.
    pub fn passed(&self) -> bool {
        self.record.passed
    }

    /// What a buffer holds after the last step.
    pub fn buffer(&self, name: &str) -> Option<&[u8]> {
        self.buffers.iter().find(|b| b.0 == name).map(|b| b.1.as_slice())
    }
}

/// How often `until_zero` runs its steps when the job does not say.
const DEFAULT_ITERATIONS: i64 = 10_000;

/// Why the steps of a job were left.
enum Leave {
    Error(JobError),
    Early(Ended),
}

impl From<JobError> for Leave {
    fn from(error: JobError) -> Self {
        Leave::Error(error)
    }
}

struct Runner<'a> {
    job: &'a Job,
    engine: &'a mut dyn Engine,
    memory: GlobalMemory,
    /// Address of each buffer.
    addresses: Vec<u64>,
    variables: Variables,
    left: u64,
    kernels: Vec<KernelRecord>,
}

impl Job {
    /// Runs every step without timing and checks every expectation.
    pub fn run(&self, options: &RunOptions) -> Result<Outcome, JobError> {
        self.run_on(&mut Functional, options)
    }

    /// Runs every step on an engine and checks every expectation.
    pub fn run_on(
        &self,
        engine: &mut dyn Engine,
        options: &RunOptions,
    ) -> Result<Outcome, JobError> {
        let mut memory = GlobalMemory::new(&self.module.image.global);
        let mut addresses = Vec::new();
        for buffer in &self.buffers {
            let len = buffer.bytes.len() as u64;
            let address = memory.allocate(&buffer.name, len);
            if let Some(bytes) = memory.slice_mut(address, len) {
                bytes.copy_from_slice(&buffer.bytes);
            }
            addresses.push(address);
        }
        let mut runner = Runner {
            job: self,
            engine,
            memory,
            addresses,
            variables: self.variables.clone(),
            left: options.max_instructions,
            kernels: Vec::new(),
        };
        let ended = match runner.steps("steps", &self.steps) {
            Ok(()) => Ended::Complete,
            Err(Leave::Early(ended)) => ended,
            Err(Leave::Error(error)) => return Err(error),
        };
        let failures = if ended == Ended::Complete { runner.check()? } else { vec![] };
        let buffers = (0..self.buffers.len())
            .map(|at| (self.buffers[at].name.clone(), runner.bytes(at).to_vec()))
            .collect();
        let timing = runner.engine.timing();
        let record = Record::new(self, &runner.kernels, &failures, ended, timing);
        Ok(Outcome { failures, record, buffers })
    }
}

impl Runner<'_> {
    fn bytes(&self, buffer: usize) -> &[u8] {
        let len = self.job.buffers[buffer].bytes.len() as u64;
        self.memory.slice(self.addresses[buffer], len).unwrap_or(&[])
    }

    fn bytes_mut(&mut self, buffer: usize) -> &mut [u8] {
        let len = self.job.buffers[buffer].bytes.len() as u64;
        self.memory.slice_mut(self.addresses[buffer], len).unwrap_or(&mut [])
    }

    fn fail(&self, key: &str, message: impl std::fmt::Display) -> JobError {
        JobError::key(&self.job.file, key, message)
    }

    fn int(&self, key: &str, number: &Number) -> Result<i64, JobError> {
        number.0.int(&self.variables).map_err(|e| self.fail(key, e))
    }

    /// A number that must be from 0 to `u32::MAX`.
    fn unsigned(&self, key: &str, number: &Number) -> Result<u32, JobError> {
        let value = self.int(key, number)?;
        u32::try_from(value).map_err(|_| self.fail(key, format_args!("{value} is out of range")))
    }

    fn steps(&mut self, path: &str, steps: &[StepSpec]) -> Result<(), Leave> {
        for (n, step) in steps.iter().enumerate() {
            let key = format!("{path}[{n}]");
            let inner = step.steps.as_deref().unwrap_or(&[]);
            match kind(step).map_err(|e| self.fail(&key, e))? {
                StepKind::Launch => self.launch(&key, step)?,
                StepKind::Swap => self.swap(&key, step)?,
                StepKind::Set => {
                    if let Some(set) = &step.set {
                        self.set(&key, set)?;
                    }
                }
                StepKind::Repeat => self.repeat(&key, step, inner)?,
                StepKind::UntilZero => self.until_zero(&key, step, inner)?,
            }
        }
        Ok(())
    }

    fn swap(&mut self, key: &str, step: &StepSpec) -> Result<(), JobError> {
        let Some((a, b)) = &step.swap else {
            return Ok(());
        };
        let (a, b) = (self.job.buffer_index(key, a)?, self.job.buffer_index(key, b)?);
        let kept = self.bytes(a).to_vec();
        let other = self.bytes(b).to_vec();
        self.bytes_mut(a).copy_from_slice(&other);
        self.bytes_mut(b).copy_from_slice(&kept);
        Ok(())
    }

    fn set(&mut self, key: &str, set: &SetSpec) -> Result<(), JobError> {
        let at = self.job.buffer_index(key, &set.buffer)?;
        let ty = self.job.buffers[at].ty;
        let value = ty.encode(&set.value.0, &self.variables).map_err(|e| self.fail(key, e))?;
        let len = self.job.buffers[at].len();
        let range = match &set.index {
            None => 0..len,
            Some(index) => {
                let index = self.int(key, index)?;
                let inside = usize::try_from(index).ok().filter(|&index| index < len);
                let message = format!("index {index} is outside the {len} elements");
                let index = inside.ok_or_else(|| self.fail(key, message))?;
                index..index + 1
            }
        };
        for element in
            self.bytes_mut(at).chunks_exact_mut(ty.bytes()).take(range.end).skip(range.start)
        {
            element.copy_from_slice(&value);
        }
        Ok(())
    }

    fn repeat(&mut self, key: &str, step: &StepSpec, inner: &[StepSpec]) -> Result<(), Leave> {
        let Some(count) = &step.repeat else {
            return Ok(());
        };
        let count = self.int(key, count)?;
        let depth = self.variables.len();
        for i in 0..count {
            self.variables.truncate(depth);
            self.variables.extend(step.index.iter().map(|name| (name.clone(), i)));
            self.steps(&format!("{key}.steps"), inner)?;
        }
        self.variables.truncate(depth);
        Ok(())
    }

    fn until_zero(&mut self, key: &str, step: &StepSpec, inner: &[StepSpec]) -> Result<(), Leave> {
        let Some(flag) = &step.until_zero else {
            return Ok(());
        };
        let flag_at = self.job.buffer_index(key, flag)?;
        let most = match &step.max_iterations {
            Some(number) => self.int(key, number)?,
            None => DEFAULT_ITERATIONS,
        };
        for _ in 0..most {
            self.steps(&format!("{key}.steps"), inner)?;
            if self.bytes(flag_at).iter().all(|&byte| byte == 0) {
                return Ok(());
            }
        }
        let message = format!("`{flag}` is still not zero after {most} iterations");
        Err(self
            .fail(key, format_args!("{message}; raise `max_iterations` if that is right"))
            .into())
    }

    fn extent(&self, key: &str, extent: Option<&Extent>) -> Result<[u32; 3], JobError> {
        let mut out = [1; 3];
        match extent {
            None => {}
            Some(Extent::One(number)) => out[0] = self.unsigned(key, number)?,
            Some(Extent::Many(numbers)) => {
                for (out, number) in out.iter_mut().zip(numbers) {
                    *out = self.unsigned(key, number)?;
                }
            }
        }
        Ok(out)
    }

    fn launch(&mut self, key: &str, step: &StepSpec) -> Result<(), Leave> {
        let name = step.kernel.as_deref().unwrap_or_default();
        let grid = self.extent(&format!("{key}.grid"), step.grid.as_ref())?;
        let block = self.extent(&format!("{key}.block"), step.block.as_ref())?;
        let bad = |e| self.fail(key, e);
        let mut launch = Launch::new(&self.job.module, name, grid, block).map_err(bad)?;
        let mut shared = match &step.shared_bytes {
            Some(bytes) => self.unsigned(&format!("{key}.shared_bytes"), bytes)?,
            None => 0,
        };
        for (n, arg) in step.args.as_deref().unwrap_or(&[]).iter().enumerate() {
            let key = format!("{key}.args[{n}]");
            let size = launch.kernel().params[n].bytes as usize;
            let bytes = self.argument(&key, arg, size, &launch, &mut shared)?;
            launch.set_param(n, &bytes).map_err(|e| self.fail(&key, e))?;
        }
        launch.set_dynamic_shared(shared).map_err(bad)?;
        for texture in &self.job.textures {
            let mut view = texture.texture.clone();
            view.address = self.addresses[texture.buffer];
            launch.textures.push(view);
        }
        for (binding, (name, _)) in
            launch.references.iter_mut().zip(&self.job.module.image.references)
        {
            let at = self.job.textures.iter().position(|t| t.symbol == *name);
            *binding = at.map(|at| at as u32);
        }
        let registers = match &step.registers {
            Some(number) => {
                let key = format!("{key}.registers");
                match self.unsigned(&key, number)? {
                    0 => return Err(self.fail(&key, "a thread takes at least 1").into()),
                    registers => Some(registers),
                }
            }
            None => None,
        };
        let timed = step.timed.unwrap_or(true);
        let order = Order { registers, timed, max_instructions: self.left };
        let mut record = KernelRecord::new(&launch);
        let (counts, ended) = match self.engine.launch(launch, &mut self.memory, &order) {
            Ok(counts) => (counts, Ended::Complete),
            Err(Stop::MaxCycles(counts)) => (counts, Ended::MaxCycles),
            Err(Stop::Interrupted(counts)) => (counts, Ended::Interrupted),
            Err(Stop::Fault(fault)) => return Err(Leave::Error(fault.into())),
            Err(Stop::Unfit(message)) => return Err(self.fail(key, message).into()),
        };
        self.left = self.left.saturating_sub(counts.warp_instructions);
        record.count(counts);
        KernelRecord::add(&mut self.kernels, record);
        match ended {
            Ended::Complete => Ok(()),
            ended => Err(Leave::Early(ended)),
        }
    }

    fn argument(
        &self,
        key: &str,
        arg: &ArgSpec,
        size: usize,
        launch: &Launch,
        shared: &mut u32,
    ) -> Result<Vec<u8>, JobError> {
        // An address is as wide as its parameter; the layout fits 32 bits.
        let address = |value: u64| value.to_le_bytes()[..size.clamp(4, 8)].to_vec();
        if let Some((ty, number)) = arg.scalars().next() {
            return ty.encode(&number.0, &self.variables).map_err(|e| self.fail(key, e));
        }
        if let Some(name) = &arg.buffer {
            let at = self.job.buffer_index(key, name)?;
            let offset = match &arg.offset {
                Some(offset) => self.int(key, offset)?,
                None => 0,
            };
            let bytes = offset.wrapping_mul(self.job.buffers[at].ty.bytes() as i64);
            return Ok(address(self.addresses[at].wrapping_add_signed(bytes)));
        }
        if let Some(number) = &arg.local_bytes {
            let bytes = self.unsigned(key, number)?;
            let start = u64::from(*shared).next_multiple_of(16);
            let base = u64::from(launch.kernel().dynamic_shared_base);
            *shared = u32::try_from(start + u64::from(bytes))
                .map_err(|_| self.fail(key, "shared memory is full"))?;
            return Ok(address(base + start));
        }
        if let Some(name) = &arg.texture {
            return Ok(address(TEXTURE_HANDLE + self.job.texture_index(key, name)? as u64));
        }
        if let Some(name) = &arg.sampler {
            return Ok(address(SAMPLER_HANDLE + self.job.texture_index(key, name)? as u64));
        }
        Ok(arg.bytes.clone().unwrap_or_default())
    }

    fn check(&self) -> Result<Vec<Failure>, JobError> {
        let mut failures = Vec::new();
        for (n, expect) in self.job.expect.iter().enumerate() {
            let key = format!("expect[{n}]");
            let at = self.job.buffer_index(&key, &expect.buffer)?;
            let ty = expect.ty.unwrap_or(self.job.buffers[at].ty);
            let mut got = self.bytes(at);
            if let Some(len) = &expect.len {
                let len = self.unsigned(&key, len)? as usize;
                got = &got[..len * ty.bytes()];
            }
            let file;
            let (want, expected) = match (&expect.equals, &expect.file) {
                (Some(other), _) => {
                    (self.bytes(self.job.buffer_index(&key, other)?), format!("`{other}`"))
                }
                (None, name) => {
                    let name = name.as_deref().unwrap_or_default();
                    file = buffer::read(&self.job.directory, name, ty)
                        .map_err(|e| self.fail(&key, e))?;
                    (file.as_slice(), name.to_string())
                }
            };
            let whole = expect.len.is_none() && want.len() != got.len();
            if whole || want.len() < got.len() {
                let (have, want) = (got.len() / ty.bytes(), want.len() / ty.bytes());
                let message = format!("{have} elements to compare with {want} of {expected}");
                return Err(self.fail(&key, message));
            }
            let tolerance = (expect.abs, expect.rel);
            if let Some((index, seen, wanted, differing)) = differences(ty, got, want, tolerance) {
                failures.push(Failure {
                    buffer: expect.buffer.clone(),
                    expected,
                    index,
                    got: seen,
                    want: wanted,
                    differing,
                    compared: got.len() / ty.bytes(),
                });
            }
        }
        Ok(failures)
    }
}
