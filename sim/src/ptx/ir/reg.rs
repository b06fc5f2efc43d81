//! Registers and immediates as rows of 32 lanes.

use std::fmt;

/// Which register file a row is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// 32 bits a lane; narrower registers use the low bits.
    Word,
    /// 64 bits a lane.
    Long,
    /// One bit a lane.
    Pred,
}

/// A register or an immediate: class, whether it is immediate, and its row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reg(u32);

const CONST_BIT: u32 = 1 << 29;
const INDEX_MASK: u32 = CONST_BIT - 1;

impl Reg {
    /// The most rows a class can have.
    pub const MAX_ROWS: u32 = 1 << 24;

    /// Row `index` of the registers of `class`.
    pub fn register(class: Class, index: u32) -> Reg {
        debug_assert!(index < Reg::MAX_ROWS);
        Reg((class as u32) << 30 | index)
    }

    /// Row `index` of the immediates of `class`.
    pub fn constant(class: Class, index: u32) -> Reg {
        Reg(Reg::register(class, index).0 | CONST_BIT)
    }

    /// Its class.
    #[inline(always)]
    pub fn class(self) -> Class {
        match self.0 >> 30 {
            0 => Class::Word,
            1 => Class::Long,
            _ => Class::Pred,
        }
    }

    /// Whether it is an immediate.
    #[inline(always)]
    pub fn is_constant(self) -> bool {
        self.0 & CONST_BIT != 0
    }

    /// Its row.
    #[inline(always)]
    pub fn index(self) -> usize {
        (self.0 & INDEX_MASK) as usize
    }
}

impl fmt::Debug for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_constant() { "const" } else { "reg" };
        write!(f, "{:?}.{kind}{}", self.class(), self.index())
    }
}

/// How many registers of each class a thread has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RegCounts {
    /// Rows of [`Class::Word`].
    pub words: u32,
    /// Rows of [`Class::Long`].
    pub longs: u32,
    /// Rows of [`Class::Pred`].
    pub preds: u32,
}

/// Immediates, spread over all lanes so that they read like registers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Constants {
    /// Rows of [`Class::Word`].
    pub words: Vec<[u32; 32]>,
    /// Rows of [`Class::Long`].
    pub longs: Vec<[u64; 32]>,
    /// Rows of [`Class::Pred`].
    pub preds: Vec<u32>,
}
