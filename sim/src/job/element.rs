//! The element types of buffers and arguments.

use serde::Deserialize;

use super::expr::{Expr, Variables};

/// Type of an element or scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum ElementType {
    U8,
    S8,
    U16,
    S16,
    U32,
    S32,
    U64,
    S64,
    F32,
    F64,
}

impl ElementType {
    /// Bytes of an element.
    pub fn bytes(self) -> usize {
        match self {
            ElementType::U8 | ElementType::S8 => 1,
            ElementType::U16 | ElementType::S16 => 2,
            ElementType::U32 | ElementType::S32 | ElementType::F32 => 4,
            ElementType::U64 | ElementType::S64 | ElementType::F64 => 8,
        }
    }

    /// Whether it is a float.
    pub fn is_float(self) -> bool {
        matches!(self, ElementType::F32 | ElementType::F64)
    }

    /// The name job files use.
    pub fn name(self) -> &'static str {
        match self {
            ElementType::U8 => "u8",
            ElementType::S8 => "s8",
            ElementType::U16 => "u16",
            ElementType::S16 => "s16",
            ElementType::U32 => "u32",
            ElementType::S32 => "s32",
            ElementType::U64 => "u64",
            ElementType::S64 => "s64",
            ElementType::F32 => "f32",
            ElementType::F64 => "f64",
        }
    }

    fn range(self) -> (i128, i128) {
        match self {
            ElementType::U8 => (0, u8::MAX.into()),
            ElementType::S8 => (i8::MIN.into(), i8::MAX.into()),
            ElementType::U16 => (0, u16::MAX.into()),
            ElementType::S16 => (i16::MIN.into(), i16::MAX.into()),
            ElementType::U32 => (0, u32::MAX.into()),
            ElementType::S32 => (i32::MIN.into(), i32::MAX.into()),
            ElementType::U64 => (0, u64::MAX.into()),
            _ => (i64::MIN.into(), i64::MAX.into()),
        }
    }

    /// Appends an integer; an error when the type cannot hold it.
    pub(super) fn push_int(self, value: i128, out: &mut Vec<u8>) -> Result<(), String> {
        let (low, high) = self.range();
        if value < low || value > high {
            return Err(format!("{value} does not fit {}", self.name()));
        }
        out.extend_from_slice(&(value as u64).to_le_bytes()[..self.bytes()]);
        Ok(())
    }

    /// Appends a float, rounded to the type.
    pub(super) fn push_float(self, value: f64, out: &mut Vec<u8>) {
        match self {
            ElementType::F32 => out.extend_from_slice(&(value as f32).to_le_bytes()),
            _ => out.extend_from_slice(&value.to_le_bytes()),
        }
    }

    /// The bytes of an expression's value.
    pub(super) fn encode(self, expr: &Expr, variables: &Variables) -> Result<Vec<u8>, String> {
        let mut out = Vec::new();
        match self.is_float() {
            true => self.push_float(expr.float(variables)?, &mut out),
            false => self.push_int(expr.int(variables)?.into(), &mut out)?,
        }
        Ok(out)
    }

    /// An integer element of exactly `bytes()` bytes.
    pub(super) fn int(self, bytes: &[u8]) -> i128 {
        let mut raw = [0; 8];
        raw[..bytes.len()].copy_from_slice(bytes);
        let value = u64::from_le_bytes(raw);
        let (low, _) = self.range();
        let unused = 64 - 8 * self.bytes() as u32;
        match low < 0 {
            true => i128::from((value << unused) as i64 >> unused),
            false => value.into(),
        }
    }

    /// A float element of exactly `bytes()` bytes.
    pub(super) fn float(self, bytes: &[u8]) -> f64 {
        let bits = self.int(bytes) as u64;
        match self {
            ElementType::F32 => f64::from(f32::from_bits(bits as u32)),
            _ => f64::from_bits(bits),
        }
    }
}
