//! The registers of a warp as rows of 32 lanes, and the loops over lanes that every operation is made of.

use super::mask::LaneMask;
use crate::ptx::ir::{Class, Constants, PredSource, Reg, RegCounts};

/// A value in all 32 lanes.
pub type Row<T> = [T; 32];

/// All registers of one warp.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RegFile {
    words: Vec<Row<u32>>,
    longs: Vec<Row<u64>>,
    preds: Vec<u32>,
}

impl RegFile {
    /// Registers that all hold zero.
    pub fn new(counts: RegCounts) -> RegFile {
        RegFile {
            words: vec![[0; 32]; counts.words as usize],
            longs: vec![[0; 32]; counts.longs as usize],
            preds: vec![0; counts.preds as usize],
        }
    }

    /// Sets every register to zero again.
    pub fn clear(&mut self) {
        self.words.fill([0; 32]);
        self.longs.fill([0; 32]);
        self.preds.fill(0);
    }

    /// The lanes of a 32-bit register.
    pub fn word_mut(&mut self, reg: Reg) -> &mut Row<u32> {
        &mut self.words[reg.index()]
    }

    pub(super) fn word(&self, reg: Reg) -> &Row<u32> {
        &self.words[reg.index()]
    }

    pub(super) fn long(&self, reg: Reg) -> &Row<u64> {
        &self.longs[reg.index()]
    }

    pub(super) fn long_mut(&mut self, reg: Reg) -> &mut Row<u64> {
        &mut self.longs[reg.index()]
    }

    pub(super) fn pred_row(&self, reg: Reg) -> u32 {
        self.preds[reg.index()]
    }

    pub(super) fn pred_row_mut(&mut self, reg: Reg) -> &mut u32 {
        &mut self.preds[reg.index()]
    }

    /// What a lane of a register holds; narrow registers may carry copies of their sign above their width.
    pub fn lane(&self, reg: Reg, lane: usize) -> u64 {
        match reg.class() {
            Class::Word => u64::from(self.words[reg.index()][lane]),
            Class::Long => self.longs[reg.index()][lane],
            Class::Pred => u64::from(self.preds[reg.index()] >> lane & 1),
        }
    }
}

/// The two widths of a row.
pub trait Word: Copy + Default {
    /// The row of a register or immediate.
    fn row<'r>(regs: &'r RegFile, constants: &'r Constants, reg: Reg) -> &'r Row<Self>;
    /// The row of a register, to write.
    fn row_mut(regs: &mut RegFile, reg: Reg) -> &mut Row<Self>;
}

macro_rules! word {
    ($ty:ty, $rows:ident) => {
        impl Word for $ty {
            #[inline(always)]
            fn row<'r>(regs: &'r RegFile, constants: &'r Constants, reg: Reg) -> &'r Row<$ty> {
                let rows = if reg.is_constant() { &constants.$rows } else { &regs.$rows };
                &rows[reg.index()]
            }
            #[inline(always)]
            fn row_mut(regs: &mut RegFile, reg: Reg) -> &mut Row<$ty> {
                &mut regs.$rows[reg.index()]
            }
        }
    };
}
word!(u32, words);
word!(u64, longs);

/// A type that a lane of a register can hold.
pub trait Lane: Copy {
    /// The row it lives in.
    type Word: Word;
    /// The value in the low bits of a word.
    fn of(word: Self::Word) -> Self;
    /// The word it is stored as, extended by its own rule.
    fn word(self) -> Self::Word;
}

macro_rules! int_lane {
    ($($ty:ty as $word:ty),*) => {$(
        impl Lane for $ty {
            type Word = $word;
            #[inline(always)]
            fn of(word: $word) -> $ty {
                word as $ty
            }
            #[inline(always)]
            fn word(self) -> $word {
                self as $word
            }
        }
    )*};
}
int_lane!(
    u8 as u32, i8 as u32, u16 as u32, i16 as u32, u32 as u32, i32 as u32, u64 as u64, i64 as u64
);

impl Lane for f32 {
    type Word = u32;
    #[inline(always)]
    fn of(word: u32) -> f32 {
        f32::from_bits(word)
    }
    #[inline(always)]
    fn word(self) -> u32 {
        self.to_bits()
    }
}

impl Lane for f64 {
    type Word = u64;
    #[inline(always)]
    fn of(word: u64) -> f64 {
        f64::from_bits(word)
    }
    #[inline(always)]
    fn word(self) -> u64 {
        self.to_bits()
    }
}

/// The lanes of one instruction: registers to read and write, and who takes part.
pub struct Lanes<'a> {
    /// The warp's registers.
    pub regs: &'a mut RegFile,
    /// The kernel's immediates.
    pub constants: &'a Constants,
    /// Lanes that write.
    pub mask: LaneMask,
}

impl Lanes<'_> {
    /// The row of a source.
    #[inline(always)]
    pub fn row<W: Word>(&self, reg: Reg) -> &Row<W> {
        W::row(self.regs, self.constants, reg)
    }

    /// Writes the lanes that take part.
    #[inline(always)]
    pub fn write<W: Word>(&mut self, d: Reg, values: &Row<W>) {
        let row = W::row_mut(self.regs, d);
        if self.mask == LaneMask::ALL {
            *row = *values;
            return;
        }
        let mask = self.mask.0;
        for i in 0..32 {
            row[i] = if mask >> i & 1 != 0 { values[i] } else { row[i] };
        }
    }

    /// The lanes where a predicate (or its negation) holds, whether they take part or not.
    #[inline(always)]
    pub fn pred(&self, source: PredSource) -> u32 {
        let rows = if source.reg.is_constant() { &self.constants.preds } else { &self.regs.preds };
        let bits = rows[source.reg.index()];
        if source.negated {
            !bits
        } else {
            bits
        }
    }

    /// Writes a predicate in the lanes that take part.
    #[inline(always)]
    pub fn write_pred(&mut self, d: Reg, bits: u32) {
        let row = &mut self.regs.preds[d.index()];
        *row = *row & !self.mask.0 | bits & self.mask.0;
    }

    /// `d = f(a)` in every lane.
    #[inline(always)]
    pub fn map1<A: Lane, D: Lane>(&mut self, d: Reg, a: Reg, f: impl Fn(A) -> D) {
        let mut out = [D::Word::default(); 32];
        let a = self.row::<A::Word>(a);
        for i in 0..32 {
            out[i] = f(A::of(a[i])).word();
        }
        self.write(d, &out);
    }

    /// `d = f(a, b)` in every lane.
    #[inline(always)]
    pub fn map2<A: Lane, B: Lane, D: Lane>(
        &mut self,
        d: Reg,
        a: Reg,
        b: Reg,
        f: impl Fn(A, B) -> D,
    ) {
        let mut out = [D::Word::default(); 32];
        let (a, b) = (self.row::<A::Word>(a), self.row::<B::Word>(b));
        for i in 0..32 {
            out[i] = f(A::of(a[i]), B::of(b[i])).word();
        }
        self.write(d, &out);
    }

    /// `d = f(a, b, c)` in every lane.
    #[inline(always)]
    pub fn map3<A: Lane, B: Lane, C: Lane, D: Lane>(
        &mut self,
        d: Reg,
        [a, b, c]: [Reg; 3],
        f: impl Fn(A, B, C) -> D,
    ) {
        let mut out = [D::Word::default(); 32];
        let (a, b) = (self.row::<A::Word>(a), self.row::<B::Word>(b));
        let c = self.row::<C::Word>(c);
        for i in 0..32 {
            out[i] = f(A::of(a[i]), B::of(b[i]), C::of(c[i])).word();
        }
        self.write(d, &out);
    }

    /// The lanes where `f(a, b)` holds, whether they take part or not.
    #[inline(always)]
    pub fn test<A: Lane>(&self, a: Reg, b: Reg, f: impl Fn(A, A) -> bool) -> u32 {
        let (a, b) = (self.row::<A::Word>(a), self.row::<A::Word>(b));
        let mut bits = 0;
        for i in 0..32 {
            bits |= u32::from(f(A::of(a[i]), A::of(b[i]))) << i;
        }
        bits
    }

    /// `d = f(lane)` only in lanes that take part, for operations too slow to waste.
    #[inline(always)]
    pub fn each<D: Lane>(&mut self, d: Reg, f: impl Fn(&Self, usize) -> D) {
        let mut out = [D::Word::default(); 32];
        for lane in self.mask.lanes() {
            out[lane] = f(self, lane).word();
        }
        self.write(d, &out);
    }

    /// What a source holds in one lane.
    #[inline(always)]
    pub fn get<T: Lane>(&self, reg: Reg, lane: usize) -> T {
        T::of(self.row::<T::Word>(reg)[lane])
    }
}
