//! Loading a job: sizes chosen, variables computed, buffers filled, PTX loaded, names checked.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::buffer::{self, Buffer, MOST_BYTES};
use super::error::JobError;
use super::expr::Variables;
use super::nearest::hint;
use super::schema::{
    self, AddressSpec, ExpectSpec, FilterSpec, JobFile, OutputSpec, StepSpec, TextureSpec,
};
use super::{validate, ElementType};
use crate::exec::{Addressing, ChannelType, Filter, Texture};
use crate::ptx::Module;

/// Choices made on the command line.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// Which `[sizes.NAME]`; the job's default when `None`.
    pub size: Option<String>,
    /// Overrides the job's seed.
    pub seed: Option<u64>,
}

/// A job, ready to run.
#[derive(Debug, Clone)]
pub struct Job {
    pub(super) file: String,
    ptx: String,
    pub(super) directory: PathBuf,
    pub(super) module: Arc<Module>,
    pub(super) size: Option<String>,
    pub(super) seed: u64,
    pub(super) variables: Variables,
    pub(super) buffers: Vec<Buffer>,
    /// Textures, without the address of their buffer, which each run gives them.
    pub(super) textures: Vec<JobTexture>,
    pub(super) steps: Vec<StepSpec>,
    pub(super) expect: Vec<ExpectSpec>,
    pub(super) outputs: Vec<OutputSpec>,
}

/// A texture before its buffer has an address.
#[derive(Debug, Clone)]
pub(super) struct JobTexture {
    pub name: String,
    /// The `.texref` or `.samplerref` it is bound to.
    pub symbol: String,
    /// Index of its buffer.
    pub buffer: usize,
    pub texture: Texture,
}

impl Job {
    /// Loads a job file and the files it names.
    pub fn load(path: &Path, options: &LoadOptions) -> Result<Job, JobError> {
        let shown = path.display().to_string();
        let text =
            std::fs::read_to_string(path).map_err(|e| JobError::Input(format!("{shown}: {e}")))?;
        let directory = path.parent().unwrap_or(Path::new("")).to_path_buf();
        let file = schema::parse(&shown, &text)?;
        let ptx = directory.join(&file.ptx);
        let name = ptx.display().to_string();
        let text = std::fs::read_to_string(&ptx)
            .map_err(|e| JobError::key(&shown, "ptx", format_args!("{name}: {e}")))?;
        Job::build(&shown, file, &directory, Module::load(&name, &text)?, options)
    }

    /// Loads a job from text, with PTX from text; `directory` is where other files are found.
    pub fn from_text(
        job: &str,
        ptx: &str,
        directory: &Path,
        options: &LoadOptions,
    ) -> Result<Job, JobError> {
        let file = schema::parse("job", job)?;
        let module = Module::load(&file.ptx, ptx)?;
        Job::build("job", file, directory, module, options)
    }

    fn build(
        name: &str,
        file: JobFile,
        directory: &Path,
        module: Module,
        options: &LoadOptions,
    ) -> Result<Job, JobError> {
        let (size, mut variables) = choose_size(name, &file, options)?;
        for (key, number) in &file.derived.0 {
            let value = number.0.int(&variables);
            let value = value.map_err(|e| JobError::key(name, &format!("let.{key}"), e))?;
            variables.push((key.clone(), value));
        }
        let seed = options.seed.unwrap_or(file.seed);
        let mut buffers = Vec::new();
        let mut total = 0;
        for (key, spec) in &file.buffers.0 {
            let built = buffer::build(key, spec, &variables, seed, directory)
                .map_err(|(field, e)| JobError::key(name, &format!("buffers.{key}.{field}"), e))?;
            total += built.bytes.len() as u64;
            if total > MOST_BYTES {
                let key = format!("buffers.{key}");
                return Err(JobError::key(name, &key, "all buffers together exceed 1 GiB"));
            }
            buffers.push(built);
        }
        let mut textures = Vec::new();
        for (key, spec) in &file.textures.0 {
            let texture = texture(key, spec, &buffers, &variables)
                .map_err(|(field, e)| JobError::key(name, &format!("textures.{key}.{field}"), e))?;
            textures.push(texture);
        }
        let job = Job {
            file: name.into(),
            ptx: file.ptx,
            directory: directory.to_path_buf(),
            module: Arc::new(module),
            size,
            seed,
            variables,
            buffers,
            textures,
            steps: file.steps,
            expect: file.expect,
            outputs: file.outputs,
        };
        validate::validate(&job)?;
        Ok(job)
    }

    /// The size that was chosen, when the job has sizes.
    pub fn size(&self) -> Option<&str> {
        self.size.as_deref()
    }

    /// The PTX file as the job names it.
    pub fn ptx(&self) -> &str {
        &self.ptx
    }

    /// The PTX.
    pub fn module(&self) -> &Arc<Module> {
        &self.module
    }

    /// A variable of the size or of `[let]`.
    pub fn variable(&self, name: &str) -> Option<i64> {
        self.variables.iter().rev().find(|v| v.0 == name).map(|v| v.1)
    }

    /// Every variable, in order.
    pub fn variables(&self) -> impl Iterator<Item = (&str, i64)> {
        self.variables.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// The buffers as they are before the first step.
    pub fn buffers(&self) -> &[Buffer] {
        &self.buffers
    }

    /// The buffer of this name before the first step.
    pub fn buffer(&self, name: &str) -> Option<&Buffer> {
        self.buffers.iter().find(|b| b.name == name)
    }

    /// Replaces what a buffer holds before the first step; `false` when there is none of that name and size.
    pub fn set_buffer(&mut self, name: &str, bytes: &[u8]) -> bool {
        let found = self.buffers.iter_mut().find(|b| b.name == name);
        match found {
            Some(buffer) if buffer.bytes.len() == bytes.len() => {
                buffer.bytes.copy_from_slice(bytes);
                true
            }
            _ => false,
        }
    }

    /// The index of a buffer, or an error that names the nearest.
    pub(super) fn buffer_index(&self, key: &str, name: &str) -> Result<usize, JobError> {
        self.buffers.iter().position(|b| b.name == name).ok_or_else(|| {
            let near = hint(name, self.buffers.iter().map(|b| b.name.as_str()));
            JobError::key(&self.file, key, format_args!("there is no buffer `{name}`{near}"))
        })
    }

    /// The index of a texture, or an error that names the nearest.
    pub(super) fn texture_index(&self, key: &str, name: &str) -> Result<usize, JobError> {
        self.textures.iter().position(|t| t.name == name).ok_or_else(|| {
            let near = hint(name, self.textures.iter().map(|t| t.name.as_str()));
            JobError::key(&self.file, key, format_args!("there is no texture `{name}`{near}"))
        })
    }
}

/// The chosen size and its variables; every size must define the same.
fn choose_size(
    name: &str,
    file: &JobFile,
    options: &LoadOptions,
) -> Result<(Option<String>, Variables), JobError> {
    let sizes = &file.sizes.0;
    if sizes.is_empty() {
        return match &options.size {
            None => Ok((None, Vec::new())),
            Some(size) => {
                let message = format_args!("`{size}` was asked for, but the job has no [sizes]");
                Err(JobError::key(name, "--size", message))
            }
        };
    }
    for (size, values) in &sizes[1..] {
        let names = |values: &schema::Ordered<schema::Number>| {
            let mut names: Vec<_> = values.0.iter().map(|v| v.0.clone()).collect();
            names.sort();
            names
        };
        if names(values) != names(&sizes[0].1) {
            let message = format!("defines other variables than [sizes.{}]", sizes[0].0);
            return Err(JobError::key(name, &format!("sizes.{size}"), message));
        }
    }
    let wanted = options.size.as_ref().or(file.default_size.as_ref());
    let wanted = wanted.map_or("default", String::as_str);
    let Some((chosen, values)) = sizes.iter().find(|s| s.0 == wanted) else {
        let known: Vec<_> = sizes.iter().map(|s| s.0.as_str()).collect();
        let near = hint(wanted, known.iter().copied());
        let message =
            format!("there is no size `{wanted}`{near} The job has: {}", known.join(", "));
        return Err(JobError::key(name, "sizes", message));
    };
    let mut variables = Vec::new();
    for (key, number) in &values.0 {
        let value = number.0.int(&variables);
        let value = value.map_err(|e| JobError::key(name, &format!("sizes.{chosen}.{key}"), e))?;
        variables.push((key.clone(), value));
    }
    Ok((Some(chosen.clone()), variables))
}

fn texture(
    name: &str,
    spec: &TextureSpec,
    buffers: &[Buffer],
    variables: &Variables,
) -> Result<JobTexture, (&'static str, String)> {
    let Some(at) = buffers.iter().position(|b| b.name == spec.buffer) else {
        let near = hint(&spec.buffer, buffers.iter().map(|b| b.name.as_str()));
        return Err(("buffer", format!("there is no buffer `{}`{near}", spec.buffer)));
    };
    let buffer = &buffers[at];
    let channel = match spec.ty.unwrap_or(buffer.ty) {
        ElementType::U8 => ChannelType::U8,
        ElementType::S8 => ChannelType::S8,
        ElementType::U16 => ChannelType::U16,
        ElementType::S16 => ChannelType::S16,
        ElementType::U32 => ChannelType::U32,
        ElementType::S32 => ChannelType::S32,
        ElementType::F32 => ChannelType::F32,
        other => return Err(("type", format!("a texture cannot hold {}", other.name()))),
    };
    let channels = spec.channels.unwrap_or(1);
    if ![1, 2, 4].contains(&channels) {
        return Err(("channels", format!("{channels}; it is 1, 2 or 4")));
    }
    let extent = |number: &schema::Number| {
        let value = number.0.int(variables)?;
        u32::try_from(value)
            .ok()
            .filter(|&v| v > 0)
            .ok_or_else(|| format!("{value} texels; at least 1 is needed"))
    };
    let width = extent(&spec.width).map_err(|e| ("width", e))?;
    let height = spec.height.as_ref().map_or(Ok(1), extent).map_err(|e| ("height", e))?;
    let needed = u64::from(width) * u64::from(height) * u64::from(channels) * channel.bytes();
    if needed > buffer.bytes.len() as u64 {
        let have = buffer.bytes.len();
        return Err(("width", format!("{needed} bytes of texels, but the buffer has {have}")));
    }
    let small = channel.bytes() < 4;
    if spec.read_as_float && !small {
        return Err(("read_as_float", "only 8- and 16-bit integers can be read as floats".into()));
    }
    let float = channel == ChannelType::F32 || spec.read_as_float;
    if spec.filter == FilterSpec::Linear && !float {
        return Err(("filter", "integers cannot be interpolated; see `read_as_float`".into()));
    }
    if spec.address == AddressSpec::Wrap && !spec.normalized {
        return Err(("address", "`wrap` needs `normalized = true`".into()));
    }
    Ok(JobTexture {
        name: name.into(),
        symbol: spec.symbol.clone().unwrap_or_else(|| name.into()),
        buffer: at,
        texture: Texture {
            address: 0,
            width,
            height,
            channel,
            channels,
            filter: match spec.filter {
                FilterSpec::Nearest => Filter::Nearest,
                FilterSpec::Linear => Filter::Linear,
            },
            addressing: match spec.address {
                AddressSpec::Clamp => Addressing::Clamp,
                AddressSpec::Wrap => Addressing::Wrap,
            },
            normalized: spec.normalized,
            read_as_float: spec.read_as_float,
        },
    })
}
