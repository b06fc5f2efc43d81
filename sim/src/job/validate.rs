//! Everything about a job that can be checked without running it: kinds of steps, names, arguments.

use super::error::JobError;
use super::expr::{unknown, Variables};
use super::load::Job;
use super::nearest::hint;
use super::schema::{ArgSpec, Extent, Number, StepSpec};

/// What a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StepKind {
    Launch,
    Swap,
    Set,
    Repeat,
    UntilZero,
}

/// The kind of a step that has exactly one, with no key of another kind.
pub(super) fn kind(step: &StepSpec) -> Result<StepKind, String> {
    let kinds = [
        ("kernel", StepKind::Launch, step.kernel.is_some()),
        ("swap", StepKind::Swap, step.swap.is_some()),
        ("set", StepKind::Set, step.set.is_some()),
        ("repeat", StepKind::Repeat, step.repeat.is_some()),
        ("until_zero", StepKind::UntilZero, step.until_zero.is_some()),
    ];
    let mut found = kinds.iter().filter(|k| k.2);
    let Some(&(name, kind, _)) = found.next() else {
        return Err("a step needs one of kernel, swap, set, repeat or until_zero".into());
    };
    if let Some((other, ..)) = found.next() {
        return Err(format!(
            "`{name}` and `{other}` are two steps; write them one after the other"
        ));
    }
    let launch = kind == StepKind::Launch;
    let looped = matches!(kind, StepKind::Repeat | StepKind::UntilZero);
    let keys = [
        ("grid", step.grid.is_some(), launch),
        ("block", step.block.is_some(), launch),
        ("args", step.args.is_some(), launch),
        ("shared_bytes", step.shared_bytes.is_some(), launch),
        ("registers", step.registers.is_some(), launch),
        ("timed", step.timed.is_some(), launch),
        ("index", step.index.is_some(), kind == StepKind::Repeat),
        ("max_iterations", step.max_iterations.is_some(), kind == StepKind::UntilZero),
        ("steps", step.steps.is_some(), looped),
    ];
    for (key, given, allowed) in keys {
        if given && !allowed {
            return Err(format!("`{key}` does not belong to a `{name}` step"));
        }
        let needed = matches!(key, "grid" | "block" | "steps");
        if allowed && needed && !given {
            return Err(format!("`{key}` is missing"));
        }
    }
    Ok(kind)
}

/// Checks a loaded job.
pub(super) fn validate(job: &Job) -> Result<(), JobError> {
    steps(job, "steps", &job.steps, &mut job.variables.clone(), 0)?;
    for (n, expect) in job.expect.iter().enumerate() {
        let key = format!("expect[{n}]");
        let fail = |message: String| JobError::key(&job.file, &key, message);
        let buffer = &job.buffers[job.buffer_index(&key, &expect.buffer)?];
        match (&expect.equals, &expect.file) {
            (Some(other), None) => {
                job.buffer_index(&key, other)?;
            }
            (None, Some(_)) => {}
            _ => return Err(fail("give either `equals` or `file`".into())),
        }
        let positive = |tolerance: f64| tolerance >= 0.0 && tolerance.is_finite();
        if !positive(expect.abs) || !positive(expect.rel) {
            return Err(fail("`abs` and `rel` cannot be negative".into()));
        }
        let ty = expect.ty.unwrap_or(buffer.ty);
        if buffer.bytes.len() % ty.bytes() != 0 {
            return Err(fail(format!(
                "the buffer is not a whole number of {} elements",
                ty.name()
            )));
        }
        if let Some(len) = &expect.len {
            let len = len.0.int(&job.variables).map_err(fail)?;
            let have = buffer.bytes.len() / ty.bytes();
            if usize::try_from(len).map_or(true, |len| len > have) {
                return Err(fail(format!("`len` is {len}, the buffer has {have} elements")));
            }
        }
    }
    for (n, output) in job.outputs.iter().enumerate() {
        let key = format!("outputs[{n}]");
        job.buffer_index(&key, &output.buffer)?;
        let plain = !output.file.is_empty() && !output.file.contains(['/', '\\']);
        if !plain || output.file.starts_with('.') || output.file == "record.json" {
            let message = format!("`{}` is not a plain file name", output.file);
            return Err(JobError::key(&job.file, &key, message));
        }
    }
    Ok(())
}

/// Loops nested deeper than anybody writes.
const DEEPEST: u32 = 8;

fn steps(
    job: &Job,
    path: &str,
    list: &[StepSpec],
    variables: &mut Variables,
    depth: u32,
) -> Result<(), JobError> {
    for (n, step) in list.iter().enumerate() {
        let key = format!("{path}[{n}]");
        let fail = |message: String| JobError::key(&job.file, &key, message);
        if depth > DEEPEST {
            return Err(fail("loops are nested too deeply".into()));
        }
        kind(step).map_err(fail)?;
        if let Some(kernel) = &step.kernel {
            launch(job, &key, kernel, step, variables)?;
        }
        if let Some((a, b)) = &step.swap {
            let (a, b) = (job.buffer_index(&key, a)?, job.buffer_index(&key, b)?);
            let (a, b) = (&job.buffers[a], &job.buffers[b]);
            if a.ty != b.ty || a.bytes.len() != b.bytes.len() {
                return Err(fail("`swap` needs two buffers of the same type and length".into()));
            }
        }
        if let Some(set) = &step.set {
            job.buffer_index(&key, &set.buffer)?;
            names(&set.value, variables).map_err(fail)?;
            set.index.iter().try_for_each(|i| names(i, variables)).map_err(fail)?;
        }
        if let Some(flag) = &step.until_zero {
            job.buffer_index(&key, flag)?;
        }
        for number in [&step.repeat, &step.max_iterations].into_iter().flatten() {
            names(number, variables).map_err(fail)?;
        }
        if let Some(inner) = &step.steps {
            let before = variables.len();
            variables.extend(step.index.iter().map(|name| (name.clone(), 0)));
            steps(job, &format!("{key}.steps"), inner, variables, depth + 1)?;
            variables.truncate(before);
        }
    }
    Ok(())
}

fn names(number: &Number, variables: &Variables) -> Result<(), String> {
    let mut used = Vec::new();
    number.0.names(&mut used);
    match used.into_iter().find(|name| !variables.iter().any(|v| v.0 == **name)) {
        Some(name) => Err(unknown(name, variables)),
        None => Ok(()),
    }
}

fn launch(
    job: &Job,
    key: &str,
    kernel: &str,
    step: &StepSpec,
    variables: &Variables,
) -> Result<(), JobError> {
    let fail = |message: String| JobError::key(&job.file, key, message);
    let Some(found) = job.module.kernel(kernel) else {
        let near = hint(kernel, job.module.kernels.iter().map(|k| k.name.as_str()));
        let file = job.module.source.name();
        return Err(fail(format!("{file} has no kernel `{kernel}`{near}")));
    };
    for extent in [&step.grid, &step.block].into_iter().flatten() {
        let numbers = match extent {
            Extent::One(number) => std::slice::from_ref(number),
            Extent::Many(numbers) => numbers.as_slice(),
        };
        if numbers.is_empty() || numbers.len() > 3 {
            return Err(fail("`grid` and `block` have one to three numbers".into()));
        }
        numbers.iter().try_for_each(|n| names(n, variables)).map_err(fail)?;
    }
    let numbers = step.shared_bytes.iter().chain(&step.registers);
    numbers.into_iter().try_for_each(|n| names(n, variables)).map_err(fail)?;
    let args = step.args.as_deref().unwrap_or(&[]);
    if args.len() != found.params.len() {
        let (given, wanted) = (args.len(), found.params.len());
        return Err(fail(format!("`{kernel}` has {wanted} parameters, `args` has {given}")));
    }
    for (n, arg) in args.iter().enumerate() {
        argument(job, &format!("{key}.args[{n}]"), arg, variables)?;
    }
    Ok(())
}

fn argument(job: &Job, key: &str, arg: &ArgSpec, variables: &Variables) -> Result<(), JobError> {
    let fail = |message: String| JobError::key(&job.file, key, message);
    let kinds = usize::from(arg.buffer.is_some())
        + usize::from(arg.texture.is_some())
        + usize::from(arg.sampler.is_some())
        + usize::from(arg.local_bytes.is_some())
        + usize::from(arg.bytes.is_some())
        + arg.scalars().count();
    if kinds != 1 {
        return Err(fail(format!("an argument is one thing, this has {kinds}")));
    }
    if arg.offset.is_some() && arg.buffer.is_none() {
        return Err(fail("`offset` belongs to a `buffer`".into()));
    }
    arg.buffer.iter().try_for_each(|name| job.buffer_index(key, name).map(|_| ()))?;
    let texture = [&arg.texture, &arg.sampler].into_iter().flatten().next();
    texture.iter().try_for_each(|name| job.texture_index(key, name).map(|_| ()))?;
    let numbers = [&arg.offset, &arg.local_bytes].into_iter().flatten();
    let numbers = numbers.chain(arg.scalars().map(|s| s.1));
    numbers.into_iter().try_for_each(|n| names(n, variables)).map_err(fail)
}
