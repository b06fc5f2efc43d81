//! The job file as TOML tables; unknown keys are errors that name the nearest valid one.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};

use super::element::ElementType;
use super::expr::Expr;
use super::nearest::nearest;
use crate::ptx::{PtxError, Source};

/// A table whose order matters.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ordered<T>(pub Vec<(String, T)>);

impl<T> Default for Ordered<T> {
    fn default() -> Self {
        Ordered(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Ordered<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = Ordered<T>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a table")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ordered<T>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Ordered(entries))
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

/// A number or a string with an expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Number(pub Expr);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Value;
        impl Visitor<'_> for Value {
            type Value = Number;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a number or an expression in quotes")
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Number, E> {
                Ok(Number(Expr::Int(value)))
            }
            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Number, E> {
                Ok(Number(Expr::Float(value)))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Number, E> {
                Expr::parse(text).map(Number).map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Value)
    }
}

/// One to three numbers.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(untagged)]
pub(super) enum Extent {
    One(Number),
    Many(Vec<Number>),
}

#[derive(Debug, Clone, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JobFile {
    pub ptx: String,
    #[serde(default)]
    pub seed: u64,
    pub default_size: Option<String>,
    #[serde(default)]
    pub sizes: Ordered<Ordered<Number>>,
    #[serde(default, rename = "let")]
    pub derived: Ordered<Number>,
    #[serde(default)]
    pub buffers: Ordered<BufferSpec>,
    #[serde(default)]
    pub textures: Ordered<TextureSpec>,
    pub steps: Vec<StepSpec>,
    #[serde(default)]
    pub expect: Vec<ExpectSpec>,
    #[serde(default)]
    pub outputs: Vec<OutputSpec>,
}

#[derive(Debug, Clone, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BufferSpec {
    #[serde(rename = "type")]
    pub ty: ElementType,
    pub len: Option<Number>,
    pub file: Option<String>,
    pub values: Option<Vec<Number>>,
    pub fill: Option<Number>,
    pub ramp: Option<RampSpec>,
    pub random: Option<RandomSpec>,
}

#[derive(Debug, Clone, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RampSpec {
    pub start: Number,
    pub step: Number,
    pub modulo: Option<Number>,
}

#[derive(Debug, Clone, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RandomSpec {
    pub min: Number,
    pub max: Number,
}

#[derive(Debug, Clone, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TextureSpec {
    pub buffer: String,
    #[serde(rename = "type")]
    pub ty: Option<ElementType>,
    pub channels: Option<u32>,
    pub width: Number,
    pub height: Option<Number>,
    #[serde(default)]
    pub filter: FilterSpec,
    #[serde(default)]
    pub address: AddressSpec,
    #[serde(default)]
    pub normalized: bool,
    #[serde(default)]
    pub read_as_float: bool,
    pub symbol: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum FilterSpec {
    #[default]
    Nearest,
    Linear,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum AddressSpec {
    #[default]
    Clamp,
    Wrap,
}

/// A step as written; [`validate`](super::validate) sees to it that it is exactly one of the kinds.
#[derive(Debug, Clone, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct StepSpec {
    pub kernel: Option<String>,
    pub grid: Option<Extent>,
    pub block: Option<Extent>,
    pub args: Option<Vec<ArgSpec>>,
    pub shared_bytes: Option<Number>,
    pub registers: Option<Number>,
    pub timed: Option<bool>,
    pub swap: Option<(String, String)>,
    pub set: Option<SetSpec>,
    pub repeat: Option<Number>,
    pub index: Option<String>,
    pub until_zero: Option<String>,
    pub max_iterations: Option<Number>,
    pub steps: Option<Vec<StepSpec>>,
}

#[derive(Debug, Clone, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SetSpec {
    pub buffer: String,
    pub index: Option<Number>,
    pub value: Number,
}

/// An argument as written: one of the kinds, or one scalar.
#[derive(Debug, Clone, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ArgSpec {
    pub buffer: Option<String>,
    pub offset: Option<Number>,
    pub texture: Option<String>,
    pub sampler: Option<String>,
    pub local_bytes: Option<Number>,
    pub bytes: Option<Vec<u8>>,
    pub u8: Option<Number>,
    pub s8: Option<Number>,
    pub u16: Option<Number>,
    pub s16: Option<Number>,
    pub u32: Option<Number>,
    pub s32: Option<Number>,
    pub u64: Option<Number>,
    pub s64: Option<Number>,
    pub f32: Option<Number>,
    pub f64: Option<Number>,
}

impl ArgSpec {
    /// The scalars it gives, with their types.
    pub fn scalars(&self) -> impl Iterator<Item = (ElementType, &Number)> {
        let all = [
            (ElementType::U8, &self.u8),
            (ElementType::S8, &self.s8),
            (ElementType::U16, &self.u16),
            (ElementType::S16, &self.s16),
            (ElementType::U32, &self.u32),
            (ElementType::S32, &self.s32),
            (ElementType::U64, &self.u64),
            (ElementType::S64, &self.s64),
            (ElementType::F32, &self.f32),
            (ElementType::F64, &self.f64),
        ];
        all.into_iter().filter_map(|(ty, number)| number.as_ref().map(|number| (ty, number)))
    }
}

#[derive(Debug, Clone, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectSpec {
    pub buffer: String,
    pub equals: Option<String>,
    pub file: Option<String>,
    #[serde(rename = "type")]
    pub ty: Option<ElementType>,
    pub len: Option<Number>,
    #[serde(default)]
    pub abs: f64,
    #[serde(default)]
    pub rel: f64,
}

#[derive(Debug, Clone, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OutputSpec {
    pub buffer: String,
    pub file: String,
}

/// Reads the tables of a job file.
pub(super) fn parse(name: &str, text: &str) -> Result<JobFile, Box<PtxError>> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let span = error.span().unwrap_or(0..0);
        let message = error.message().lines().next().unwrap_or("not a job").to_string();
        let source = Source::new(name, text);
        let shown = Box::new(source.error(span.start, span.len(), message.as_str()));
        match suggestion(&message) {
            Some(near) => {
                shown.with_help(format!("did you mean `{near}`? docs/jobs.md lists all keys"))
            }
            None => shown,
        }
    })
}

/// The nearest of the names serde offers: "unknown field `x`, expected one of `a`, `b`".
fn suggestion(message: &str) -> Option<&str> {
    let unknown = message.starts_with("unknown field") || message.starts_with("unknown variant");
    let mut names = message.split('`').skip(1).step_by(2);
    let wrong = names.next().filter(|_| unknown)?;
    nearest(wrong, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_key_names_the_nearest_and_its_place() {
        let text = "ptx = \"a.ptx\"\n[[steps]]\nkernal = \"k\"\n";
        let error = parse("j.toml", text).unwrap_err();
        assert_eq!((error.line, error.column), (3, 1), "{error}");
        assert!(error.to_string().contains("did you mean `kernel`?"), "{error}");
        let text = "ptx = \"a\"\nsteps = []\n[buffers.a]\ntype = \"f23\"\n";
        let error = parse("j.toml", text).unwrap_err();
        assert!(error.help.as_deref().unwrap_or("").contains("`f32`"), "{error}");
    }

    #[test]
    fn an_expression_is_checked_where_it_stands() {
        let text = "ptx = \"a\"\nsteps = []\n[let]\nn = \"1 +\"\n";
        let error = parse("j.toml", text).unwrap_err();
        assert_eq!(error.line, 4, "{error}");
        assert!(error.message.contains("expected a value"), "{error}");
    }
}
