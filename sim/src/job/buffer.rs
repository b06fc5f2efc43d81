//! Buffers: what they hold before the first step.

use std::path::Path;

use super::element::ElementType;
use super::expr::Variables;
use super::random::Random;
use super::schema::BufferSpec;

/// A named piece of global memory and its contents.
#[derive(Debug, Clone, PartialEq)]
pub struct Buffer {
    /// Its name in the job.
    pub name: String,
    /// Type of its elements.
    pub ty: ElementType,
    /// Its contents, little-endian.
    pub bytes: Vec<u8>,
}

/// All buffers of a job together may have this many bytes, so that a typo does not take all memory.
pub(super) const MOST_BYTES: u64 = 1 << 30;

impl Buffer {
    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.ty.bytes()
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

/// Makes the contents a job asks for; an error names the key.
pub(super) fn build(
    name: &str,
    spec: &BufferSpec,
    variables: &Variables,
    seed: u64,
    directory: &Path,
) -> Result<Buffer, (&'static str, String)> {
    let ty = spec.ty;
    let given = [
        ("file", spec.file.is_some()),
        ("values", spec.values.is_some()),
        ("fill", spec.fill.is_some()),
        ("ramp", spec.ramp.is_some()),
        ("random", spec.random.is_some()),
    ];
    let mut given = given.into_iter().filter(|g| g.1).map(|g| g.0);
    if let (Some(first), Some(second)) = (given.next(), given.next()) {
        return Err((second, format!("`{first}` is given too; choose one")));
    }
    let len = match &spec.len {
        Some(number) => {
            let len = number.0.int(variables).map_err(|e| ("len", e))?;
            let fits = u64::try_from(len).ok().filter(|len| {
                len.checked_mul(ty.bytes() as u64).is_some_and(|bytes| bytes <= MOST_BYTES)
            });
            let len =
                fits.ok_or_else(|| ("len", format!("{len} elements; 0 to 1 GiB can be had")))?;
            Some(len as usize)
        }
        None => None,
    };
    let bytes = contents(name, spec, len, variables, seed, directory)?;
    Ok(Buffer { name: name.into(), ty, bytes })
}

fn contents(
    name: &str,
    spec: &BufferSpec,
    len: Option<usize>,
    variables: &Variables,
    seed: u64,
    directory: &Path,
) -> Result<Vec<u8>, (&'static str, String)> {
    let ty = spec.ty;
    let check = |bytes: Vec<u8>, key| match len {
        Some(len) if bytes.len() != len * ty.bytes() => {
            let wanted = len * ty.bytes();
            Err((key, format!("{} bytes, but `len` asks for {wanted}", bytes.len())))
        }
        _ => Ok(bytes),
    };
    if let Some(file) = &spec.file {
        let bytes = read(directory, file, ty).map_err(|e| ("file", e))?;
        return check(bytes, "file");
    }
    if let Some(values) = &spec.values {
        let mut bytes = Vec::new();
        for value in values {
            bytes.extend(ty.encode(&value.0, variables).map_err(|e| ("values", e))?);
        }
        return check(bytes, "values");
    }
    let Some(len) = len else {
        return Err(("len", "is missing".into()));
    };
    if let Some(fill) = &spec.fill {
        let element = ty.encode(&fill.0, variables).map_err(|e| ("fill", e))?;
        return Ok(element.repeat(len));
    }
    if let Some(ramp) = &spec.ramp {
        return self::ramp(ty, len, ramp, variables).map_err(|e| ("ramp", e));
    }
    if let Some(random) = &spec.random {
        let mut source = Random::new(seed, name);
        return self::random(ty, len, random, variables, &mut source).map_err(|e| ("random", e));
    }
    Ok(vec![0; len * ty.bytes()])
}

/// Raw elements from a file beside the job.
pub(super) fn read(directory: &Path, file: &str, ty: ElementType) -> Result<Vec<u8>, String> {
    let path = directory.join(file);
    let shown = path.display();
    let size = std::fs::metadata(&path).map_err(|e| format!("{shown}: {e}"))?.len();
    if size > MOST_BYTES {
        return Err(format!("{shown}: {size} bytes are more than 1 GiB"));
    }
    let bytes = std::fs::read(&path).map_err(|e| format!("{shown}: {e}"))?;
    if bytes.len() % ty.bytes() != 0 {
        let (len, name) = (bytes.len(), ty.name());
        return Err(format!("{shown}: {len} bytes are not a whole number of {name} elements"));
    }
    Ok(bytes)
}

fn ramp(
    ty: ElementType,
    len: usize,
    spec: &super::schema::RampSpec,
    variables: &Variables,
) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(len * ty.bytes());
    if ty.is_float() {
        let (start, step) = (spec.start.0.float(variables)?, spec.step.0.float(variables)?);
        let modulo = spec.modulo.as_ref().map(|m| m.0.float(variables)).transpose()?;
        for i in 0..len {
            let value = start + i as f64 * step;
            ty.push_float(modulo.map_or(value, |m| value.rem_euclid(m)), &mut bytes);
        }
        return Ok(bytes);
    }
    let (start, step) = (spec.start.0.int(variables)?, spec.step.0.int(variables)?);
    let modulo = spec.modulo.as_ref().map(|m| m.0.int(variables)).transpose()?;
    if modulo == Some(0) {
        return Err("`modulo` is zero".into());
    }
    for i in 0..len {
        let value = i128::from(start) + i as i128 * i128::from(step);
        let value = modulo.map_or(value, |m| value.rem_euclid(m.into()));
        ty.push_int(value, &mut bytes).map_err(|e| format!("element {i}: {e}; add `modulo`"))?;
    }
    Ok(bytes)
}

fn random(
    ty: ElementType,
    len: usize,
    spec: &super::schema::RandomSpec,
    variables: &Variables,
    source: &mut Random,
) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(len * ty.bytes());
    if ty.is_float() {
        let (min, max) = (spec.min.0.float(variables)?, spec.max.0.float(variables)?);
        if !(min <= max && (max - min).is_finite()) {
            return Err(format!("`min` {min} and `max` {max} do not make a range"));
        }
        let rounded = |value: f64| {
            if ty == ElementType::F32 {
                f64::from(value as f32)
            } else {
                value
            }
        };
        for _ in 0..len {
            let value = min + (max - min) * source.fraction();
            // Rounding to the type must not reach the open end.
            ty.push_float(if rounded(value) < max { value } else { min }, &mut bytes);
        }
        return Ok(bytes);
    }
    let (min, max) = (spec.min.0.int(variables)?, spec.max.0.int(variables)?);
    if min > max {
        return Err(format!("`min` {min} is above `max` {max}"));
    }
    for _ in 0..len {
        ty.push_int(source.int(min, max).into(), &mut bytes)?;
    }
    Ok(bytes)
}
