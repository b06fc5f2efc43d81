//! The fundamental types and state spaces of PTX.

use std::fmt;

/// A fundamental type as written after an opcode or in a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The names are the PTX names.
pub enum Type {
    B8,
    B16,
    B32,
    B64,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    F32,
    F64,
    Pred,
}

impl Type {
    /// The type a modifier names, dot included (`.s32`).
    pub fn parse(modifier: &str) -> Option<Type> {
        Some(match modifier {
            ".b8" => Type::B8,
            ".b16" => Type::B16,
            ".b32" => Type::B32,
            ".b64" => Type::B64,
            ".u8" => Type::U8,
            ".u16" => Type::U16,
            ".u32" => Type::U32,
            ".u64" => Type::U64,
            ".s8" => Type::S8,
            ".s16" => Type::S16,
            ".s32" => Type::S32,
            ".s64" => Type::S64,
            ".f16" => Type::F16,
            ".f32" => Type::F32,
            ".f64" => Type::F64,
            ".pred" => Type::Pred,
            _ => return None,
        })
    }

    /// Width in bits; a predicate is one.
    pub fn bits(self) -> u32 {
        match self {
            Type::Pred => 1,
            Type::B8 | Type::U8 | Type::S8 => 8,
            Type::B16 | Type::U16 | Type::S16 | Type::F16 => 16,
            Type::B32 | Type::U32 | Type::S32 | Type::F32 => 32,
            Type::B64 | Type::U64 | Type::S64 | Type::F64 => 64,
        }
    }

    /// Width in bytes in memory; a predicate has none.
    pub fn bytes(self) -> u32 {
        self.bits() / 8
    }

    /// Whether arithmetic on it is floating-point.
    pub fn is_float(self) -> bool {
        matches!(self, Type::F16 | Type::F32 | Type::F64)
    }

    /// Whether it is a signed integer.
    pub fn is_signed(self) -> bool {
        matches!(self, Type::S8 | Type::S16 | Type::S32 | Type::S64)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", format!("{self:?}").to_lowercase())
    }
}

/// Where an address points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Space {
    /// Any of the others, told apart by the address.
    Generic,
    /// Visible to every thread of the grid.
    Global,
    /// Visible to the threads of a block.
    Shared,
    /// Private to a thread.
    Local,
    /// Read-only, set before the launch.
    Const,
    /// The arguments of the kernel.
    Param,
}

impl Space {
    /// The space a modifier names, dot included; sub-qualifiers (`::cta`) are dropped.
    pub fn parse(modifier: &str) -> Option<Space> {
        Some(match modifier.split("::").next().unwrap_or(modifier) {
            ".global" => Space::Global,
            ".shared" => Space::Shared,
            ".local" => Space::Local,
            ".const" => Space::Const,
            ".param" => Space::Param,
            _ => return None,
        })
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Space::Generic => "generic",
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Const => "const",
            Space::Param => "param",
        })
    }
}
