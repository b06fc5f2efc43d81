//! What every block says about itself, and how its ports are driven and sampled from packed words.
//!
//! [`rtl_block!`](crate::rtl_block) lists a block's ports once, with their meaning. From that list come the
//! comments of the exported Verilog, the manifest, and the packing that lets one adapter step any block.

use rust_hdl::prelude::*;

/// Where a block comes from: one of the five documents that Lanewise turns into hardware, or ourselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// Warp folding, lane shifting and lane power gating.
    Origami,
    /// Drowsy cache regions and divided word lines.
    PowerAwareCaches,
    /// Critical warps at near threshold.
    WarpLatencyBooster,
    /// Performance counters for DVFS.
    Crisp,
    /// Gangs of narrow warps.
    VariableWarpSize,
    /// No document: the lane with which costs are compared.
    ReferenceLane,
}

impl Paper {
    /// The title by which it is cited.
    pub fn title(self) -> &'static str {
        match self {
            Paper::Origami => "Origami: Folding Warps for Energy Efficient GPUs",
            Paper::PowerAwareCaches => "Power-Aware Caches for GPGPUs",
            Paper::WarpLatencyBooster => {
                "Predicting Critical Warps in Near-Threshold GPGPU Applications using a Dynamic \
                 Choke Point Analysis"
            }
            Paper::Crisp => "The CRISP Performance Model for DVFS in a GPGPU",
            Paper::VariableWarpSize => "A Variable Warp Size Architecture",
            Paper::ReferenceLane => "the reference lane of Lanewise, with which costs are compared",
        }
    }
}

/// A port and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// Field name in Rust; the Verilog port adds `_i` or `_o`.
    pub name: &'static str,
    /// Whether the block reads it.
    pub input: bool,
    /// Its meaning, in a few words.
    pub doc: &'static str,
}

/// What a block says about itself.
#[derive(Clone, Debug)]
pub struct Info {
    /// The one name of the block in every folder.
    pub name: &'static str,
    /// The family, which is also the folder of its source.
    pub family: &'static str,
    /// What the block provides, in whole sentences.
    pub promise: &'static str,
    /// Where the mechanism comes from.
    pub paper: Paper,
    /// The part of the paper that describes it.
    pub section: &'static str,
    /// Whether the block has a clock and a reset.
    pub clocked: bool,
    /// The ports after clock and reset, in order.
    pub ports: &'static [Port],
}

/// A block of the catalogue: rust-hdl logic that can be described, stepped and exported.
///
/// Implemented by [`rtl_block!`](crate::rtl_block) only.
pub trait RtlBlock: Block + Send {
    /// What the block says about itself.
    fn info(&self) -> Info;

    /// Tells rust-hdl that the inputs of this block are driven from outside.
    fn connect_inputs(&mut self);

    /// Sets the inputs from a packed image: each port on a word boundary, in port order.
    fn drive(&mut self, words: &[u32]);

    /// Writes the outputs to a packed image.
    fn sample(&self, words: &mut [u32]);

    /// Sets the clock; nothing in a combinational block.
    fn set_clock(&mut self, level: bool);

    /// Sets the reset; nothing in a combinational block.
    fn set_reset(&mut self, level: bool);

    /// Settles the combinational logic. False if it oscillates.
    fn settle(&mut self) -> bool;
}

/// An input signal, or an array of them, that takes its value from packed words.
pub trait Driven {
    /// Bits of the whole port.
    const BITS: usize;
    /// Takes the value found from bit `at` on.
    fn drive(&mut self, words: &[u32], at: usize);
    /// Marks the signal as driven from outside.
    fn connect_input(&mut self);
}

/// An output signal, or an array of them, that gives its value as packed words.
pub trait Sampled {
    /// Bits of the whole port.
    const BITS: usize;
    /// Puts the value from bit `at` on.
    fn sample(&self, words: &mut [u32], at: usize);
}

fn bit(words: &[u32], at: usize) -> bool {
    words[at / 32] >> (at % 32) & 1 != 0
}

fn set_bit(words: &mut [u32], at: usize, value: bool) {
    let mask = 1 << (at % 32);
    if value {
        words[at / 32] |= mask;
    } else {
        words[at / 32] &= !mask;
    }
}

impl Driven for Signal<In, Bit> {
    const BITS: usize = 1;
    fn drive(&mut self, words: &[u32], at: usize) {
        self.next = bit(words, at);
    }
    fn connect_input(&mut self) {
        Logic::connect(self);
    }
}

impl Sampled for Signal<Out, Bit> {
    const BITS: usize = 1;
    fn sample(&self, words: &mut [u32], at: usize) {
        set_bit(words, at, self.val());
    }
}

impl<const N: usize> Driven for Signal<In, Bits<N>> {
    const BITS: usize = N;
    fn drive(&mut self, words: &[u32], at: usize) {
        if N <= 32 {
            let (word, shift) = (at / 32, at % 32);
            let low = words[word] as u64;
            let high = if shift + N > 32 { words[word + 1] as u64 } else { 0 };
            self.next = (((high << 32 | low) >> shift) & ((1 << N) - 1)).into();
        } else {
            let mut value = Bits::default();
            for i in 0..N {
                value = value.replace_bit(i, bit(words, at + i));
            }
            self.next = value;
        }
    }
    fn connect_input(&mut self) {
        Logic::connect(self);
    }
}

impl<const N: usize> Sampled for Signal<Out, Bits<N>> {
    const BITS: usize = N;
    fn sample(&self, words: &mut [u32], at: usize) {
        let value = self.val();
        if N == 32 && at % 32 == 0 {
            words[at / 32] = value.to_u32();
        } else {
            for i in 0..N {
                set_bit(words, at + i, value.get_bit(i));
            }
        }
    }
}

impl<S: Driven, const K: usize> Driven for [S; K] {
    const BITS: usize = S::BITS * K;
    fn drive(&mut self, words: &[u32], at: usize) {
        for (i, element) in self.iter_mut().enumerate() {
            element.drive(words, at + i * S::BITS);
        }
    }
    fn connect_input(&mut self) {
        self.iter_mut().for_each(Driven::connect_input);
    }
}

impl<S: Sampled, const K: usize> Sampled for [S; K] {
    const BITS: usize = S::BITS * K;
    fn sample(&self, words: &mut [u32], at: usize) {
        for (i, element) in self.iter().enumerate() {
            element.sample(words, at + i * S::BITS);
        }
    }
}

/// Steps `words` past an input port. Serves [`rtl_block!`](crate::rtl_block).
pub fn drive_port<'a, S: Driven>(port: &mut S, words: &'a [u32]) -> &'a [u32] {
    port.drive(words, 0);
    &words[S::BITS.div_ceil(32)..]
}

/// Steps `words` past an output port. Serves [`rtl_block!`](crate::rtl_block).
pub fn sample_port<'a, S: Sampled>(port: &S, words: &'a mut [u32]) -> &'a mut [u32] {
    port.sample(words, 0);
    &mut words[S::BITS.div_ceil(32)..]
}

/// Says what a block is and lists its ports with their meaning, in the order of the struct.
///
/// The promise is one or more sentences; the first says what the block provides. `clocked` blocks have
/// fields `clock` and `reset` first; `combinational` ones have neither.
#[macro_export]
macro_rules! rtl_block {
    (
        $ty:ident $(<$(const $generic:ident: usize),+>)?,
        $name:literal in $family:literal, $kind:ident,
        $paper:ident $section:literal,
        $promise:literal,
        $($dir:ident $port:ident: $doc:literal;)+
    ) => {
        impl $(<$(const $generic: usize),+>)? $crate::rtl::RtlBlock for $ty $(<$($generic),+>)? {
            fn info(&self) -> $crate::rtl::Info {
                $crate::rtl::Info {
                    name: $name,
                    family: $family,
                    promise: $promise,
                    paper: $crate::rtl::Paper::$paper,
                    section: $section,
                    clocked: $crate::rtl_block!(@clocked $kind),
                    ports: &[$($crate::rtl::Port {
                        name: stringify!($port),
                        input: $crate::rtl_block!(@input $dir),
                        doc: $doc,
                    }),+],
                }
            }
            fn connect_inputs(&mut self) {
                $crate::rtl_block!(@connect_clock $kind self);
                $($crate::rtl_block!(@connect $dir self.$port);)+
            }
            fn drive(&mut self, words: &[u32]) {
                let rest = words;
                $($crate::rtl_block!(@drive $dir self.$port, rest);)+
                let _ = rest;
            }
            fn sample(&self, words: &mut [u32]) {
                let rest = words;
                $($crate::rtl_block!(@sample $dir self.$port, rest);)+
                let _ = rest;
            }
            fn set_clock(&mut self, _level: bool) {
                $crate::rtl_block!(@set_clock $kind self _level);
            }
            fn set_reset(&mut self, _level: bool) {
                $crate::rtl_block!(@set_reset $kind self _level);
            }
            fn settle(&mut self) -> bool {
                ::rust_hdl::prelude::simulate(self, 100)
            }
        }
    };
    (@clocked clocked) => { true };
    (@clocked combinational) => { false };
    (@input input) => { true };
    (@input output) => { false };
    (@connect_clock clocked $self:ident) => {
        ::rust_hdl::prelude::Logic::connect(&mut $self.clock);
        ::rust_hdl::prelude::Logic::connect(&mut $self.reset);
    };
    (@connect_clock combinational $self:ident) => {};
    (@connect input $($port:tt)+) => { $crate::rtl::Driven::connect_input(&mut $($port)+) };
    (@connect output $($port:tt)+) => {};
    (@drive input $self:ident.$port:ident, $rest:ident) => {
        let $rest = $crate::rtl::drive_port(&mut $self.$port, $rest);
    };
    (@drive output $self:ident.$port:ident, $rest:ident) => {};
    (@sample input $self:ident.$port:ident, $rest:ident) => {};
    (@sample output $self:ident.$port:ident, $rest:ident) => {
        let $rest = $crate::rtl::sample_port(&$self.$port, $rest);
    };
    (@set_clock clocked $self:ident $level:ident) => { $self.clock.next = $level.into() };
    (@set_clock combinational $self:ident $level:ident) => {};
    (@set_reset clocked $self:ident $level:ident) => { $self.reset.next = $level };
    (@set_reset combinational $self:ident $level:ident) => {};
}
